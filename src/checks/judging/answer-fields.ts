import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { JudgingProblem } from './judging-problem.ts';

/** The parts of a judge's reply. Missing texts are empty; what decides must be present. */
export function objectIn(answer: Json | undefined, what: string): JsonObject {
  if (isJsonObject(answer)) return answer;
  throw new JudgingProblem(`the judge's answer is not a verdict: ${what} must be an object`, 'judge');
}

export function textIn(answer: JsonObject, key: string): string {
  const value = ownValue(answer, key);
  return typeof value === 'string' ? value : '';
}

export function textsIn(answer: JsonObject, key: string): readonly string[] {
  const value = ownValue(answer, key);
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string' && item.trim() !== '') : [];
}

/** Never clamped: a judge that gives 3 of 1 uses another scale, and its 3 may be a bad mark. */
export function scoreIn(answer: JsonObject, max: number, rubric?: string): number {
  const value = ownValue(answer, 'score');
  const which = rubric === undefined ? '' : ` of the rubric "${rubric}"`;
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new JudgingProblem(`the \`score\`${which} must be a number`, 'judge');
  if (value >= 0 && value <= max) return value;
  throw new JudgingProblem(`the score${which} is ${value}, but must be from 0 to ${max}`, 'judge');
}
