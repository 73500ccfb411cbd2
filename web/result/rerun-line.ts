import type { AttemptRecord } from '../../src/model/record.ts';
import type { RunDetail } from '../source/source.ts';
import { shellWord } from '../text/shell-word.ts';

/** The command that runs only this test again. */
export function rerunLine(
  { file, line, row, test }: Pick<AttemptRecord, 'file' | 'line' | 'row' | 'test'>,
  description: RunDetail['description'],
): string {
  const options = description?.['options'];
  const words = [`assay run ${shellWord(`${file}:${line}`)}`];
  // A row is not a place in the suite: its test is told apart by its name.
  if (row !== undefined)
    words.push(`-t ${shellWord(`^${test.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)}$`)}`);
  for (const name of ['agent', 'target']) {
    const value = isRecord(options) ? options[name] : undefined;
    if (typeof value === 'string') words.push(`--${name} ${shellWord(value)}`);
  }
  return words.join(' ');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
