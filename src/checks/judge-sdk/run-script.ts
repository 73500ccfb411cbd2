import { parseJson } from '../../base/model/parse-json.ts';
import { addCamelCaseNames } from './camel-case-names.ts';
import type { CodeJudgeInput } from './judge-types.ts';

/** Reads what Assay sends, and prints the result. If it throws, the evaluator is an error with that message. */
export async function runScript(respond: (input: CodeJudgeInput) => Promise<string>): Promise<void> {
  try {
    const input = addCamelCaseNames(parseJson(await readStdin()));
    process.stdout.write(`${await respond(input as unknown as CodeJudgeInput)}\n`);
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
