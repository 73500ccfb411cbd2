import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { TokenUsage } from '../../base/model/reply.ts';
import { addUsage } from '../../base/model/usage.ts';
import type { Entry } from '../entry.ts';
import {
  listAt,
  objectAt,
  readArguments,
  readOutput,
  textAt,
  valueAt,
  objectsAt,
} from '../foreign-fields.ts';
import { aiSdkUsage, countAt, inclusiveUsage } from '../provider-usage.ts';
import { traceOfEntries } from '../trace-of-entries.ts';
import type { Trace } from '../trace.ts';
import { withEarlyEnd, withFailure, withGap } from '../unfinished-trace.ts';
import { CAMEL_CHAT_MESSAGES } from './camel-chat-messages.ts';
import { eventDialect } from './dialect.ts';

/** The events of an agent that speaks AG-UI, and the chunks of `chat` of TanStack AI, which are the same. */
export const AG_UI_EVENTS = eventDialect({ name: 'an AG-UI event stream', isMarked, read: readEvents });

function isMarked(event: JsonObject): boolean {
  const type = textAt(event, 'type') ?? '';
  if (type === 'RUN_STARTED' || type === 'RUN_FINISHED') return 'runId' in event || 'threadId' in event;
  if (type === 'RUN_ERROR') return textAt(event, 'message') !== undefined;
  return /^(?:TEXT_MESSAGE_\w+|TOOL_CALL_\w+)$/.test(type) && ('messageId' in event || 'toolCallId' in event);
}

interface OpenCall {
  readonly id: string;
  readonly by: string | undefined;
  tool: string;
  input: string;
  isWhole: boolean;
  result: Json | undefined;
  isFailed: boolean;
}

function readEvents(events: readonly JsonObject[]): Trace {
  const entries: Entry[] = [];
  const calls = new Map<string, OpenCall>();
  const texts = new Map<string, { text: string; readonly by: string | undefined }>();
  const names = new Map<string, string>();
  const usages: (TokenUsage | undefined)[] = [];
  const models = new Set<string>();
  const order: (() => Entry)[] = [];
  let last: { readonly text: string } | undefined;
  let unknown: string | undefined;
  for (const event of events) {
    const type = textAt(event, 'type') ?? '';
    const by = textAt(event, 'subagentRunId');
    const model = textAt(objectAt(objectAt(event, 'metadata'), 'tanstack') ?? event, 'model');
    if (model !== undefined) models.add(model);
    switch (type) {
      case 'TEXT_MESSAGE_START':
      case 'TEXT_MESSAGE_CONTENT':
      case 'TEXT_MESSAGE_CHUNK': {
        const role = textAt(event, 'role') ?? 'assistant';
        if (role !== 'assistant') break;
        const id = textAt(event, 'messageId') ?? [...texts.keys()].at(-1) ?? '';
        const message = texts.get(id) ?? { text: '', by };
        if (!texts.has(id)) {
          texts.set(id, message);
          order.push(() => ({
            kind: 'assistant',
            text: message.text,
            calls: [],
            ...speaker(message.by, names),
          }));
          if (by === undefined) last = message;
        }
        message.text += textAt(event, 'delta') ?? '';
        break;
      }
      case 'TOOL_CALL_START':
      case 'TOOL_CALL_ARGS':
      case 'TOOL_CALL_CHUNK':
      case 'TOOL_CALL_END': {
        const id = textAt(event, 'toolCallId') ?? [...calls.keys()].at(-1) ?? '';
        let call = calls.get(id);
        if (call === undefined) {
          const begun: OpenCall = {
            id,
            by,
            tool: '',
            input: '',
            isWhole: false,
            result: undefined,
            isFailed: false,
          };
          call = begun;
          calls.set(id, begun);
          order.push(() => callEntry(begun, names));
        }
        call.tool ||= textAt(event, 'toolCallName', 'toolName') ?? '';
        call.input += textAt(event, 'delta') ?? '';
        if (type === 'TOOL_CALL_END') {
          call.isWhole = true;
          call.result ??= valueAt(event, 'result');
          const input = valueAt(event, 'input');
          if (call.input === '' && isJsonObject(input)) call.input = printJson(input);
        }
        break;
      }
      case 'TOOL_CALL_RESULT': {
        const call = calls.get(textAt(event, 'toolCallId') ?? '');
        if (call === undefined) unknown ??= 'the result of a call that was not seen';
        else {
          call.result = contentText(valueAt(event, 'content')) ?? '';
          call.isFailed = valueAt(event, 'error') !== undefined || textAt(event, 'state') === 'error';
        }
        break;
      }
      case 'SUBAGENT_STARTED':
        if (by !== undefined)
          names.set(by, textAt(event, 'name', 'agentName', 'subagentName') ?? 'sub-agent');
        break;
      case 'RUN_FINISHED':
        usages.push(...usagesOf(event));
        for (const usage of objectsAt(event, 'usage')) models.add(textAt(usage, 'model') ?? 'unknown');
        break;
      default:
        if (!KNOWN.test(type)) unknown ??= `an unknown event \`${type}\``;
    }
  }
  for (const entry of order) entries.push(entry());
  const snapshot = events.findLast((event) => textAt(event, 'type') === 'MESSAGES_SNAPSHOT');
  const isStreamed = calls.size > 0 || texts.size > 0;
  const said = isStreamed
    ? traceOfEntries(entries)
    : traceOfEntries(CAMEL_CHAT_MESSAGES.read(listAt(snapshot, 'messages') ?? [], 'the snapshot'));
  const trace: Trace = {
    ...said,
    ...(last === undefined ? {} : { output: last.text }),
    token_usage: addUsage(usages.filter((usage) => usage !== undefined)),
    ...(usages.some((usage) => usage === undefined) && usages.some((usage) => usage !== undefined)
      ? { usage_complete: false }
      : {}),
    models: models.size === 0 ? undefined : [...models],
  };
  const known = unknown === undefined ? trace : withGap(trace, { at: 'the stream', form: unknown });
  const error = events.find((event) => textAt(event, 'type') === 'RUN_ERROR');
  if (error !== undefined) {
    const message = textAt(error, 'message') ?? 'an error';
    return withFailure(withEarlyEnd(known, { at: 'the stream', form: message }), message);
  }
  // TanStack ends a run for each call of the model: one more follows after a result.
  const isWhole =
    textAt(
      events.findLast((event) => ENDS.test(textAt(event, 'type') ?? '')),
      'type',
    ) === 'RUN_FINISHED';
  const outcome = textAt(objectAt(events.at(-1), 'outcome'), 'type');
  if (outcome === 'cancelled')
    return withEarlyEnd(known, { at: 'the stream', form: 'the run was cancelled' });
  return isWhole ? known : withEarlyEnd(known, { at: 'the stream', form: 'it ended early' });
}

