import type { AssertionOutcome } from '../../base/model/evidence.ts';
import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import type { ScriptResult } from '../contract/script.ts';
import { judgeFailed } from '../unmeasured.ts';

/**
 * The verdict of a program that prints words and no JSON: its exit code, and what it printed is the reason. Undefined: it printed
 * JSON, or failed. Words that contradict the exit code are no verdict.
 */
export function plainVerdict({ exitCode, stdout, stderr }: ScriptResult): AssertionOutcome | undefined {
  const printed = stdout.trim();
  if (exitCode === undefined || /^[[{]/.test(printed)) return undefined;
  if (exitCode !== 0 && stderr.trim() !== '') return undefined;
  if (exitCode === 0 && /^(?:fail(?:ed|ure)?|false|no|error|null|[-+\d.e]+)$/i.test(printed))
    return judgeFailed(
      `the script printed ${JSON.stringify(printed)}, but ended with exit code 0, which means a pass\nexit with 1, or print {"pass": false} or {"score": 0}`,
    );
  const passed = exitCode === 0;
  return { score: passed ? 1 : 0, message: printed === '' ? `exit code ${exitCode}` : printed };
}

/** `pass` or `checks` without a `score`, as a score. */
export function withScore(answer: Json): Json {
  if (!isJsonObject(answer) || Object.hasOwn(answer, 'score')) return answer;
  const checks = ownValue(answer, 'checks');
  if (isJsonList(checks) && checks.length > 0 && checks.every(isCheck)) {
    const scores = checks.map((check) => scoreOf(check as JsonObject));
    const told = (isHit: boolean): readonly Json[] =>
      checks.filter((check) => ((check as JsonObject)['pass'] === true) === isHit).map(textOf);
    const score = scores.reduce((sum, each) => sum + each, 0) / scores.length;
    return { hits: told(true), misses: told(false), ...withReason(answer), score };
  }
  const pass = ownValue(answer, 'pass');
  return typeof pass === 'boolean' && !isJsonList(ownValue(answer, 'assertions'))
    ? { ...withReason(answer), score: pass ? 1 : 0 }
    : answer;
}

function withReason(answer: JsonObject): JsonObject {
  const { reason } = answer;
  return typeof reason === 'string' ? { reasoning: reason, ...answer } : answer;
}

function isCheck(item: Json): boolean {
  return (
    isJsonObject(item) &&
    typeof ownValue(item, 'pass') === 'boolean' &&
    typeof ownValue(item, 'text') === 'string'
  );
}

function scoreOf({ score, pass }: JsonObject): number {
  return typeof score === 'number' ? Math.min(1, Math.max(0, score)) : pass === true ? 1 : 0;
}

function textOf(check: Json): Json {
  return (check as JsonObject)['text']!;
}
