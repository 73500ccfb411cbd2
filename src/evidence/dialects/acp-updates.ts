import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import type { TokenUsage } from '../../base/model/reply.ts';
import type { AskedCall, AssistantEntry, Entry } from '../entry.ts';
import { listAt, numberAt, objectAt, readArguments, readOutput, textAt, valueAt } from '../foreign-fields.ts';
import { countAt, toUsage } from '../provider-usage.ts';
import { traceOfEntries } from '../trace-of-entries.ts';
import type { Trace } from '../trace.ts';
import { withEarlyEnd } from '../unfinished-trace.ts';
import type { Dialect } from './dialect.ts';
import { unknownEntry } from './pieces.ts';

/**
 * One turn of an agent that speaks ACP: the parameters of its `session/update` notifications as they came, and the response to
 * `session/prompt` at the end. Assay adds `at_ms` and, since agents report the cost of the session, the `cost_usd` of the turn.
 */
export const ACP_UPDATES: Dialect = {
  name: 'ACP session updates',
  recognises: (value) => isJsonList(value) && value.length > 0 && value.every(isMarked),
  read: (value) => readTurn(value as readonly JsonObject[]),
};

function isMarked(item: Json): boolean {
  if (textAt(item, 'sessionId') === undefined) return false;
  const update = objectAt(item, 'update');
  return (update === undefined ? textAt(item, 'stopReason') : textAt(update, 'sessionUpdate')) !== undefined;
}

function readTurn(items: readonly JsonObject[]): Trace {
  const end = items.findLast((item) => textAt(item, 'stopReason') !== undefined);
  const turn = new Turn();
  for (const [index, item] of items.entries()) {
    const update = objectAt(item, 'update');
    if (update !== undefined) turn.add(update, { index, ms: numberAt(item, 'at_ms') });
  }
  const usage = objectAt(end, 'usage');
  const read = traceOfEntries(turn.toEntries());
  const trace: Trace = {
    ...read,
    // Some agents report the last model call of a turn alone, and nothing shows which of them do.
    token_usage: usage === undefined || read.tool_calls?.length !== 0 ? undefined : usageOf(usage),
    cost_usd: numberAt(end, 'cost_usd'),
    session_id: textAt(items[0]!, 'sessionId'),
  };
  const stop = end === undefined ? undefined : textAt(end, 'stopReason');
  if (stop === undefined || stop === 'cancelled')
    return withEarlyEnd(trace, { at: 'the updates', form: 'the turn did not end' });
  // The agent reports no message where it only called tools.
  const answered = { ...trace, output: trace.output ?? '', tool_calls: trace.tool_calls ?? [] };
  const whole = trace.gap === undefined ? answered : { ...trace, output: trace.output ?? '' };
  return stop === 'max_tokens' || stop === 'max_turn_requests' ? { ...whole, is_cut: true } : whole;
}

/** What says nothing of answers and tools. */
const SILENT = new Set([
  'user_message_chunk',
  'agent_thought_chunk',
  'plan',
  'plan_update',
  'plan_removed',
  'available_commands_update',
  'current_mode_update',
  'config_option_update',
  'session_info_update',
  'usage_update',
  'notice',
  'compaction_update',
  'compaction_summary_chunk',
]);

interface At {
  readonly index: number;
  readonly ms: number | undefined;
}

/** Updates tell of one call in many pieces; later fields replace earlier ones. */
interface OpenCall {
  fields: JsonObject;
  readonly from: number | undefined;
  to?: number | undefined;
}

class Turn {
  private readonly entries: (
    | Entry
    | { readonly message: { text: string | undefined; calls: OpenCall[] } }
  )[] = [];
  private readonly calls = new Map<string, OpenCall>();

  add(update: JsonObject, at: At): void {
    const kind = textAt(update, 'sessionUpdate')!;
    if (kind === 'agent_message_chunk') this.say(update, at);
    else if (kind === 'tool_call' || kind === 'tool_call_update') this.call(update, at);
    else if (!SILENT.has(kind)) this.entries.push(unknownEntry(`update ${at.index}`, { type: kind }));
  }

  toEntries(): readonly Entry[] {
    return this.entries.map((entry): Entry => {
      if (!('message' in entry)) return entry;
      const { text, calls } = entry.message;
      return { kind: 'assistant', text, calls: calls.map(toCall) } satisfies AssistantEntry;
    });
  }