const ENDS = /^(?:RUN_FINISHED|TEXT_MESSAGE_\w+|TOOL_CALL_\w+)$/;

const KNOWN =
  /^(?:RUN_STARTED|RUN_ERROR|TEXT_MESSAGE_END|STATE_\w+|MESSAGES_SNAPSHOT|ACTIVITY_\w+|CUSTOM|RAW|STEP_\w+|REASONING_\w+|THINKING_\w+|SUBAGENT_\w+)$/;

/** Text, or parts with text. */
function contentText(content: Json | undefined): Json | undefined {
  if (!isJsonList(content)) return content;
  const texts = content.map((part) => textAt(part, 'text'));
  return texts.includes(undefined) ? content : texts.join('');
}

function speaker(by: string | undefined, names: ReadonlyMap<string, string>) {
  return by === undefined ? {} : { isSub: true, agent: names.get(by) ?? 'sub-agent' };
}

function callEntry(call: OpenCall, names: ReadonlyMap<string, string>): Entry {
  const result =
    call.result === undefined
      ? {}
      : {
          result: { output: readOutput(call.result), ...(call.isFailed ? { status: 'error' as const } : {}) },
        };
  const asked = { tool: call.tool || 'unknown', id: call.id, input: readArguments(call.input), ...result };
  return { kind: 'assistant', calls: [asked], ...speaker(call.by, names) };
}

/** AG-UI lists them by model, TanStack has one for each call. */
function usagesOf(event: JsonObject): readonly (TokenUsage | undefined)[] {
  const listed = objectsAt(event, 'usage');
  if (listed.length > 0) return listed.map(aiSdkUsage);
  const usage = objectAt(event, 'usage');
  return [
    inclusiveUsage({
      prompt: countAt(usage, 'promptTokens'),
      cached: countAt(objectAt(usage, 'promptTokensDetails'), 'cachedTokens'),
      output: countAt(usage, 'completionTokens'),
      reasoning: countAt(objectAt(usage, 'completionTokensDetails'), 'reasoningTokens'),
    }),
  ];
}
