import type { Assertion } from '../../base/model/assertion.ts';
import { reaches } from '../../base/model/threshold.ts';
import type {
  AssertionOutcome,
  Evidence,
  ExplainedOutcome,
  MeasuredOutcome,
  OutcomeWarning,
} from '../../base/model/evidence.ts';
import { setOwn, type Json, type JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { EvaluationTools } from '../contract/evaluation-tools.ts';
import type { CheckNeeds } from '../contract/check-needs.ts';
import type { Obstacle, PreflightTools } from '../contract/preflight.ts';
import type { AuthoredPrompt } from '../judging/prompt-template.ts';
import { judgeByScript } from '../script-judge.ts';
import { judgeFailed, unmeasured } from '../unmeasured.ts';
import { withMisses } from '../with-misses.ts';
import { judgeByPrompt, preflightPrompt, promptNeeds } from './aggregate-prompt.ts';

export interface Aggregator {
  readonly type: 'weighted_average' | 'threshold' | 'code_judge' | 'llm_judge';
  readonly weights?: Readonly<Record<string, number>>;
  /** What the score of `weighted_average`, or the share of `threshold`, must reach. */
  readonly threshold?: number;
  readonly script?: string | readonly string[];
  readonly prompt?: AuthoredPrompt;
}

/** The result of one of the nested evaluators. */
interface Member {
  readonly assertion: Assertion;
  readonly outcome: ExplainedOutcome;
}

interface MeasuredMember {
  readonly name: string;
  readonly weight: number;
  readonly score: number;
  readonly outcome: Explained;
}

type Explained = MeasuredOutcome & { readonly message: string };

/** Combines several scores into one. If one could not be measured, there is none, unless its weight is 0. */
export async function aggregate(
  members: readonly Member[],
  how: Aggregator,
  context: Context,
): Promise<AssertionOutcome> {
  const measured: MeasuredMember[] = [];
  const failures: string[] = [];
  const unknown: Unknown[] = [];
  let isJudgeToBlame = false;
  for (const { assertion, outcome } of members) {
    const weight = weightOf(assertion.name, how);
    if (!('error' in outcome)) measured.push(toMember(assertion, outcome, weight));
    else if (weight === 0) unknown.push({ name: assertion.name, problem: outcome.error.message });
    else {
      failures.push(`${assertion.name}: ${outcome.error.message}`);
      isJudgeToBlame ||= outcome.error.kind === 'judge';
    }
  }
  if (failures.length > 0) return (isJudgeToBlame ? judgeFailed : unmeasured)(failures.join('; '));
  const results = resultsOf(measured, context.evidence);
  const whole = await AGGREGATIONS[how.type]({
    measured,
    how,
    results,
    tools: context.tools,
  });
  if ('error' in whole) return whole;
  const warnings = [
    ...measured.flatMap(({ outcome }) => outcome.warnings ?? []),
    ...(whole.warnings ?? []),
    ...unknown.map(notMeasured),
  ];
  const isVeto =
    whole.isVeto === true || measured.some(({ weight, outcome }) => weight > 0 && outcome.isVeto === true);
  return {
    ...whole,
    ...(isVeto ? { isVeto } : {}),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(unknown.length === 0
      ? {}
      : {
          misses: [
            ...(whole.misses ?? []),
            ...unknown.map(({ name, problem }) => `${name}: not measured (weight 0), ${problem}`),
          ],
        }),
    details: {
      results: withUnknown(results, unknown),
      ...(whole.details === undefined ? {} : { judge: whole.details }),
    },
  };
}

interface Unknown {
  readonly name: string;
  readonly problem: string;
}

/** It decides nothing, but nobody should take it for measured. */
function notMeasured({ name, problem }: Unknown): OutcomeWarning {
  return {
    code: 'not_measured',
    message: `\`${name}\` could not be measured, and decides nothing because its weight is 0: ${problem}`,
    hint: 'make it measurable, or remove it',
  };
}

/** For people: aggregators get only what was measured. */
function withUnknown(results: JsonObject, unknown: readonly Unknown[]): JsonObject {
  const all: Record<string, Json> = { ...results };
  for (const { name, problem } of unknown) setOwn(all, name, { verdict: 'not measured', reasoning: problem });
  return all;
}

interface Context {
  readonly evidence: Evidence;
  readonly tools: EvaluationTools;
}

/** An evaluator's own `weight` is its weight in a test; here only the aggregator's weights count. */
export function weightOf(name: string, { weights = {} }: Aggregator): number {
  return Object.hasOwn(weights, name) ? weights[name]! : 1;
}

function toMember({ name, negate }: Assertion, outcome: Explained, weight: number): MeasuredMember {
  return {
    name,
    weight,
    score: negate ? 1 - outcome.score : outcome.score,
    outcome,
  };
}

interface Aggregation {
  readonly measured: readonly MeasuredMember[];
  readonly how: Aggregator;
  readonly results: JsonObject;
  readonly tools: EvaluationTools;
}

const AGGREGATIONS: Readonly<
  Record<Aggregator['type'], (aggregation: Aggregation) => AssertionOutcome | Promise<AssertionOutcome>>
> = {
  weighted_average: ({ measured, how }) => mustReach(how.threshold, weightedAverage(measured)),
  threshold: ({ measured, how, results }) => mustReach(how.threshold, passedShare(measured, results)),
  code_judge: ({ how, results, tools }) =>
    judgeByScript({ script: how.script!, stdin: printJson({ results }) }, tools),
  llm_judge: ({ how, results, tools }) => judgeByPrompt(how.prompt, results, tools),
};

/** What would prevent an aggregator from giving a score. */
export async function preflightAggregator(
  { type, script, prompt }: Aggregator,
  tools: PreflightTools,
): Promise<readonly Obstacle[]> {
  if (type === 'code_judge') return tools.findProgram({ script: script! });
  return type === 'llm_judge' ? preflightPrompt(prompt, tools) : [];
}

/** What an aggregator depends on besides the scores. */
export function aggregatorNeeds({ type, script, prompt }: Aggregator): CheckNeeds {
  if (type === 'code_judge') return { programs: [{ script: script! }] };
  return type === 'llm_judge' ? promptNeeds(prompt) : {};
}

function weightedAverage(measured: readonly MeasuredMember[]): Explained {
  const weights = measured.reduce((sum, { weight }) => sum + weight, 0);
  const sum = measured.reduce((total, { weight, score }) => total + weight * score, 0);
  const lines = measured.map(({ name, score, weight, outcome }) => {
    return {
      isWhole: score === 1,
      text: `${name}: ${round(score)}${weight === 1 ? '' : ` (weight ${weight})`}, ${outcome.message}`,
    };
  });
  const score = weights === 0 ? 0 : sum / weights;
  const misses = lines.filter(({ isWhole }) => !isWhole).map(({ text }) => text);
  return {
    score,
    message:
      weights === 0
        ? 'all weights are 0'
        : withMisses(`the weighted average of ${measured.length} evaluators is ${round(score)}`, misses),
    hits: lines.filter(({ isWhole }) => isWhole).map(({ text }) => text),
    misses,
  };
}

/** The share of the evaluators that pass on their own. */
function passedShare(measured: readonly MeasuredMember[], results: JsonObject): Explained {
  const passes = ({ name }: MeasuredMember): boolean => (results[name] as JsonObject)['verdict'] === 'pass';
  const line = ({ name, score, outcome }: MeasuredMember): string =>
    `${name}: ${round(score)}, ${outcome.message}`;
  const passed = measured.filter(passes);
  const misses = measured.filter((member) => !passes(member)).map(line);
  return {
    score: passed.length / measured.length,
    message: withMisses(`${passed.length} of ${measured.length} evaluators pass`, misses),
    hits: passed.map(line),
    misses,
  };
}

function mustReach(threshold: number | undefined, outcome: Explained): Explained {
  if (threshold === undefined || reaches(outcome.score, threshold)) return outcome;
  return {
    ...outcome,
    isVeto: true,
    message: `${outcome.message}, but it must be ${threshold} or more, so the test fails`,
  };
}

/** By name, as aggregators get them. */
function resultsOf(measured: readonly MeasuredMember[], { threshold }: Evidence): JsonObject {
  const results: Record<string, Json> = {};
  for (const { name, score, outcome } of measured) {
    setOwn(results, name, {
      score,
      verdict: outcome.isVeto !== true && reaches(score, threshold) ? 'pass' : 'fail',
      hits: outcome.hits ?? [],
      misses: outcome.misses ?? [],
      reasoning: outcome.message,
    });
  }
  return results;
}

function round(score: number): number {
  return Math.round(score * 1000) / 1000;
}
