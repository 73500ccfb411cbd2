import { readFileSync } from 'node:fs';
import { parseDocument } from '../../suites/formats/document.ts';
import { createLineIndex } from '../../suites/formats/line-index.ts';
import { dialectOf } from '../../suites/formats/parse-suite.ts';
import { extname } from '../../suites/formats/path-names.ts';
import { discover } from '../../suites/load/discover.ts';
import { hasErrors } from '../../base/model/finding.ts';
import type { Place } from '../../base/model/place.ts';
import { tryParseJson } from '../../base/model/parse-json.ts';
import { hashFile } from '../../base/files/hash-file.ts';
import { splitLines } from '../select/split-lines.ts';
import {
  editSource,
  type EditableText,
  type EditedSource,
  type NotUpdated,
  type UpdatedValue,
} from './edit-source.ts';
import type { FailedTest } from './failed-tests.ts';
import { replaceFile } from './replace-file.ts';
import { rewriteLines } from './rewrite-lines.ts';
import { isDataset } from '../../base/model/suite-lines.ts';

export interface ExpectedUpdate {
  readonly updated: readonly UpdatedValue[];
  readonly notUpdated: readonly NotUpdated[];
  /** Files that could not be written, and the reason. */
  readonly problems: readonly { readonly file: string; readonly reason: string }[];
}

/** The content of a run's files before it starts: a file that changes meanwhile is not written to. */
export async function hashSuites(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { files } = await discover(splitLines(paths).paths);
  const hashes = new Map<string, string>();
  for (const file of files) {
    try {
      hashes.set(file, hashFile(file));
    } catch {
      // The run says what is wrong with it.
    }
  }
  return hashes;
}

/** Replaces expected values in the files of failed tests with the actual ones. */
export async function updateExpected(
  failed: readonly FailedTest[],
  hashes: ReadonlyMap<string, string>,
): Promise<ExpectedUpdate> {
  const updated: UpdatedValue[] = [];
  const notUpdated: NotUpdated[] = [];
  const problems: { file: string; reason: string }[] = [];
  for (const [file, tests] of groupByFile(failed)) {
    try {
      const hash = hashes.get(file);
      if (hash === undefined || hashFile(file) !== hash) throw new FileChanged();
      const edited = await editFile(file, tests, hash);
      updated.push(...edited.updated);
      notUpdated.push(...edited.notUpdated);
    } catch (error) {
      problems.push({ file, reason: (error as Error).message });
    }
  }
  return { updated, notUpdated, problems };
}

class FileChanged extends Error {
  constructor() {
    super('the file has changed since the run started, so nothing was written: run again');
  }
}

function groupByFile(failed: readonly FailedTest[]): ReadonlyMap<string, readonly FailedTest[]> {
  const groups = new Map<string, FailedTest[]>();
  for (const test of failed) {
    const group = groups.get(test.file);
    if (group === undefined) groups.set(test.file, [test]);
    else group.push(test);
  }
  return groups;
}

type Outcome = Pick<EditedSource, 'updated' | 'notUpdated'>;

async function editFile(file: string, tests: readonly FailedTest[], hash: string): Promise<Outcome> {
  const isUnchanged = (): void => {
    if (hashFile(file) !== hash) throw new FileChanged();
  };
  if (isDataset(file)) return editDataset(file, tests, isUnchanged);
  const written = readFileSync(file, 'utf8');
  const mark = written.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const edited = await editSource(documentText(file, written.slice(mark.length)), tests);
  if (edited.updated.length > 0) {
    await replaceFile(file, isUnchanged, (write) => {
      write(mark + edited.text);
      return true;
    });
  }
  return edited;
}

const BYTE_ORDER_MARK = '\uFEFF';

/** Line by line: only those of failed tests are read, and a dataset may be larger than memory. */
async function editDataset(
  file: string,
  tests: readonly FailedTest[],
  isUnchanged: () => void,
): Promise<Outcome> {
  const updated: UpdatedValue[] = [];
  const notUpdated: NotUpdated[] = [];
  const byLine = new Map<number, FailedTest[]>();
  // With `each`, several tests are on one line.
  for (const test of tests) byLine.set(test.line, [...(byLine.get(test.line) ?? []), test]);
  const rewrite = async (line: string, number: number): Promise<string> => {
    const [, before, text, after] = /^(\uFEFF?)(.*?)(\r?\n?)$/s.exec(line)!;
    const edited = await editSource(lineText(text!, number), byLine.get(number)!);
    updated.push(...edited.updated);
    notUpdated.push(...edited.notUpdated);
    return before! + edited.text + after!;
  };
  await replaceFile(file, isUnchanged, async (write) => {
    await rewriteLines(file, { lines: new Set(byLine.keys()), rewrite, write });
    return updated.length > 0;
  });
  return { updated, notUpdated };
}

function documentText(file: string, text: string): EditableText {
  const index = createLineIndex(text);
  const starts = [0, ...[...text.matchAll(/\r\n|\n|\r/g)].map((found) => found.index + found[0].length)];
  return {
    text,
    isJson: extname(file).toLowerCase() === '.json',
    offsetOf: ({ line, column }) =>
      starts[line - 1]! + unitsOf(text.slice(starts[line - 1], starts[line]), column),
    lineOf: (offset) => index.at(offset).line,
    read(edited) {
      const document = parseDocument(file, edited, dialectOf);
      return 'value' in document && !hasErrors(document.findings) ? document.value : undefined;
    },
  };
}

function lineText(text: string, line: number): EditableText {
  return {
    text,
    isJson: true,
    offsetOf: ({ column }: Pick<Place, 'column'>) => unitsOf(text, column),
    lineOf: () => line,
    read: tryParseJson,
  };
}

/** Columns count code points. */
function unitsOf(line: string, column: number): number {
  return [...line].slice(0, column - 1).join('').length;
}
