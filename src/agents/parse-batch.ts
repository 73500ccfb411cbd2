import { isJsonObject } from '../base/model/json.ts';
import { DuplicateKeyError, parseStrictJson } from '../base/model/parse-strict-json.ts';
import { AgentError, type RawReply } from './contract.ts';
import { mixedOutput } from '../evidence/reply/reply-warning.ts';

/** The answers of a batch by test id: one line of JSON each. */
export function parseBatch({
  text,
  printed,
}: {
  readonly text: string;
  readonly printed: string;
}): ReadonlyMap<string, RawReply> {
  const answers = new Map<string, RawReply>();
  const lines = text.split('\n');
  const others = lines.filter((line) => !isObject(line) && line.trim() !== '').join('\n');
  const beside =
    others === '' ? { printed } : { printed: `${others}\n${printed}`, warning: mixedOutput(others, '') };
  if (!lines.some(isObject)) throw new AgentError('contract', 'the batch has no line of JSON', { printed });
  for (const [index, line] of lines.entries()) {
    if (!isObject(line)) continue;
    const value = parseBatchLine(line, index + 1);
    if (answers.has(value.id))
      throw new AgentError(
        'contract',
        `line ${index + 1} of the batch repeats the id ${JSON.stringify(value.id)}`,
      );
    answers.set(value.id, { reply: value, ...beside });
  }
  return answers;
}

/** Programs print other lines too. One that starts like an object must be an answer. */
function isObject(line: string): boolean {
  return line.trimStart().startsWith('{');
}

function parseBatchLine(line: string, number: number): { readonly id: string } & Record<string, never> {
  let value: unknown;
  try {
    value = parseStrictJson(line);
  } catch (error) {
    const problem = error instanceof DuplicateKeyError ? 'cannot be read' : 'is not JSON';
    throw new AgentError('contract', `line ${number} of the batch ${problem}: ${(error as Error).message}`);
  }
  if (!isJsonObject(value as never) || typeof (value as { id?: unknown }).id !== 'string') {
    throw new AgentError('contract', `line ${number} of the batch is not an object with an \`id\``);
  }
  return value as { readonly id: string } & Record<string, never>;
}
