import type { AssertionOutcome } from '../base/model/evidence.ts';
import type { Json } from '../base/model/json.ts';
import { plainVerdict, withScore } from './agentv/script-answers.ts';
import { lastPrinted } from '../base/model/last-printed.ts';
import { parseStrictJson } from '../base/model/parse-strict-json.ts';
import type { EvaluationTools } from './contract/evaluation-tools.ts';
import type { ScriptRequest, ScriptResult } from './contract/script.ts';
import { answerOutcome, readJudgeAnswer } from './judge-answer.ts';
import { judgeFailed } from './unmeasured.ts';

interface ScriptReading {
  /** The score that passes. */
  readonly threshold?: number;
  /** The program may answer as AgentV 4 and newer read it. */
  readonly isAgentv?: boolean;
}

/** Lets a program judge: JSON in, JSON with a score out. Any other output is an error, never a 0. */
export async function judgeByScript(
  request: ScriptRequest,
  tools: EvaluationTools,
  { threshold, isAgentv = false }: ScriptReading = {},
): Promise<AssertionOutcome> {
  let result: ScriptResult;
  try {
    result = await tools.runScript(request);
  } catch (error) {
    return judgeFailed(`the script could not run: ${(error as Error).message}`);
  }
  const plain = isAgentv ? plainVerdict(result) : undefined;
  if (plain !== undefined) return plain;
  const problem = describeExit(result);
  if (problem !== undefined) return failed(problem, result);
  let answer: Json;
  try {
    answer = parseStrictJson(result.stdout.trim());
  } catch (error) {
    const what =
      result.stdout.trim() === ''
        ? 'the script printed nothing'
        : `the script did not print one JSON object: ${(error as Error).message}`;
    return failed(what, result);
  }
  const read = readJudgeAnswer(isAgentv ? withScore(answer) : answer, threshold);
  return typeof read === 'string'
    ? failed(`the script's answer cannot be used: ${read}`, result)
    : answerOutcome(read, 'the script');
}

function describeExit({ exitCode, signal }: ScriptResult): string | undefined {
  if (exitCode === 0) return undefined;
  return exitCode === undefined
    ? `the script was ended by ${signal ?? 'a signal'}`
    : `the script ended with exit code ${exitCode}`;
}

function failed(what: string, result: ScriptResult): AssertionOutcome {
  return judgeFailed(`${what}${lastPrinted(result)}`);
}
