import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { printSpaced } from '../../base/model/print-spaced.ts';
import type { StepRecord } from '../../base/model/record.ts';
import type { RecordedToolCall } from '../../base/model/reply.ts';
import { callText } from './call-diff.ts';
import type { ShownLines } from './shown-lines.ts';
import { escapeLine } from './terminal-text.ts';

const MOST_CALLS = 20;
const MOST_CHANGES = 12;
/** Of the arguments of a call, and of its result. */
const LONGEST = 160;

/** What the agent called its tools with, and what came back. Undefined if it called none, or nobody knows. */
export function callLines({
  tool_calls,
  tools_used = [],
}: Pick<StepRecord, 'tool_calls' | 'tools_used'>): ShownLines | undefined {
  const calls: readonly RecordedToolCall[] = tool_calls ?? tools_used.map((tool) => ({ tool }));
  if (calls.length === 0) return undefined;
  // Without arguments and results, names fit into one line.
  if (calls.every(({ input, output, status }) => (input ?? output ?? status) === undefined))
    return { lines: [cut(calls.map(({ tool }) => tool).join(', '), 4 * LONGEST)], isCut: false };
  return limited(calls.map(describeCall), { most: MOST_CALLS, noun: 'calls' });
}

function describeCall(call: RecordedToolCall): string {
  const result = call.output === undefined ? '' : ` → ${cut(printSpaced(call.output))}`;
  const failed = call.status === undefined || FINE.has(call.status) ? '' : ` (${cut(call.status)})`;
  return `${cut(callText(call))}${result}${failed}`;
}

const FINE: ReadonlySet<string> = new Set(['ok', 'success', 'completed']);

/** How memory changed in a step, a line for each value: `user.name: absent → "Ann"`. Undefined if it did not. */
export function memoryChanges({
  memory_before,
  memory,
}: Pick<StepRecord, 'memory_before' | 'memory'>): ShownLines | undefined {
  if (memory === undefined) return undefined;
  const lines = changesIn(memory_before, memory, '');
  return lines.length === 0 ? undefined : limited(lines, { most: MOST_CHANGES, noun: 'changes' });
}

function changesIn(before: JsonObject, after: JsonObject, path: string): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
    const [old, now] = [ownValue(before, key), ownValue(after, key)];
    const at = path === '' ? key : `${path}.${key}`;
    if (isJsonObject(old) && isJsonObject(now)) return changesIn(old, now, at);
    const [from, to] = [shown(old), shown(now)];
    return from === to ? [] : [`${escapeLine(at)}: ${cut(from)} → ${cut(to)}`];
  });
}

function shown(value: Json | undefined): string {
  return value === undefined ? 'absent' : printSpaced(value);
}

function limited(
  lines: readonly string[],
  { most, noun }: { readonly most: number; readonly noun: string },
): ShownLines {
  const more = lines.length - most;
  return more <= 0
    ? { lines, isCut: false }
    : { lines: [...lines.slice(0, most), `... ${more} more ${noun}`], isCut: true };
}

function cut(text: string, longest = LONGEST): string {
  return text.length <= longest
    ? escapeLine(text)
    : `${escapeLine(text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, ''))}…`;
}
