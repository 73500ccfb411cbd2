import type { Json } from '../../base/model/json.ts';
import { parseStrictJson } from '../../base/model/parse-strict-json.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { JudgeRequest } from '../contract/judge.ts';
import { ANSWER_RETRIES, type Judge } from './judge.ts';
import type { MockJudgeConfig } from './judge-config.ts';
import { JudgeError } from './judge-error.ts';

/** A judge with fixed replies. Like any other, it is called again if its reply cannot be used. */
export function createMockJudge({ name, response, replies }: MockJudgeConfig): Judge {
  const answers: readonly Json[] = replies ?? (response === undefined ? [] : [response]);
  if (answers.length === 0)
    throw new JudgeError('judge_setup', `the judge "${name}" needs \`response\` or \`replies\``);
  let next = 0;
  const nextAnswer = (): Json => answers[Math.min(next++, answers.length - 1)]!;
  return {
    name,
    async assess(request) {
      let problem = '';
      for (let attempt = 0; attempt <= ANSWER_RETRIES; attempt++) {
        const read = readMockAnswer(nextAnswer(), request);
        if ('answer' in read) return { answer: read.answer, model: 'mock', cost_usd: 0, isCached: false };
        ({ problem } = read);
      }
      throw new JudgeError('judge_answer', `the judge "${name}" gave no usable reply: ${problem}`);
    },
    async ask() {
      const answer = nextAnswer();
      return { text: typeof answer === 'string' ? answer : printJson(answer), cost_usd: 0 };
    },
  };
}

function readMockAnswer(
  given: Json,
  { check }: JudgeRequest,
): { readonly answer: Json } | { readonly problem: string } {
  let answer = given;
  try {
    if (typeof given === 'string') answer = parseStrictJson(given);
  } catch (error) {
    return { problem: `it is not JSON: ${(error as Error).message}` };
  }
  const problem = check(answer);
  return problem === undefined ? { answer } : { problem };
}
