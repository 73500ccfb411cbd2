import type { Json, JsonObject } from '../model/json.ts';
import type { ModelResponse } from '../models/call-model.ts';

/**
 * The JSON a judge answered with. The whole answer must be JSON, at most in a code fence: an object somewhere in its
 * prose may be one that the judged text put there.
 */
export async function readAnswer(
  { text, ending }: Pick<ModelResponse, 'text' | 'ending'>,
  schema: JsonObject,
): Promise<{ readonly answer: Json } | { readonly problem: string }> {
  const answer = parse(text.replace(FENCE, '$1'));
  if (answer === undefined) {
    if (ending === 'length') return { problem: 'it was cut before its end (raise `max_tokens`)' };
    return { problem: text.trim() === '' ? `it was empty (it ended with "${ending}")` : 'it is not JSON' };
  }
  const { Ajv } = await import('ajv');
  // One for each answer: it would keep every schema it has seen.
  const ajv = new Ajv({ strict: false });
  if (ajv.validate(schema, answer)) return { answer };
  return { problem: ajv.errorsText(ajv.errors, { dataVar: 'the answer' }) };
}

const FENCE = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?\s*```\s*$/i;

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
