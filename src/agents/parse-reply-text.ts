import { isJsonObject, type JsonObject } from '../model/json.ts';
import { JsonLimitError, parseJson } from '../model/parse-json.ts';
import { AgentError } from './contract.ts';

/**
 * The object that a text is, in JSON. Undefined when it is something else: then the text is the answer itself. JSON that
 * is too deep, or holds numbers too large, throws: as a text it would be judged as an answer that nobody gave.
 */
export function parseReplyText(text: string): JsonObject | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return undefined;
  try {
    const value = parseJson(trimmed);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof JsonLimitError)
      throw new AgentError('limit', `the agent's reply cannot be read: ${error.message}`);
    return undefined;
  }
}
