import { isJsonObject, type Json } from '../../base/model/json.ts';
import { printSpaced } from '../../base/model/print-spaced.ts';
import type { AssertionRecord } from '../../base/model/record.ts';
import type { Colors } from './colors.ts';
import type { ShownLines } from './shown-lines.ts';
import { escapeShortLine } from './terminal-text.ts';
import { markedLines } from './value-diff.ts';

const MAX_CALLS = 200;

/**
 * Expected tool calls against those that were made, a line for each call, in one notation. Undefined if the
 * assertion does not compare calls.
 */
export async function callDiff(
  { expected, actual, details }: AssertionRecord,
  colors: Colors,
): Promise<ShownLines | undefined> {
  const made = callsIn(actual);
  if (made === undefined) return undefined;
  const wanted = callsIn(expected);
  const isCut = made.length > MAX_CALLS || (wanted?.length ?? 0) > MAX_CALLS;
  const lines = made.slice(0, MAX_CALLS).map(callText);
  // Limits on calls are not a list: the message says what they allow.
  if (wanted === undefined) {
    if (!isJsonObject(expected)) return undefined;
    const [first = 'no calls', ...rest] = lines.map(escapeShortLine);
    return {
      lines: [`${colors.red('+ actual')}    ${first}`, ...rest.map((line) => `            ${line}`)],
      isCut,
    };
  }
  // A call that was accepted is shown as it was made: arguments that nobody expected are not a difference.
  const met = matchedCalls(details);
  const expectedLines = wanted
    .slice(0, MAX_CALLS)
    .map((call, index) => lines[met.get(index) ?? -1] ?? callText(call));
  const diff = await markedLines(expectedLines, lines, colors);
  return { lines: [`${colors.green('- expected')}  ${colors.red('+ actual')}`, ...diff], isCut };
}

type Call = { readonly [key: string]: Json } & { readonly tool: string };

function callsIn(value: Json | undefined): readonly Call[] | undefined {
  const isList =
    Array.isArray(value) && value.every((call) => isJsonObject(call) && typeof call['tool'] === 'string');
  return isList ? (value as unknown as readonly Call[]) : undefined;
}

/** `search(q: "paris", limit: 3)`; just the name if the arguments are not known, or do not matter. */
export function callText(call: {
  readonly tool: string;
  readonly args?: Json;
  readonly input?: Json | undefined;
}): string {
  const args = call.args ?? call.input;
  if (args === undefined || args === 'any') return call.tool;
  if (!isJsonObject(args)) return `${call.tool}(${printSpaced(args)})`;
  const pairs = Object.entries(args).map(([name, value]) => `${name}: ${printSpaced(value)}`);
  return `${call.tool}(${pairs.join(', ')})`;
}

/** By the number of an expected call: the number of the call that meets it. */
function matchedCalls(details: Json | undefined): ReadonlyMap<number, number> {
  const matched = isJsonObject(details) ? details['matched'] : undefined;
  const pairs = Array.isArray(matched) ? (matched as readonly Json[]) : [];
  return new Map(
    pairs.flatMap((pair) =>
      isJsonObject(pair) && typeof pair['expected'] === 'number' && typeof pair['actual'] === 'number'
        ? [[pair['expected'], pair['actual']] as const]
        : [],
    ),
  );
}
