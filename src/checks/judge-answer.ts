import type { AssertionOutcome } from '../base/model/evidence.ts';
import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../base/model/json.ts';
import { readScore } from '../base/model/score.ts';
import { DEFAULT_THRESHOLD, reaches } from '../base/model/threshold.ts';
import { describe } from '../base/schema/values.ts';
import { withMisses } from './with-misses.ts';

/** The verdict of a script or a model on a reply: `{ score, hits?, misses?, reasoning?, details? }`. */
export interface JudgeAnswer {
  readonly score: number;
  readonly hits: readonly string[];
  readonly misses: readonly string[];
  readonly reasoning?: string | undefined;
  readonly details?: Json | undefined;
}

/** Reads a reply strictly. A string says what is wrong with it. `threshold`: the score that passes. */
export function readJudgeAnswer(answer: Json, threshold = DEFAULT_THRESHOLD): JudgeAnswer | string {
  if (!isJsonObject(answer)) return `the answer must be an object with \`score\`, but is ${describe(answer)}`;
  const checks = readChecks(answer);
  const given = Object.hasOwn(answer, 'score') ? ownValue(answer, 'score') : shareOf(checks);
  if (given === undefined) return 'the answer has no `score`';
  if (typeof given !== 'number' || !Number.isFinite(given))
    return `\`score\` must be a number, but is ${describe(given)}`;
  const score = readScore(given);
  if (score === undefined) return `\`score\` must be from 0 to 1, but is ${given}`;
  const contradiction = contradicts(answer, score, threshold);
  if (contradiction !== undefined) return contradiction;
  const hits = readTexts(answer, 'hits', textsOf(checks.filter(({ passed }) => passed)));
  const misses = readTexts(answer, 'misses', textsOf(checks.filter(({ passed }) => !passed)));
  const reasoning = ownValue(answer, 'reasoning') ?? undefined;
  if (typeof hits === 'string') return hits;
  if (typeof misses === 'string') return misses;
  if (reasoning !== undefined && typeof reasoning !== 'string')
    return `\`reasoning\` must be text, but is ${describe(reasoning)}`;
  return { score, hits, misses, reasoning, details: ownValue(answer, 'details') ?? undefined };
}

/** A score beside the words that it failed: one of them is wrong, and nobody knows which. */
function contradicts(answer: JsonObject, score: number, threshold: number): string | undefined {
  const error = ownValue(answer, 'error') ?? false;
  if (error !== false && error !== '')
    return `it has both \`score: ${score}\` and \`error: ${JSON.stringify(error).slice(0, 200)}\`; leave out one of them`;
  for (const [name, negative, positive] of VERDICTS) {
    const said = ownValue(answer, name);
    const isWrong = said === negative ? reaches(score, threshold) : said === positive && score === 0;
    if (isWrong) return `\`${name}: ${String(said)}\` contradicts \`score: ${score}\``;
  }
  return undefined;
}

const VERDICTS = [
  ['passed', false, true],
  ['pass', false, true],
  ['success', false, true],
  ['verdict', 'fail', 'pass'],
  ['verdict', 'failed', 'passed'],
] as const;

interface Check {
  readonly text: string;
  readonly passed: boolean;
}

/** `assertions: [{text, passed}]`, which scripts for newer AgentV releases print. */
function readChecks(answer: JsonObject): readonly Check[] {
  const value = ownValue(answer, 'assertions');
  return isJsonList(value) && value.every(isCheck) ? (value as unknown as readonly Check[]) : [];
}

function isCheck(item: Json): boolean {
  return (
    isJsonObject(item) &&
    typeof ownValue(item, 'text') === 'string' &&
    typeof ownValue(item, 'passed') === 'boolean'
  );
}

function shareOf(checks: readonly Check[]): number | undefined {
  return checks.length === 0 ? undefined : checks.filter(({ passed }) => passed).length / checks.length;
}

function textsOf(checks: readonly Check[]): readonly string[] {
  return checks.map(({ text }) => text);
}

function readTexts(
  answer: JsonObject,
  key: string,
  otherwise: readonly string[],
): readonly string[] | string {
  const value = ownValue(answer, key) ?? otherwise;
  if (isJsonList(value) && value.every((item) => typeof item === 'string')) return value;
  return `\`${key}\` must be a list of strings`;
}

/** The answer as an outcome. */
export function answerOutcome(
  { score, hits, misses, reasoning, details }: JudgeAnswer,
  judge: string,
): AssertionOutcome {
  const message = reasoning ?? withMisses(`${judge} gave ${score}`, misses);
  return { score, message, hits, misses, ...(details === undefined ? {} : { details }) };
}
