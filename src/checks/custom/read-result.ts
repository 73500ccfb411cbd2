import type { AssertionOutcome } from '../../base/model/evidence.ts';
import type { Json } from '../../base/model/json.ts';
import { answerOutcome, readJudgeAnswer, type JudgeAnswer } from '../judge-answer.ts';
import { judgeFailed } from '../unmeasured.ts';

/** What an evaluator returned: a score, true or false, or an object with `score`. Anything else is an error. */
export function readResult(returned: unknown, name: string, threshold: number): AssertionOutcome {
  const who = `the evaluator \`${name}\``;
  const read = readAnswer(returned, threshold);
  return typeof read === 'string'
    ? judgeFailed(`${who} returned something that cannot be used: ${read}`)
    : answerOutcome(read, who);
}

function readAnswer(returned: unknown, threshold: number): JudgeAnswer | string {
  if (typeof returned === 'boolean') return readJudgeAnswer({ score: returned ? 1 : 0 });
  if (typeof returned === 'number')
    return Number.isFinite(returned) ? readJudgeAnswer({ score: returned }) : nothingUseful(String(returned));
  if (typeof returned !== 'object' || returned === null || Array.isArray(returned))
    return nothingUseful(describe(returned));
  try {
    const { score } = returned as { readonly score?: unknown };
    // JSON would make null of NaN.
    if (typeof score === 'number' && !Number.isFinite(score))
      return `\`score\` must be a number, but is ${score}`;
    return readJudgeAnswer(JSON.parse(JSON.stringify(returned)) as Json, threshold);
  } catch (error) {
    return `it is not plain data: ${(error as Error).message}`;
  }
}

function nothingUseful(what: string): string {
  return `${what}; return a number from 0 to 1, true or false, or an object with \`score\``;
}

function describe(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'string' ? `the text ${JSON.stringify(value.slice(0, 60))}` : `a ${typeof value}`;
}
