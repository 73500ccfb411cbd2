import type { AssertionOutcome } from '../model/evidence.ts';
import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../model/json.ts';
import { readScore } from '../model/score.ts';
import { describe } from '../schema/values.ts';

/** The verdict of a script or a model on a reply: `{ score, hits?, misses?, reasoning?, details? }`. */
export interface JudgeAnswer {
  readonly score: number;
  readonly hits: readonly string[];
  readonly misses: readonly string[];
  readonly reasoning?: string | undefined;
  readonly details?: Json | undefined;
}

/** Reads a reply strictly. A string says what is wrong with it. */
export function readJudgeAnswer(answer: Json): JudgeAnswer | string {
  if (!isJsonObject(answer)) return `the answer must be an object with \`score\`, but is ${describe(answer)}`;
  const given = ownValue(answer, 'score');
  if (given === undefined) return 'the answer has no `score`';
  if (typeof given !== 'number' || !Number.isFinite(given))
    return `\`score\` must be a number, but is ${describe(given)}`;
  const score = readScore(given);
  if (score === undefined) return `\`score\` must be from 0 to 1, but is ${given}`;
  const hits = readTexts(answer, 'hits');
  const misses = readTexts(answer, 'misses');
  const reasoning = ownValue(answer, 'reasoning') ?? undefined;
  if (typeof hits === 'string') return hits;
  if (typeof misses === 'string') return misses;
  if (reasoning !== undefined && typeof reasoning !== 'string')
    return `\`reasoning\` must be text, but is ${describe(reasoning)}`;
  return { score, hits, misses, reasoning, details: ownValue(answer, 'details') ?? undefined };
}

function readTexts(answer: JsonObject, key: string): readonly string[] | string {
  const value = ownValue(answer, key) ?? [];
  if (isJsonList(value) && value.every((item) => typeof item === 'string')) return value;
  return `\`${key}\` must be a list of texts`;
}

/** The answer as an outcome. */
export function answerOutcome(
  { score, hits, misses, reasoning, details }: JudgeAnswer,
  judge: string,
): AssertionOutcome {
  const message = reasoning ?? `${judge} gave ${score}`;
  return { score, message, hits, misses, ...(details === undefined ? {} : { details }) };
}
