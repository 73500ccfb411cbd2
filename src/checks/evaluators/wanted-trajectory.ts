import { parseFieldPath, valueAtFieldPath } from '../../base/match/field-path.ts';
import type { ExpectedCall } from '../../base/match/trajectory/calls.ts';
import { isJsonObject, ownValue, setOwn, type Json } from '../../base/model/json.ts';
import type { CallRule, UnwantedPart, RequiredCall } from '../../base/model/reply-requirements.ts';
import type { Wanted } from '../contract/assertion-kind.ts';
import { countNames } from '../count-names.ts';
import { callBreaks, requiredInput } from '../required-input.ts';
import type { TrajectoryParameters } from './trajectory-parameters.ts';

/** What calls satisfy a trajectory, and which of them would break it. */
export function wantedTrajectory(parameters: TrajectoryParameters): Wanted {
  const { mode, expected = [], minimums = {}, isParallel } = parameters;
  const isOrdered = mode === 'exact' || mode === 'in_order';
  const calls: RequiredCall[] = expected.map((call) => ({ ...wantedCall(call), isOrdered }));
  for (const [tool, least] of Object.entries(minimums))
    for (
      let made = calls.filter((call) => call.tool === tool).length;
      made < Math.min(least, MOST_CALLS);
      made++
    )
      calls.push({ tool });
  const rule = callRule(parameters);
  return {
    calls,
    tools_used: rule.sequence,
    // Calls of one message may come in another order than the one in which they are listed.
    call_rule: {
      ...rule,
      ...(isParallel ? { sequence: undefined, order: undefined } : {}),
      calls: mode === 'subset' ? undefined : calls,
    },
    unwanted: unwantedCalls(parameters),
    matcher_breaks: calls.flatMap(callBreaks),
  };
}

function wantedCall({ tool, args, argsMatch }: ExpectedCall): RequiredCall {
  if (args === undefined || argsMatch === 'ignore') return { tool };
  if (Array.isArray(argsMatch)) return { tool, ...requiredInput(onlyPaths(args, argsMatch)), isDeep: true };
  return {
    tool,
    ...requiredInput(args),
    isExact: argsMatch === 'exact',
    isDeep: argsMatch === 'deep_partial',
    isMost: argsMatch === 'subset',
  };
}

/** The arguments without what is not compared. A list is kept whole when one of its items is. */
function onlyPaths(args: Json, paths: readonly string[]): Json {
  const kept: Record<string, Json> = {};
  for (const path of paths) {
    const segments = parseFieldPath(path)!;
    const whole = segments.findIndex((segment) => typeof segment === 'number');
    const keys = (whole === -1 ? segments : segments.slice(0, whole)).map(String);
    const value = valueAtFieldPath(args, keys);
    if (value === undefined || keys.length === 0) continue;
    let inner = kept;
    for (const key of keys.slice(0, -1)) {
      const next = ownValue(inner, key);
      const object = isJsonObject(next) ? { ...next } : {};
      setOwn(inner, key, object);
      inner = object;
    }
    setOwn(inner, keys.at(-1)!, value);
  }
  return kept;
}

/** More calls than that are not made, whatever a limit says. */
export const MOST_CALLS = 2000;

function callRule(parameters: TrajectoryParameters): CallRule {
  const { mode, expected, minimums = {}, maximums = {}, forbidden = [], maxCalls } = parameters;
  const names = expected?.map(({ tool }) => tool);
  const isComplete = mode === 'exact' || mode === 'unordered';
  const counts = countNames(names ?? []);
  const wanted = mode === 'subset' ? {} : counts;
  const isLimited = isComplete || (mode === 'subset' && parameters.isCounted);
  return {
    sequence: mode === 'exact' ? names : undefined,
    order: mode === 'in_order' ? names : undefined,
    least: highest(wanted, minimums),
    most: lowest(
      isLimited ? counts : {},
      lowest(maximums, Object.fromEntries(forbidden.map((tool) => [tool, 0]))),
    ),
    most_in_all: isLimited && names !== undefined ? Math.min(names.length, maxCalls ?? Infinity) : maxCalls,
    only: isComplete || mode === 'subset' ? names : undefined,
  };
}

type Counts = Readonly<Record<string, number>>;

function highest(a: Counts, b: Counts): Counts {
  return combine(a, b, Math.max);
}

function lowest(a: Counts, b: Counts): Counts {
  return combine(a, b, Math.min);
}

function combine(a: Counts, b: Counts, choose: (x: number, y: number) => number): Counts {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  const own = (counts: Counts, name: string): number | undefined =>
    Object.hasOwn(counts, name) ? counts[name] : undefined;
  return Object.fromEntries(
    [...names].map((name) => {
      const [x, y] = [own(a, name), own(b, name)];
      return [name, x === undefined ? y! : y === undefined ? x : choose(x, y)];
    }),
  );
}

function unwantedCalls({
  maximums = {},
  forbidden = [],
  maxCalls,
}: TrajectoryParameters): readonly UnwantedPart[] {
  const times = (tool: string, length: number): UnwantedPart => ({
    calls: Array.from({ length: Math.min(length, MOST_CALLS) }, () => ({ tool })),
  });
  return [
    ...forbidden.map((tool) => times(tool, 1)),
    ...Object.entries(maximums).map(([tool, most]) => times(tool, most + 1)),
    ...(maxCalls === undefined ? [] : [times('another_tool', maxCalls + 1)]),
  ];
}
