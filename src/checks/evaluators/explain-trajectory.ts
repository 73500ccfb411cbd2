import { describeDifference } from '../../base/match/describe-difference.ts';
import type { JsonDifference } from '../../base/match/json-diff.ts';
import type { ExpectedCall, Pair } from '../../base/match/trajectory/calls.ts';
import { argumentDifferences } from '../../base/match/trajectory/compare-arguments.ts';
import {
  breaksUpperLimit,
  type TrajectoryComparison,
} from '../../base/match/trajectory/compare-trajectory.ts';
import type { CallDiff } from '../../base/match/trajectory/diff-calls.ts';
import type { AssertionOutcome, OutcomeWarning } from '../../base/model/evidence.ts';
import type { Json, JsonObject } from '../../base/model/json.ts';
import type { RecordedToolCall } from '../../base/model/reply.ts';
import { plainCalls } from '../made-calls.ts';
import { unmeasured } from '../unmeasured.ts';
import { withMisses } from '../with-misses.ts';
import { shownTrajectory } from './shown-trajectory.ts';
import type { AuthoredTrajectory } from './trajectory-fields.ts';

interface Subject {
  readonly mode: string | undefined;
  readonly expected: readonly ExpectedCall[];
  readonly calls: readonly RecordedToolCall[];
  readonly authored: AuthoredTrajectory;
  /** The calls of one message may come in any order, but the messages of these calls are not known. */
  readonly lacksMessages: boolean;
}

/**
 * The outcome for people: the score, what holds and what does not, and the two lists of calls side by side. When none of the
 * durations that are limited was reported, there is no score.
 */
