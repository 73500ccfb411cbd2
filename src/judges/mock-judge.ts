import type { Json } from '../model/json.ts';
import type { Judge } from './judge.ts';
import type { MockJudgeConfig } from './judge-config.ts';
import { JudgeError } from './judge-error.ts';

/** A judge that says what it was told to say. */
export function createMockJudge({ name, response, replies }: MockJudgeConfig): Judge {
  const answers: readonly Json[] = replies ?? (response === undefined ? [] : [response]);
  if (answers.length === 0)
    throw new JudgeError('judge_setup', `the judge "${name}" needs \`response\` or \`replies\``);
  let next = 0;
  return {
    name,
    assess() {
      const answer = answers[Math.min(next++, answers.length - 1)]!;
      return Promise.resolve({
        answer: typeof answer === 'string' ? parse(answer, name) : answer,
        model: 'mock',
        cost_usd: 0,
        isCached: false,
      });
    },
  };
}

function parse(text: string, name: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new JudgeError('judge_answer', `the judge "${name}" answers with text that is no JSON`);
  }
}
