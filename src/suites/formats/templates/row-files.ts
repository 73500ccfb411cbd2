import type { Finding } from '../../../base/model/finding.ts';
import type { Json } from '../../../base/model/json.ts';
import type { CaseFiles } from '../agentv/case-files.ts';
import type { Dialect } from '../yaml/scalars.ts';

/** One row of a file: its variables, or why it has none. */
export interface FileRow {
  readonly line: number;
  readonly column: number;
  /** Must be an object. Absent if the row cannot be read. */
  readonly values?: Json;
  readonly findings: readonly Finding[];
}

export type AgentvRelease = 'newer' | 'any';

/** Opens the files that `each` names. A file may have millions of rows, so they are read one by one. */
export interface RowFiles {
  open(
    path: string,
    dialect: Dialect,
  ): { readonly file: string; readonly rows: Iterable<FileRow> } | { readonly problem: string };
  /** Opens files of cases and of prompts. */
  readonly cases?: CaseFiles;
  /** The suite is in a project of AgentV: of version 4 or newer, or of an unknown one. */
  agentvProject?(): AgentvRelease | undefined;
}

/** For reading a text without its files. */
export const NO_ROW_FILES: RowFiles = {
  open: (path) => ({
    problem: `the rows of ${path} can only be read together with the file that refers to them`,
  }),
};
