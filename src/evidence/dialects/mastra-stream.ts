import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import { objectAt, textAt } from '../foreign-fields.ts';
import { readAiSdkStream } from './ai-sdk-stream.ts';
import type { Dialect } from './dialect.ts';

/** The chunks of `fullStream` of Mastra: parts as in the AI SDK, each with a `payload`. */
export const MASTRA_STREAM: Dialect = {
  name: 'a Mastra stream',
  recognises: (value) => isJsonList(value) && value.length > 0 && value.every(isChunk),
  read: (value) => readAiSdkStream((value as readonly Json[]).filter(isJsonObject).flatMap(toPart)),
};

function isChunk(chunk: Json): boolean {
  return (
    isJsonObject(chunk) &&
    ['type', 'runId', 'from'].every((name) => textAt(chunk, name) !== undefined) &&
    objectAt(chunk, 'payload') !== undefined
  );
}

function toPart(chunk: JsonObject): readonly JsonObject[] {
  const payload = objectAt(chunk, 'payload') ?? {};
  const type = textAt(chunk, 'type') ?? '';
  const usage = objectAt(objectAt(payload, 'output'), 'usage') ?? {};
  switch (type) {
    case 'step-start':
      return [{ type: 'start-step' }];
    case 'step-finish':
      return [{ type: 'finish-step', usage, response: objectAt(payload, 'metadata') ?? {} }];
    case 'finish':
      return [{ type, totalUsage: usage }];
    default:
      // Calls while they are written come again as a whole.
      return type.startsWith('tool-call-') ? [] : [{ ...payload, type }];
  }
}