export function explainTrajectory(comparison: TrajectoryComparison, subject: Subject): AssertionOutcome {
  const { score, diff, limits } = comparison;
  if (diff !== undefined && score === 1 && limits.length === 0 && isPlain(diff, subject))
    return keptTrajectory(diff, subject);
  const parts = diff === undefined ? nothing(subject) : explainDiff(diff, subject);
  const unreported = diff === undefined ? [] : diff.matched.filter((pair) => lacksDuration(pair, subject));
  const isTimed =
    diff !== undefined && [...diff.matched, ...diff.tooSlow].some((pair) => hasDuration(pair, subject));
  const timing = unreported.length === 0 ? undefined : noDuration(unreported, subject);
  const isVeto = breaksUpperLimit(comparison);
  if (timing !== undefined && !isTimed && !isVeto) return unmeasured(`${timing.message}\n${timing.hint}`);
  const limitLines = limits.map(({ claim, holds, count }) => ({
    holds,
    text: `${claim} (${count === 1 ? 'called once' : `${count} calls`})`,
  }));
  const warnings = [
    ...(timing === undefined ? [] : [timing]),
    ...(subject.lacksMessages && score < 1 ? [NO_MESSAGES] : []),
  ];
  const misses = [...parts.misses, ...limitLines.filter(({ holds }) => !holds).map(({ text }) => text)];
  const { details } = parts;
  if (unreported.length > 0)
    details['duration_not_reported'] = unreported.map((pair) => entry(pair, subject));
  if (limits.length > 0)
    details['limits'] = limits.map(({ claim, holds, count }) => ({ claim, holds, count }));
  return {
    score,
    ...(isVeto ? { isVeto } : {}),
    message: `${withMisses(describeScore(comparison, subject), score === 1 ? [] : misses)}${isVeto ? VETO : ''}`,
    expected:
      score === 1
        ? (subject.authored.expected ?? subject.authored)
        : shownTrajectory(subject.authored, subject.calls, diff),
    actual: plainCalls(subject.calls),
    hits: [...parts.hits, ...limitLines.filter(({ holds }) => holds).map(({ text }) => text)],
    misses,
    details,
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

/** Every call has its pair, and nothing is limited. */
function isPlain({ matched }: CallDiff, { expected, calls }: Subject): boolean {
  const isPaired = matched.length === expected.length && matched.length === calls.length;
  return isPaired && expected.every(({ maxDurationMs }) => maxDurationMs === undefined);
}

/** The same as for any other trajectory, without looking for what is wrong: V8 takes long to compile all of that. */
function keptTrajectory({ matched }: CallDiff, subject: Subject): AssertionOutcome {
  const { authored, calls, mode } = subject;
  return {
    score: 1,
    message: 'the tool calls are as expected',
    expected: authored.expected!,
    actual: plainCalls(calls),
    hits: matched.map((pair) => hit(pair, subject)),
    misses: [],
    details: {
      mode: mode!,
      matched: matched.map((pair) => entry(pair, subject)),
      missing: [],
      extra: [],
      out_of_order: [],
      wrong_arguments: [],
      too_slow: [],
    },
  };
}

function describeScore(
  { score, claims, satisfied, diff }: TrajectoryComparison,
  { mode, expected }: Subject,
): string {
  if (score === 1) return 'the tool calls are as expected';
  if (score > 0 || satisfied === 0) return `${satisfied} of ${claims} claims about the tool calls pass`;
  if (mode === 'in_order') return 'none of the expected calls was made in order, so nothing else counts';
  const extra = diff === undefined ? 0 : diff.extra.length;
  const calls = extra === 1 ? 'call was' : 'calls were';
  return `${extra} ${calls} made in addition to the ${expected.length} expected, but ${mode} allows none, so nothing else counts`;
}

const VETO = '; a tool was called more often than it may be, so the test fails at any score';

interface Explanation {
  readonly hits: readonly string[];
  readonly misses: readonly string[];
  /** Others are added to it: an object made of others costs several times as much. */
  readonly details: Record<string, Json>;
}

function nothing({ mode }: Subject): Explanation {
  return { hits: [], misses: [], details: mode === undefined ? {} : { mode } };
}

function explainDiff(diff: CallDiff, subject: Subject): Explanation {
  const { expected, calls, mode } = subject;
  const name = (index: number): string => expected[index]!.tool;
  return {
    hits: diff.matched.map((pair) => hit(pair, subject)),
    misses: [
      ...diff.missing.map((index) => `${name(index)} was not called`),
      ...diff.wrongTool.map(
        (pair) => `${calls[pair.actual]!.tool} was called instead of ${name(pair.expected)}`,
      ),
      ...diff.outOfOrder.map((pair) => `${name(pair.expected)} was called out of order`),
      ...diff.wrongArguments.map(
        (pair) => `${name(pair.expected)} was called ${describeArguments(pair, subject)}`,
      ),
      ...diff.tooSlow.map(
        (pair) =>
          `${name(pair.expected)} took ${calls[pair.actual]!.duration_ms} ms, but the limit is ${expected[pair.expected]!.maxDurationMs} ms`,
      ),
      ...(mode === 'in_order' || mode === 'any_order' ? [] : explainExtras(diff.extra, subject)),
    ],
    details: diffDetails(diff, subject),
  };
}

function diffDetails(diff: CallDiff, subject: Subject): Record<string, Json> {
  const { expected, calls, mode } = subject;
  const toEntry = (pair: Pair): JsonObject => entry(pair, subject);
  const details: Record<string, Json> = mode === undefined ? {} : { mode };
  details['matched'] = diff.matched.map(toEntry);
  details['missing'] = diff.missing.map((index) => ({ tool: expected[index]!.tool, expected: index }));
  details['extra'] = diff.extra.map((index) => ({ tool: calls[index]!.tool, actual: index }));
  details['out_of_order'] = diff.outOfOrder.map(toEntry);
  details['wrong_arguments'] = diff.wrongArguments.map((pair) => ({
    ...toEntry(pair),
    differences: argumentDiff(pair, subject) as unknown as Json,
  }));
  details['too_slow'] = diff.tooSlow.map((pair) => ({
    ...toEntry(pair),
    max_duration_ms: expected[pair.expected]!.maxDurationMs!,
    duration_ms: calls[pair.actual]!.duration_ms!,
  }));
  if (diff.wrongTool.length > 0)
    details['wrong_tool'] = diff.wrongTool.map((pair) => ({
      ...toEntry(pair),
      expected_tool: expected[pair.expected]!.tool,
    }));
  return details;
}

/** A call that is expected, but not as often, is not one that nobody asked for. */
function explainExtras(extra: readonly number[], { expected, calls }: Subject): readonly string[] {
  const wanted = new Set(expected.map(({ tool }) => tool));
  return extra.map((index) => {
    const { tool } = calls[index]!;
    return wanted.has(tool)
      ? `${tool} was called more often than expected`
      : `${tool} was called, but is not expected`;
  });
}

function describeArguments(pair: Pair, subject: Subject): string {
  return subject.calls[pair.actual]!.input === undefined
    ? 'and its arguments were not reported'
    : `with other arguments${describeFirst(argumentDiff(pair, subject))}`;
}

function describeFirst([first, ...others]: readonly JsonDifference[]): string {
  if (first === undefined) return '';
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return `: ${describeDifference(first)}${more}`;
}

function hit({ actual }: Pair, { calls }: Subject): string {
  return `${calls[actual]!.tool} was called`;
}

function entry({ expected, actual }: Pair, { calls }: Subject): JsonObject {
  return { tool: calls[actual]!.tool, expected, actual };
}

function argumentDiff({ expected, actual }: Pair, subject: Subject): readonly JsonDifference[] {
  const { input } = subject.calls[actual]!;
  return input === undefined ? [] : argumentDifferences(subject.expected[expected]!, input);
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

const NO_MESSAGES: OutcomeWarning = {
  code: 'no_messages',
  message: 'the agent did not report in which messages it made its calls, so their order counts',
  hint: 'let it report `output_messages` with the `tool_calls` of each message',
  isAboutEvidence: true,
};

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
