import type { AssertionRecord } from './record.ts';

/** A longer output is shown once, however many assertions are about it. */
const LONG_OUTPUT = 200;
const LONG_OUTPUT_LINES = 4;

/** How a failed assertion shows the output that it is about: as it is, as a diff of lines, or only where it was said. */
export function comparesOutput(
  { expected, actual, error }: Pick<AssertionRecord, 'expected' | 'actual' | 'error'>,
  output: string | undefined,
): 'whole' | 'diff' | 'below' | undefined {
  if (error !== undefined || typeof actual !== 'string' || actual !== output) return undefined;
  if (output.length <= LONG_OUTPUT && countLines(output) <= LONG_OUTPUT_LINES) return 'whole';
  const isText = typeof expected === 'string' && countLines(expected) > LONG_OUTPUT_LINES;
  return isText ? 'diff' : 'below';
}

export function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
