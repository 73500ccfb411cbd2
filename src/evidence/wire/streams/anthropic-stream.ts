import { isJsonObject, type Json, type JsonObject } from '../../../model/json.ts';
import { parseJson } from '../../../model/parse-json.ts';
import type { AssembledStream } from '../apis/model-api.ts';
import { describeError } from '../describe-error.ts';
import { numberAt, objectAt, textAt } from '../../foreign-fields.ts';

/** Joins the events of a streamed Anthropic message. */
export function assembleAnthropicStream(events: readonly JsonObject[]): AssembledStream {
  let message: JsonObject = {};
  const blocks = new Map<number, Block>();
  let usage: JsonObject = {};
  let stopReason: string | undefined;
  let isStopped = false;
  let failure: string | undefined;
  for (const event of events) {
    switch (event['type']) {
      case 'message_start':
        message = objectAt(event, 'message') ?? {};
        usage = objectAt(message, 'usage') ?? {};
        break;
      case 'content_block_start':
        blocks.set(numberAt(event, 'index') ?? blocks.size, {
          start: objectAt(event, 'content_block') ?? {},
          text: '',
          input: '',
        });
        break;
      case 'content_block_delta':
        extend(blocks.get(numberAt(event, 'index') ?? blocks.size - 1), objectAt(event, 'delta') ?? {});
        break;
      case 'message_delta':
        stopReason = textAt(objectAt(event, 'delta') ?? {}, 'stop_reason') ?? stopReason;
        usage = replaceKnown(usage, objectAt(event, 'usage') ?? {});
        break;
      case 'message_stop':
        isStopped = true;
        break;
      case 'error':
        failure = describeError(event['error'] ?? 'an error');
        break;
    }
  }
  const content = [...blocks].sort(([one], [other]) => one - other).map(([, block]) => finished(block));
  return {
    body: { ...message, content, stop_reason: stopReason ?? null, usage },
    isComplete: isStopped || stopReason !== undefined,
    failure,
  };
}

interface Block {
  readonly start: JsonObject;
  text: string;
  input: string;
}

function extend(block: Block | undefined, delta: JsonObject): void {
  if (block === undefined) return;
  if (delta['type'] === 'text_delta') block.text += textAt(delta, 'text') ?? '';
  if (delta['type'] === 'input_json_delta') block.input += textAt(delta, 'partial_json') ?? '';
}

/** Thinking is left as it began: nothing reads it. */
function finished({ start, text, input }: Block): Json {
  if (start['type'] === 'text') return { ...start, text: (textAt(start, 'text') ?? '') + text };
  return input === '' ? start : { ...start, input: inputOf(input) };
}

/** A model that was cut off, or asked to stream early, may leave half of its JSON: that stays text. */
function inputOf(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** The figures of `message_delta` are sums so far. What it does not know stays. */
function replaceKnown(usage: JsonObject, later: JsonObject): JsonObject {
  const known = Object.entries(later).filter(([, value]) => typeof value === 'number' || isJsonObject(value));
  return { ...usage, ...Object.fromEntries(known) };
}
