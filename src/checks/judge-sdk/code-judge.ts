import { printJson } from '../../base/model/print-json.ts';
import { readScore } from '../../base/model/score.ts';
import type { CodeJudgeInput, CodeJudgeResult } from './judge-types.ts';
import { runScript } from './run-script.ts';

export type CodeJudgeHandler = (input: CodeJudgeInput) => CodeJudgeResult | Promise<CodeJudgeResult>;

/** Turns a function into a `code_judge` script: reads what Assay sends, calls the function, and prints the result. */
export function defineCodeJudge(judge: CodeJudgeHandler): Promise<void> {
  return runScript(async (input) => {
    const result = await judge(input);
    const score: unknown = result?.score;
    if (typeof score !== 'number' || readScore(score) === undefined)
      throw new Error(`a judge must return { score } with a number from 0 to 1, not ${String(score)}`);
    return printJson(result);
  });
}
