import type { ExpectedCall } from '../../match/trajectory/calls.ts';
import type { CallRule, UnwantedPart, WantedCall, WantedReply } from '../../model/wanted-reply.ts';
import type { TrajectoryParameters } from './tool-trajectory.ts';

/** What calls satisfy a trajectory, and which of them would break it. */
export function wantedTrajectory(
  parameters: TrajectoryParameters,
  expected: readonly ExpectedCall[] | undefined,
): WantedReply {
  const { mode, minimums = {} } = parameters;
  const isOrdered = mode === 'exact' || mode === 'in_order';
  const calls: WantedCall[] = (expected ?? []).map(({ tool, args, argsMatch }) => ({
    tool,
    ...(args === undefined || argsMatch === 'ignore' ? {} : { input: args, isExact: argsMatch === 'exact' }),
    isOrdered,
  }));
  for (const [tool, least] of Object.entries(minimums))
    for (
      let made = calls.filter((call) => call.tool === tool).length;
      made < Math.min(least, MOST_CALLS);
      made++
    )
      calls.push({ tool });
  const rule = callRule(parameters, expected);
  return {
    about: ['tools'],
    calls,
    tools_used: rule.sequence,
    call_rule: { ...rule, calls: mode === 'subset' ? undefined : calls },
    unwanted: unwantedCalls(parameters),
  };
}

/** More calls than that are not made, whatever a limit says. */
export const MOST_CALLS = 2000;

function callRule(
  { mode, minimums = {}, maximums = {}, forbidden = [], max_calls }: TrajectoryParameters,
  expected: readonly ExpectedCall[] | undefined,
): CallRule {
  const names = expected?.map(({ tool }) => tool);
  const isComplete = mode === 'exact' || mode === 'unordered';
  const wanted = names === undefined || mode === 'subset' ? {} : countOf(names);
  return {
    sequence: mode === 'exact' ? names : undefined,
    order: mode === 'in_order' ? names : undefined,
    least: highest(wanted, minimums),
    most: lowest(
      isComplete ? wanted : {},
      lowest(maximums, Object.fromEntries(forbidden.map((tool) => [tool, 0]))),
    ),
    most_in_all:
      isComplete && names !== undefined ? Math.min(names.length, max_calls ?? Infinity) : max_calls,
    only: isComplete || mode === 'subset' ? names : undefined,
  };
}

type Counts = Readonly<Record<string, number>>;

function countOf(names: readonly string[]): Counts {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}

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
  max_calls,
}: TrajectoryParameters): readonly UnwantedPart[] {
  const times = (tool: string, length: number): UnwantedPart => ({
    calls: Array.from({ length: Math.min(length, MOST_CALLS) }, () => ({ tool })),
  });
  return [
    ...forbidden.map((tool) => times(tool, 1)),
    ...Object.entries(maximums).map(([tool, most]) => times(tool, most + 1)),
    ...(max_calls === undefined ? [] : [times('another_tool', max_calls + 1)]),
  ];
}
