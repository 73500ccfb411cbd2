import type { AttemptRecord } from '../../src/model/record.ts';
import type { RunDetail } from '../source/source.ts';

/** The command that runs only this test again. */
export function rerunLine(
  { file, line }: Pick<AttemptRecord, 'file' | 'line'>,
  description: RunDetail['description'],
): string {
  const options = description?.['options'];
  const words = [`assay run ${quote(`${file}:${line}`)}`];
  for (const name of ['agent', 'target']) {
    const value = isRecord(options) ? options[name] : undefined;
    if (typeof value === 'string') words.push(`--${name} ${quote(value)}`);
  }
  return words.join(' ');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function quote(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
