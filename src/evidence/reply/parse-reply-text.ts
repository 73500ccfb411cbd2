import { isJsonObject, type JsonObject } from '../../base/model/json.ts';
import { JsonLimitError, parseJson } from '../../base/model/parse-json.ts';
import { DuplicateKeyError, refuseDuplicateKeys } from '../../base/model/parse-strict-json.ts';
import { AgentError } from './agent-error.ts';
import { hasAnswer, hasReplyField } from './no-answer.ts';

/**
 * The JSON object that a text is. Undefined if it is something else: then the text is the answer itself. JSON that
 * is too deep, or has numbers that are too large, throws: as text it would be judged as an answer that nobody gave.
 * A reply with a duplicate key throws too: it is unclear which one is meant. In a log line that does no harm.
 */
export function parseReplyText(text: string): JsonObject | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return undefined;
  try {
    const value = parseJson(trimmed);
    if (!isJsonObject(value)) return undefined;
    if (hasAnswer(value) || hasReplyField(value)) refuseDuplicateKeys(trimmed);
    return value;
  } catch (error) {
    if (error instanceof JsonLimitError)
      throw new AgentError('limit', `the agent's reply cannot be read: ${error.message}`);
    if (error instanceof DuplicateKeyError)
      throw new AgentError('contract', `the agent's reply cannot be read: ${error.message}`);
    return undefined;
  }
}
