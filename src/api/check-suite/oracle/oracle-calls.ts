import type { RecordedToolCall } from '../../../base/model/reply.ts';
import type { RequiredCall, ReplyRequirements } from '../../../base/model/reply-requirements.ts';
import { unite } from './unite-calls.ts';

/** Calls that may satisfy all requirements, the shortest lists first. */
export function* callCandidates(
  all: readonly ReplyRequirements[],
): Generator<readonly RecordedToolCall[], void, undefined> {
  const lists = all.flatMap(({ calls = [] }) => (calls.length === 0 ? [] : [calls]));
  const exact = all.find(({ tools_used }) => tools_used !== undefined)?.tools_used;
  // Ordered calls come first: the rest is placed among them.
  const ordered = lists.toSorted((a, b) => Number(isOrdered(b)) - Number(isOrdered(a)));
  const start: readonly RequiredCall[] = (exact ?? []).map((tool) => ({ tool }));
  const isFixed = exact !== undefined;
  yield made(ordered.reduce((calls, list) => insert(calls, list, isFixed), start));
  if (isFixed) return;
  yield made(ordered.toReversed().reduce((calls, list) => insert(calls, list, false), start));
  yield made(lists.flat());
}

function isOrdered(calls: readonly RequiredCall[]): boolean {
  return calls.some((call) => call.isOrdered === true);
}

/** Adds another list of calls: each is merged with a matching call, or is added. */
function insert(
  calls: readonly RequiredCall[],
  list: readonly RequiredCall[],
  isFixed: boolean,
): readonly RequiredCall[] {
  const result = [...calls];
  const taken = new Set<number>();
  let from = 0;
  for (const call of list) {
    const start = call.isOrdered === true ? from : 0;
    const at = result.findIndex(
      (other, index) => index >= start && !taken.has(index) && unite(other, call) !== undefined,
    );
    if (at !== -1) {
      result[at] = unite(result[at]!, call)!;
      taken.add(at);
      if (call.isOrdered === true) from = at + 1;
    } else if (!isFixed) {
      const place = call.isOrdered === true ? from : result.length;
      result.splice(place, 0, call);
      for (const index of [...taken].toSorted((a, b) => b - a))
        if (index >= place) {
          taken.delete(index);
          taken.add(index + 1);
        }
      taken.add(place);
      if (call.isOrdered === true) from = place + 1;
    }
  }
  return result;
}

/** In the form in which an agent reports them. */
function made(calls: readonly RequiredCall[]): readonly RecordedToolCall[] {
  return calls.map(
    ({ isExact: _exact, isDeep: _deep, isMost: _most, isOrdered: _ordered, fits: _fits, ...call }) => call,
  );
}

/** The requirements for all steps together, as what the last step must add to the earlier ones. */
export function leftForLastStep(
  wanted: ReplyRequirements,
  earlier: readonly RecordedToolCall[],
): ReplyRequirements {
  const { calls, tools_used } = wanted;
  if (calls === undefined && tools_used === undefined) return wanted;
  return {
    ...wanted,
    calls: callsWithout(calls ?? [], earlier),
    tools_used:
      tools_used === undefined
        ? undefined
        : callsWithout(
            tools_used.map((tool) => ({ tool })),
            earlier,
          ).map(({ tool }) => tool),
  };
}

function callsWithout(
  wanted: readonly RequiredCall[],
  earlier: readonly RecordedToolCall[],
): readonly RequiredCall[] {
  const left = [...earlier];
  return wanted.filter((call) => {
    const found = left.findIndex((other) => unite(other, call) !== undefined);
    if (found !== -1) left.splice(found, 1);
    return found === -1;
  });
}
