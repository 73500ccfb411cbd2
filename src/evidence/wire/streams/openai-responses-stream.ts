import { isJsonObject, type Json, type JsonObject } from '../../../model/json.ts';
import type { AssembledStream } from '../apis/model-api.ts';
import { describeError } from '../describe-error.ts';
import { listAt, numberAt, objectAt, textAt } from '../../foreign-fields.ts';
import { objectsAt } from '../objects-at.ts';

/** The last event has the whole response. Some servers leave its `output` empty: then the earlier items count. */
export function assembleResponsesStream(events: readonly JsonObject[]): AssembledStream {
  let response: JsonObject = {};
  let isComplete = false;
  let failure: string | undefined;
  const items = new Map<number, JsonObject>();
  for (const event of events) {
    response = objectAt(event, 'response') ?? response;
    switch (event['type']) {
      case 'response.completed':
      case 'response.incomplete':
        isComplete = true;
        break;
      case 'response.failed':
      case 'response.cancelled':
        failure = describeError(response['error'] ?? textAt(event, 'type') ?? 'an error');
        break;
      case 'error':
        failure = describeError(event['error'] ?? event);
        break;
      default:
        collectItem(items, event);
    }
  }
  const collected = [...items].sort(([one], [other]) => one - other).map(([, item]) => item);
  const whole = listAt(response, 'output') ?? [];
  return { body: { ...response, output: whole.length > 0 ? whole : collected }, isComplete, failure };
}

function collectItem(items: Map<number, JsonObject>, event: JsonObject): void {
  const index = numberAt(event, 'output_index');
  if (index === undefined) return;
  const item = items.get(index) ?? {};
  switch (event['type']) {
    case 'response.output_item.added':
    case 'response.output_item.done':
      items.set(index, objectAt(event, 'item') ?? item);
      break;
    case 'response.function_call_arguments.delta':
      items.set(index, { ...item, arguments: joined(item['arguments'], event['delta']) });
      break;
    case 'response.function_call_arguments.done':
      items.set(index, { ...item, arguments: event['arguments'] ?? item['arguments'] ?? '' });
      break;
    case 'response.custom_tool_call_input.delta':
      items.set(index, { ...item, input: joined(item['input'], event['delta']) });
      break;
    case 'response.output_text.delta':
      items.set(index, withText(item, event, 'output_text'));
      break;
    case 'response.refusal.delta':
      items.set(index, withText(item, event, 'refusal'));
      break;
  }
}

function withText(item: JsonObject, event: JsonObject, type: 'output_text' | 'refusal'): JsonObject {
  const content: Json[] = objectsAt(item, 'content').slice();
  const index = Math.min(numberAt(event, 'content_index') ?? 0, content.length);
  const part = content[index];
  const key = type === 'refusal' ? 'refusal' : 'text';
  const before = isJsonObject(part) ? part[key] : '';
  content[index] = { type, [key]: joined(before, event['delta']) };
  return { type: 'message', role: 'assistant', ...item, content };
}

function joined(before: Json | undefined, delta: Json | undefined): string {
  return (typeof before === 'string' ? before : '') + (typeof delta === 'string' ? delta : '');
}
