import type { AssertionOutcome } from '../model/evidence.ts';
import { isJsonObject, ownValue, type Json, type JsonObject } from '../model/json.ts';
import { describe } from '../schema/values.ts';

/** What a script or a model said of a reply: `{ score, hits?, misses?, reasoning?, details? }`. */
export interface JudgeAnswer {
  readonly score: number;
  readonly hits: readonly string[];
  readonly misses: readonly string[];
  readonly reasoning?: string | undefined;
  readonly details?: Json | undefined;
  /** The score as it came, when it was outside 0..1. */
  readonly clampedFrom?: number | undefined;
}

/** Reads an answer strictly. A text says what is wrong with it. */
export function readJudgeAnswer(answer: Json): JudgeAnswer | string {
  if (!isJsonObject(answer)) return `the answer must be an object with \`score\`, but is ${describe(answer)}`;
  const score = ownValue(answer, 'score');
  if (score === undefined) return 'the answer has no `score`';
  if (typeof score !== 'number' || !Number.isFinite(score))
    return `\`score\` must be a number, but is ${describe(score)}`;
  const hits = readTexts(answer, 'hits');
  const misses = readTexts(answer, 'misses');
  const reasoning = ownValue(answer, 'reasoning') ?? undefined;
  if (typeof hits === 'string') return hits;
  if (typeof misses === 'string') return misses;
  if (reasoning !== undefined && typeof reasoning !== 'string')
    return `\`reasoning\` must be text, but is ${describe(reasoning)}`;
  const clamped = Math.min(1, Math.max(0, score));
  return {
    score: clamped,
    hits,
    misses,
    reasoning,
    details: ownValue(answer, 'details') ?? undefined,
    clampedFrom: clamped === score ? undefined : score,
  };
}

function readTexts(answer: JsonObject, key: string): readonly string[] | string {
  const value = ownValue(answer, key) ?? [];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value as readonly string[];
  return `\`${key}\` must be a list of texts`;
}

/** The answer as an outcome; a score that had to be clamped is said. */
export function answerOutcome(
  { score, hits, misses, reasoning, details, clampedFrom }: JudgeAnswer,
  judge: string,
): AssertionOutcome {
  const words = reasoning ?? `${judge} gave ${score}`;
  const clamped =
    clampedFrom === undefined ? undefined : `${judge} gave ${clampedFrom}, which counts as ${score}`;
  return {
    score,
    message: clamped === undefined ? words : `${words} (${clamped})`,
    hits,
    misses,
    ...(details === undefined ? {} : { details }),
    ...(clamped === undefined ? {} : { warning: { code: 'score_clamped', message: clamped } }),
  };
}
