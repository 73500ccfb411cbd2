import type { Json, JsonObject } from '../model/json.ts';
import type { Message } from '../model/message.ts';
import { parseJson } from '../model/parse-json.ts';
import { printJson } from '../model/print-json.ts';
import { readScore } from '../model/score.ts';

/** What a `code_judge` script gets on stdin. */
export interface CodeJudgeInput {
  readonly question: string;
  readonly expected_outcome: string;
  readonly reference_answer: string;
  readonly candidate_answer: string;
  readonly input_messages: readonly Message[];
  readonly expected_messages: readonly Message[];
  readonly output_messages: readonly Message[] | null;
  readonly input_files: readonly string[];
  readonly guideline_files: readonly string[];
  readonly memory: JsonObject;
  readonly trace_summary: JsonObject | null;
  /** The evaluator's own keys. */
  readonly config: JsonObject | null;
}

export interface CodeJudgeResult {
  /** 0..1. */
  readonly score: number;
  readonly hits?: readonly string[];
  readonly misses?: readonly string[];
  readonly reasoning?: string;
  readonly details?: Json;
}

/**
 * Makes a `code_judge` script of a function: reads what Assay sends, calls the function, prints what it returns.
 * A function that throws makes the evaluator an error, with the message.
 */
export async function defineCodeJudge(
  judge: (input: CodeJudgeInput) => CodeJudgeResult | Promise<CodeJudgeResult>,
): Promise<void> {
  try {
    const result = await judge(parseJson(await readStdin()) as unknown as CodeJudgeInput);
    const score: unknown = result?.score;
    if (typeof score !== 'number' || readScore(score) === undefined)
      throw new Error(`a judge must return { score } with a number from 0 to 1, not ${String(score)}`);
    process.stdout.write(`${printJson(result)}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  }
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
