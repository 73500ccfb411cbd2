import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { onCommandEnd } from '../../base/system/command-end.ts';
import { SUITE_EXTENSIONS } from '../../suites/load/discover.ts';
import { findProjectRoot, leavesProject } from '../../suites/load/project-root.ts';
import { isInside } from '../../base/files/is-inside.ts';
import { readSuiteFile } from '../../suites/load/read-suite-file.ts';
import { unsavedText } from '../../suites/load/unsaved-texts.ts';
import type { Finding } from '../../base/model/finding.ts';
import { splitSuiteLines } from '../../base/model/suite-lines.ts';
import type { Excerpt } from '../../show/reporters/code-frame.ts';

interface ReadLines {
  readonly path: string;
  /** Tells whether the file has changed since. */
  readonly stamp: string;
  readonly lines: readonly string[];
}

/** Findings and failures come file by file, and a dataset may have many thousands. Kept until the command ends. */
let last: ReadLines | undefined;

/** The lines around a finding, read from its file; undefined if the file cannot be read. */
export function readExcerpt({
  file,
  line,
  code = '',
}: Pick<Finding, 'file' | 'line'> & { readonly code?: string }): Excerpt | undefined {
  if (ABOUT_THE_FILE.has(code)) return undefined;
  const first = Math.max(1, line - 2);
  const lines = linesOf(file).slice(first - 1, line + 1);
  // What follows the last line feed is not a line, unless the finding is there.
  if (lines.at(-1) === '' && first + lines.length - 1 > line) lines.pop();
  return lines.length === 0 ? undefined : { firstLine: first, lines };
}

function linesOf(file: string): readonly string[] {
  const path = resolve(file);
  const stamp = stampOf(file);
  if (last?.path !== path || last.stamp !== stamp) {
    const read = readSuiteFile(file);
    onCommandEnd(forget);
    last = { path, stamp, lines: 'text' in read ? splitSuiteLines(read.text, file) : [] };
  }
  return last.lines;
}

/** The text itself, if an editor has not saved it. */
function stampOf(file: string): string {
  const unsaved = unsavedText(file);
  if (unsaved !== undefined) return unsaved;
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(file);
    return [ino, size, mtimeMs, ctimeMs].join(' ');
  } catch {
    return 'none';
  }
}

function forget(): void {
  last = undefined;
}

/** The same for places in a record: its author may have named any file of this machine. */
export function readExcerptInProject(place: Pick<Finding, 'file' | 'line'>): Excerpt | undefined {
  const root = findProjectRoot(process.cwd());
  const isOurs = SUITE_EXTENSIONS.test(place.file) && isInside(place.file, root);
  return isOurs && !leavesProject(place.file, root) ? readExcerpt(place) : undefined;
}

/** Findings that no line of the file explains; some are about files that must not be shown. */
const ABOUT_THE_FILE = new Set([
  'no_such_file',
  'no_such_line',
  'outside_project',
  // The lines beside it may contain keys.
  'protected_variable',
  'foreign_owner',
  'no_suites',
  'suite_not_read',
  'config_not_read',
  'no_tests',
  'not_a_file',
  'foreign_format',
  'default_ids',
  'comments_lost',
  'output_exists',
  'output_name',
  'output_unwritable',
  'conversion_differs',
  'conversion_invalid',
  'only_in_ci',
  'test_gone',
  'target_changed',
  'nothing_to_resume',
  'own_baseline',
  'other_config',
  'damaged_run',
  'unsealed_records',
  'no_earlier_run',
  'nothing_failed',
  'not_recorded',
  'shard_missing',
  'shard_twice',
  'shard_foreign',
  'worker_refused',
  'queue_data_lost',
]);
