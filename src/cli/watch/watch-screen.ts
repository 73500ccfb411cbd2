import type { Colors } from '../../show/reporters/colors.ts';
import { displayWidth } from '../../show/reporters/terminal-text.ts';

export interface WatchOutput {
  readonly colors: Colors;
  readonly columns: number;
  /** It cannot go back to a line that it has shown. */
  readonly isDumb: boolean;
  write(text: string): void;
}

/** Which tests are wanted, by the keys `t` and `p`; empty for all. */
export interface WatchFilter {
  readonly grep: string;
  readonly pattern: string;
}

/** What stands below the results: what the watch waits for, and the keys if there are any. */
export function footer(
  { colors, columns }: WatchOutput,
  { filter, hasKeys }: { readonly filter: WatchFilter; readonly hasKeys: boolean },
): string {
  const waiting = 'Waiting for changes';
  const only = filter.grep === '' && filter.pattern === '' ? '' : ` · ${filterText(filter).toLowerCase()}`;
  const head = `${colors.bold(waiting)}${colors.yellow(only)}`;
  if (!hasKeys) return `\n${head}\n`;
  const keys = KEYS.join(SEPARATOR);
  const isOneLine = displayWidth(`${waiting}${only} ${keys}`) < columns;
  if (isOneLine) return `\n${head} ${colors.dim(keys)}\n`;
  return `\n${head}\n${wrapped(KEYS, columns).map(colors.dim).join('\n')}\n`;
}

export function filterText({ grep, pattern }: WatchFilter): string {
  const parts = [
    ...(grep === '' ? [] : [`tests that match ${JSON.stringify(grep)}`]),
    ...(pattern === '' ? [] : [`files with ${JSON.stringify(pattern)}`]),
  ];
  return parts.length === 0 ? 'All tests' : `Only ${parts.join(', ')}`;
}

/** A question with what was typed so far. It is drawn again with each key, over the rows that it took before. */
export function createQuestion(output: WatchOutput, question: string): (typed: string) => void {
  let width: number | undefined;
  return (typed) => {
    const rows = width === undefined ? 0 : Math.max(1, Math.ceil(width / Math.max(1, output.columns)));
    // In the sequences that `guardText` lets through.
    const back = rows === 0 || output.isDumb ? '' : `\u001B[${rows}F\u001B[0J`;
    width = displayWidth(question + typed);
    output.write(`${back}${question}${typed}\n`);
  };
}

/** Parts in lines that fit; none is cut. */
function wrapped(parts: readonly string[], columns: number): readonly string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const joined = last === undefined ? part : `${last}${SEPARATOR}${part}`;
    if (last === undefined || displayWidth(joined) >= columns) lines.push(part);
    else lines[lines.length - 1] = joined;
  }
  return lines;
}

const SEPARATOR = ' · ';
const KEYS = ['a all', 'f failed', 't tests', 'p paths', 'u update', 'enter again', 'q quit'];

export const KEYS_HELP = `
  a      run all tests, without filters
  f      run the tests that did not pass
  t      choose tests by name
  p      choose files by path
  u      replace expected values of failed tests with the actual ones
  enter  run the same tests again
  q      quit
`;
