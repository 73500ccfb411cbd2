import { jsonDiff } from '../../match/json-diff.ts';
import type { ExpectedCall, Pair } from '../../match/trajectory/calls.ts';
import type { TrajectoryComparison } from '../../match/trajectory/compare-trajectory.ts';
import type { CallDiff } from '../../match/trajectory/diff-calls.ts';
import type { AssertionOutcome, OutcomeWarning } from '../../model/evidence.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import type { RecordedToolCall } from '../../model/reply.ts';
import { unmeasured } from '../unmeasured.ts';

interface Subject {
  readonly mode: string | undefined;
  readonly expected: readonly ExpectedCall[];
  readonly calls: readonly RecordedToolCall[];
  readonly authored: JsonObject;
}

/**
 * The outcome for people: the score, what holds and what does not, and the two lists of calls side by side. When none of the
 * durations that are limited was reported, there is no score.
 */
export function explainTrajectory(comparison: TrajectoryComparison, subject: Subject): AssertionOutcome {
  const { score, diff, limits } = comparison;
  const parts = diff === undefined ? NOTHING : explainDiff(diff, subject);
  const unreported = diff === undefined ? [] : diff.matched.filter((pair) => lacksDuration(pair, subject));
  const isTimed =
    diff !== undefined && [...diff.matched, ...diff.tooSlow].some((pair) => hasDuration(pair, subject));
  const timing = unreported.length === 0 ? undefined : noDuration(unreported, subject);
  if (timing !== undefined && !isTimed) return unmeasured(`${timing.message}\n${timing.hint}`);
  const limitLines = limits.map(({ claim, holds, count }) => ({
    holds,
    text: `${claim} (${count === 1 ? 'called once' : `${count} calls`})`,
  }));
  return {
    score,
    message: describeScore(comparison, subject),
    expected: subject.authored['expected'] ?? subject.authored,
    actual: subject.calls as unknown as Json,
    hits: [...parts.hits, ...limitLines.filter(({ holds }) => holds).map(({ text }) => text)],
    misses: [...parts.misses, ...limitLines.filter(({ holds }) => !holds).map(({ text }) => text)],
    details: {
      ...(subject.mode === undefined ? {} : { mode: subject.mode }),
      ...parts.details,
      ...(unreported.length === 0
        ? {}
        : { duration_not_reported: unreported.map((pair) => entry(pair, subject)) }),
      ...(limits.length === 0
        ? {}
        : { limits: limits.map(({ claim, holds, count }) => ({ claim, holds, count })) }),
    },
    ...(timing === undefined ? {} : { warnings: [timing] }),
  };
}

function describeScore(
  { score, claims, satisfied, diff }: TrajectoryComparison,
  { mode, expected }: Subject,
): string {
  if (score === 1) return 'the tool calls are as expected';
  if (score > 0 || satisfied === 0) return `${satisfied} of ${claims} claims about the tool calls hold`;
  if (mode === 'in_order') return 'none of the expected calls was made in order, so that nothing else counts';
  const extra = diff === undefined ? 0 : diff.extra.length;
  const calls = extra === 1 ? 'call was' : 'calls were';
  return `${extra} ${calls} made beside the ${expected.length} expected, and ${mode} allows none, so that nothing else counts`;
}

interface Explanation {
  readonly hits: readonly string[];
  readonly misses: readonly string[];
  readonly details: JsonObject;
}

const NOTHING: Explanation = { hits: [], misses: [], details: {} };

function explainDiff(diff: CallDiff, subject: Subject): Explanation {
  const { expected, calls, mode } = subject;
  const name = (index: number): string => expected[index]!.tool;
  const toEntry = (pair: Pair): JsonObject => entry(pair, subject);
  const extras = diff.extra.map((index) => `${calls[index]!.tool} was called and is not expected`);
  return {
    hits: diff.matched.map((pair) => `${calls[pair.actual]!.tool} was called`),
    misses: [
      ...diff.missing.map((index) => `${name(index)} was not called`),
      ...diff.outOfOrder.map((pair) => `${name(pair.expected)} was called out of order`),
      ...diff.wrongArguments.map((pair) => `${name(pair.expected)} was called with other arguments`),
      ...diff.tooSlow.map(
        (pair) =>
          `${name(pair.expected)} took ${calls[pair.actual]!.duration_ms} ms, and ${expected[pair.expected]!.maxDurationMs} ms are allowed`,
      ),
      ...(mode === 'in_order' || mode === 'any_order' ? [] : extras),
    ],
    details: {
      matched: diff.matched.map(toEntry),
      missing: diff.missing.map((index) => ({ tool: name(index), expected: index })),
      extra: diff.extra.map((index) => ({ tool: calls[index]!.tool, actual: index })),
      out_of_order: diff.outOfOrder.map(toEntry),
      wrong_arguments: diff.wrongArguments.map((pair) => ({
        ...toEntry(pair),
        differences: argumentDiff(pair, subject),
      })),
      too_slow: diff.tooSlow.map((pair) => ({
        ...toEntry(pair),
        max_duration_ms: expected[pair.expected]!.maxDurationMs!,
        duration_ms: calls[pair.actual]!.duration_ms!,
      })),
    },
  };
}

function entry({ expected, actual }: Pair, { calls }: Subject): JsonObject {
  return { tool: calls[actual]!.tool, expected, actual };
}

function argumentDiff({ expected, actual }: Pair, { expected: all, calls }: Subject): Json {
  const { args = {}, argsMatch } = all[expected]!;
  const { input = {} } = calls[actual]!;
  // Only the first level is partial: a value that is listed is compared whole.
  const listed = argsMatch === 'partial' && isJsonObject(args) && isJsonObject(input);
  const compared = listed
    ? Object.fromEntries(Object.entries(input).filter(([key]) => Object.hasOwn(args, key)))
    : input;
  return jsonDiff(args, compared) as unknown as Json;
}

function lacksDuration(pair: Pair, subject: Subject): boolean {
  return isLimited(pair, subject) && subject.calls[pair.actual]!.duration_ms === undefined;
}

function hasDuration(pair: Pair, subject: Subject): boolean {
  return isLimited(pair, subject) && subject.calls[pair.actual]!.duration_ms !== undefined;
}

function isLimited({ expected }: Pair, { expected: all }: Subject): boolean {
  return all[expected]!.maxDurationMs !== undefined;
}

function noDuration(pairs: readonly Pair[], { expected, calls }: Subject): OutcomeWarning {
  const limits = pairs.map(
    (pair) => `${calls[pair.actual]!.tool} (\`max_duration_ms: ${expected[pair.expected]!.maxDurationMs}\`)`,
  );
  return {
    code: 'no_duration',
    message: `the agent did not report how long it took to call ${[...new Set(limits)].join(', ')}`,
    hint: 'let it report `duration_ms` for each of its `tool_calls`',
    isAboutEvidence: true,
  };
}
