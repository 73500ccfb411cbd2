import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import type { AskedCall, Entry } from '../entry.ts';
import { listAt, numberAt, objectAt, readOutput, textAt, valueAt } from '../foreign-fields.ts';
import { type MessageDialect, eachMessage } from './dialect.ts';
import { assistantEntries, NOTHING, readPieces, unknownEntry, userEntries, type Piece } from './pieces.ts';

/** Messages of Genkit, and the chunks of its stream: parts with one key each, `toolRequest` and `toolResponse` among them. */
export const GENKIT_MESSAGES: MessageDialect = {
  name: 'Genkit messages',
  recognises: (messages) => messages.some(isMarked),
  read: (messages, at) => eachMessage(readMessage)(withoutPartial(messages), at),
};

function isMarked(message: Json): boolean {
  if (!isJsonObject(message)) return false;
  const parts = (listAt(message, 'content') ?? []).filter(isJsonObject);
  const role = textAt(message, 'role');
  if (role === 'tool') return parts.some((part) => objectAt(part, 'toolResponse') !== undefined);
  if (role !== 'model' || parts.length === 0) return false;
  return (
    parts.some((part) => objectAt(part, 'toolRequest') !== undefined) || parts.every((part) => 'text' in part)
  );
}

/** A call that streams comes again and again, each time with more of its input: the last counts. */
function withoutPartial(messages: readonly Json[]): readonly Json[] {
  const seen = new Set<string>();
  const last = messages.toReversed().map((message) => {
    if (!isJsonObject(message) || numberAt(message, 'index') === undefined) return message;
    const content = (listAt(message, 'content') ?? []).filter((part) => {
      const request = objectAt(part, 'toolRequest');
      if (request === undefined) return true;
      const key = `${numberAt(message, 'index')} ${textAt(request, 'ref') ?? textAt(request, 'name') ?? ''}`;
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew;
    });
    return { ...message, content };
  });
  return last.reverse();
}

function readMessage(message: JsonObject, at: string): readonly Entry[] {
  const pieces = readPieces(ownValue(message, 'content'), `${at}.content`, readPart);
  const chunk = numberAt(message, 'index');
  switch (textAt(message, 'role')) {
    case 'model':
      return assistantEntries(pieces, chunk === undefined ? {} : { id: `chunk ${chunk}` });
    case 'user':
      return userEntries(pieces);
    case 'tool':
      return [...pieces.results, ...pieces.unknown];
    case 'system':
      return [{ kind: 'system', text: pieces.text ?? '' }];
    default:
      return [unknownEntry(at, message)];
  }
}

function readPart(part: JsonObject): Piece | undefined {
  const request = objectAt(part, 'toolRequest');
  if (request !== undefined) return readRequest(request);
  const response = objectAt(part, 'toolResponse');
  if (response !== undefined)
    return {
      result: {
        id: textAt(response, 'ref'),
        tool: textAt(response, 'name'),
        output: readOutput(valueAt(response, 'output')),
      },
    };
  const text = textAt(part, 'text');
  if (text !== undefined) return { text };
  return ['media', 'reasoning', 'data', 'custom', 'resource'].some((key) => key in part)
    ? NOTHING
    : undefined;
}

function readRequest(request: JsonObject): Piece | undefined {
  const tool = textAt(request, 'name');
  const call: AskedCall = { tool: tool ?? '', id: textAt(request, 'ref'), input: valueAt(request, 'input') };
  return tool === undefined ? undefined : { call };
}
