import { isJsonObject, ownValue, type Json, type JsonObject } from '../../model/json.ts';
import { JudgingProblem } from './judging-problem.ts';

/** The parts of a judge's answer. Texts that are missing are empty; what decides must be there. */
export function objectIn(answer: Json | undefined, what: string): JsonObject {
  if (isJsonObject(answer)) return answer;
  throw new JudgingProblem(`the judge's answer is no verdict: ${what} must be an object`, 'judge');
}

export function textIn(answer: JsonObject, key: string): string {
  const value = ownValue(answer, key);
  return typeof value === 'string' ? value : '';
}

export function textsIn(answer: JsonObject, key: string): readonly string[] {
  const value = ownValue(answer, key);
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string' && item.trim() !== '') : [];
}

/** Clamped: a judge that says 12 of 10 means 10. */
export function numberIn(
  answer: JsonObject,
  key: string,
  { max, what }: { readonly max: number; readonly what: string },
): number {
  const value = ownValue(answer, key);
  if (typeof value === 'number' && Number.isFinite(value)) return Math.min(max, Math.max(0, value));
  throw new JudgingProblem(
    `the judge's answer is no verdict: ${what} has no number under \`${key}\``,
    'judge',
  );
}