  private say(update: JsonObject, { index }: At): void {
    const content = objectAt(update, 'content') ?? {};
    const said = textAt(content, 'text');
    if (said === undefined) {
      const isKnown = ['image', 'audio', 'resource_link', 'resource'].includes(textAt(content, 'type') ?? '');
      if (!isKnown) this.entries.push(unknownEntry(`update ${index}`, content));
      return;
    }
    const last = this.entries.at(-1);
    const message = last !== undefined && 'message' in last ? last.message : undefined;
    if (message?.calls.length === 0) message.text = (message.text ?? '') + said;
    else this.entries.push({ message: { text: said, calls: [] } });
  }

  private call(update: JsonObject, { index, ms }: At): void {
    const id = textAt(update, 'toolCallId');
    if (id === undefined) return void this.entries.push(unknownEntry(`update ${index}`, update));
    const status = textAt(update, 'status');
    const isDone = status === 'completed' || status === 'failed';
    const known = this.calls.get(id);
    const fields = withoutNulls(update);
    if (known !== undefined) {
      known.fields = { ...known.fields, ...fields, first: known.fields['first']! };
      if (isDone) known.to = ms;
      return;
    }
    const call: OpenCall = { fields: { ...fields, first: fields }, from: ms, to: isDone ? ms : undefined };
    this.calls.set(id, call);
    const last = this.entries.at(-1);
    if (last !== undefined && 'message' in last) last.message.calls.push(call);
    else this.entries.push({ message: { text: undefined, calls: [call] } });
  }
}

/** In an update, null and an absent field both mean that nothing changed. */
function withoutNulls(update: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(update).filter(([, value]) => value !== null));
}

function toCall({ fields, from, to }: OpenCall): AskedCall {
  const status = textAt(fields, 'status');
  const isDone = status === 'completed' || status === 'failed';
  const output = isDone ? (readOutput(valueAt(fields, 'rawOutput')) ?? contentText(fields)) : undefined;
  return {
    tool: acpToolName(fields),
    id: textAt(fields, 'toolCallId'),
    input: readArguments(valueAt(fields, 'rawInput')),
    asked_ms: from,
    ...(isDone && { result: { output, status: status === 'failed' ? 'error' : 'ok', given_ms: to } }),
  };
}

/**
 * The name of the tool. Few agents fill in `name`: some have it in `_meta` (Claude), some in front of the number of the call
 * (Gemini), and some begin with it as the title (opencode). Without any, the kind stands for it: `execute`, `edit`.
 */
export function acpToolName(call: JsonObject): string {
  const own = textAt(call, 'name') ?? nameInMeta(objectAt(call, '_meta'));
  if (own !== undefined) return own;
  const id = /^([a-z]\w*?)(?:__\1)?[-_]\d{6,}/i.exec(textAt(call, 'toolCallId') ?? '')?.[1];
  const title = textAt(objectAt(call, 'first') ?? call, 'title') ?? '';
  const kind = textAt(call, 'kind');
  return (
    id ??
    (/^[\w.-]+$/.test(title) ? title : kind !== undefined && kind !== 'other' ? kind : title || 'unknown')
  );
}

function nameInMeta(meta: JsonObject | undefined): string | undefined {
  if (meta === undefined) return undefined;
  const own = textAt(meta, 'toolName', 'tool_name');
  if (own !== undefined) return own;
  for (const value of Object.values(meta)) {
    const found = textAt(value, 'toolName', 'tool_name');
    if (found !== undefined) return found;
  }
  return undefined;
}

function contentText(fields: JsonObject): Json | undefined {
  const texts = (listAt(fields, 'content') ?? []).flatMap((item) =>
    isJsonObject(item) ? (textAt(objectAt(item, 'content'), 'text') ?? []) : [],
  );
  return texts.length === 0 ? undefined : readOutput(texts.join(''));
}

/** The counts do not overlap. */
function usageOf(usage: JsonObject | undefined): TokenUsage | undefined {
  const input = countAt(usage, 'inputTokens');
  const output = countAt(usage, 'outputTokens');
  if (input === undefined || output === undefined) return undefined;
  return toUsage({
    input: input + (countAt(usage, 'cachedWriteTokens') ?? 0),
    output,
    cached: countAt(usage, 'cachedReadTokens'),
    reasoning: countAt(usage, 'thoughtTokens'),
  });
}
