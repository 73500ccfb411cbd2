import type { Json } from '../../base/model/json.ts';
import { DuplicateKeyError, parseStrictJson } from '../../base/model/parse-strict-json.ts';
import type { ModelResponse } from '../../agents/llm/call-model.ts';
import type { JudgeRequest } from '../contract/judge.ts';

/**
 * The JSON in a judge's reply, or why it cannot be used. The whole reply must be JSON, at most in a code fence: an
 * object somewhere in its prose may come from the judged text.
 */
export async function readAnswer(
  { text, ending }: Pick<ModelResponse, 'text' | 'ending'>,
  { schema, check }: Pick<JudgeRequest, 'schema' | 'check'>,
): Promise<{ readonly answer: Json } | { readonly problem: string }> {
  let answer: Json;
  try {
    answer = parseStrictJson(text.replace(FENCE, '$1'));
  } catch (error) {
    if (error instanceof DuplicateKeyError) return { problem: error.message };
    if (ending === 'length') return { problem: 'it was cut before its end (raise `max_tokens`)' };
    return { problem: text.trim() === '' ? `it was empty (it ended with "${ending}")` : 'it is not JSON' };
  }
  const { Ajv } = await import('ajv');
  // A new one for each reply: a shared one would keep every schema it has seen.
  const ajv = new Ajv({ strict: false });
  if (!ajv.validate(schema, answer))
    return { problem: ajv.errorsText(ajv.errors, { dataVar: 'the answer' }) };
  const problem = check(answer);
  return problem === undefined ? { answer } : { problem };
}

const FENCE = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?\s*```\s*$/i;
