import { jsonEqual } from '../match/json-equal.ts';
import type { RecordedToolCall } from '../model/reply.ts';

/** The fewest calls that hold each of the lists: what two of them want is made once, what one wants twice is made twice. */
export function unionCalls(lists: readonly (readonly RecordedToolCall[])[]): readonly RecordedToolCall[] {
  const union: RecordedToolCall[] = [];
  for (const calls of lists) {
    const free = new Set(union.keys());
    for (const call of calls) {
      const found = [...free].find((place) => isSame(union[place]!, call));
      if (found === undefined) union.push(call);
      else {
        free.delete(found);
        if (union[found]!.input === undefined) union[found] = call;
      }
    }
  }
  return union;
}

/** What of the wanted calls is still to be made. */
export function callsWithout(
  wanted: readonly RecordedToolCall[],
  made: readonly RecordedToolCall[],
): readonly RecordedToolCall[] {
  const left = [...made];
  return wanted.filter((call) => {
    const found = left.findIndex((other) => isSame(other, call));
    if (found === -1) return true;
    left.splice(found, 1);
    return false;
  });
}

/** A call whose input nobody asks for can be any of its tool. */
function isSame(a: RecordedToolCall, b: RecordedToolCall): boolean {
  return a.tool === b.tool && (a.input === undefined || b.input === undefined || jsonEqual(a.input, b.input));
}
