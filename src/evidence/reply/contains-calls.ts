import { jsonEqual } from '../../base/match/json-equal.ts';
import { isJsonObject, type Json } from '../../base/model/json.ts';
import { tryParseJson } from '../../base/model/parse-json.ts';
import type { RecordedToolCall } from '../../base/model/reply.ts';

/**
 * Whether a list of calls holds those of another report: the same tools with the same arguments, one group behind the other.
 * The calls of a group were made at the same time, so their order says nothing. Arguments that one side does not report
 * may be those of the other.
 */
export function containsCalls(
  calls: readonly RecordedToolCall[],
  groups: readonly (readonly RecordedToolCall[])[],
): boolean {
  let start = 0;
  for (const group of groups) {
    const end = placeGroup(calls, group, start);
    if (end === undefined) return false;
    start = end;
  }
  return true;
}

/** Where the calls of a group end, from `start` on. Of several, those whose arguments are known on both sides choose first. */
function placeGroup(
  calls: readonly RecordedToolCall[],
  group: readonly RecordedToolCall[],
  start: number,
): number | undefined {
  const taken = new Set<number>();
  let end = start;
  let open = group;
  for (const fits of group.length === 1 ? [mayBeEqual] : [haveEqualArguments, mayBeEqual]) {
    open = open.filter((call) => {
      for (let place = start; place < calls.length; place++) {
        const { tool, input } = calls[place]!;
        if (tool !== call.tool || taken.has(place) || !fits(input, call.input)) continue;
        taken.add(place);
        end = Math.max(end, place + 1);
        return false;
      }
      return true;
    });
  }
  return open.length === 0 ? end : undefined;
}

function haveEqualArguments(one: Json | undefined, other: Json | undefined): boolean {
  return one !== undefined && other !== undefined && jsonEqual(plainArguments(one), plainArguments(other));
}

function mayBeEqual(one: Json | undefined, other: Json | undefined): boolean {
  return one === undefined || other === undefined || haveEqualArguments(one, other);
}

/** The same arguments in other words: a text that holds JSON, and nothing at all. */
function plainArguments(input: Json): Json {
  const value = typeof input === 'string' ? parsed(input) : input;
  const isEmpty = value === null || value === '' || (isJsonObject(value) && Object.keys(value).length === 0);
  return isEmpty ? null : value;
}

function parsed(text: string): Json {
  if (!/^\s*[[{]/.test(text)) return text.trim() === 'null' ? null : text;
  return tryParseJson(text) ?? text;
}
