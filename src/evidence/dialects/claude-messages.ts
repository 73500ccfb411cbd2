import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { TokenUsage } from '../../base/model/reply.ts';
import type { Entry } from '../entry.ts';
import { listAt, numberAt, objectAt, textAt, timeAt } from '../foreign-fields.ts';
import { anthropicUsage, countAt, sinceTotal, toUsage } from '../provider-usage.ts';
import { traceOfEntries } from '../trace-of-entries.ts';
import type { Trace } from '../trace.ts';
import { withEarlyEnd } from '../unfinished-trace.ts';
import { readBlock } from './anthropic-messages.ts';
import type { Dialect } from './dialect.ts';
import { assistantEntries, readPieces, unknownEntry, userEntries } from './pieces.ts';

/**
 * The messages of the Claude Agent SDK, which are also what Claude Code prints: all of them with `stream-json`, the last one
 * alone with `json`. The last one tells nothing of tools.
 */
export const CLAUDE_MESSAGES: Dialect = {
  name: 'Claude Agent SDK messages',
  recognises: (value) => (isJsonList(value) ? value.some(isMarked) : isJsonObject(value) && isResult(value)),
  read: (value) =>
    isJsonList(value) ? readMessages(value.filter(isJsonObject)) : readResult(value as JsonObject),
};

function isMarked(message: Json): boolean {
  if (!isJsonObject(message)) return false;
  const type = textAt(message, 'type');
  const isSaid = (type === 'assistant' || type === 'user') && 'session_id' in message;
  return (isSaid && objectAt(message, 'message') !== undefined) || isResult(message);
}

function isResult(message: JsonObject): boolean {
  return (
    textAt(message, 'type') === 'result' &&
    (textAt(message, 'subtype') !== undefined || 'is_error' in message) &&
    ['session_id', 'num_turns', 'total_cost_usd', 'usage'].some((name) => name in message)
  );
}

/** Of a session with several turns, the last. */
function readMessages(messages: readonly JsonObject[]): Trace {
  const results = messages.filter(isResult);
  const last = results.at(-1);
  const end = last === undefined ? messages.length : messages.lastIndexOf(last);
  const before = results.at(-2);
  const turn = messages.slice(before === undefined ? 0 : messages.indexOf(before) + 1, end);
  const said = traceOfEntries(readTurn(turn));
  const session = messages.find((message) => textAt(message, 'session_id') !== undefined);
  if (last === undefined) {
    return {
      ...withEarlyEnd(said, { at: 'the stream', form: 'it ended without a result' }),
      // The usage in a message was written before the message was complete.
      ...(said.token_usage === undefined ? {} : { usage_complete: false }),
      session_id: textAt(session, 'session_id'),
    };
  }
  const { usage_complete: _, ...trace } = said;
  const told = readResult(last, before);
  return {
    ...trace,
    ...told,
    output: told.output ?? (told.failure === undefined ? trace.output : undefined),
    models: told.models ?? trace.models,
    token_usage: told.token_usage ?? trace.token_usage,
    model_calls: modelCalls(turn),
  };
}

/** What a message does not say is left out, so that it hides nothing. */
function readResult(result: JsonObject, before?: JsonObject): Trace {
  const structured = ownValue(result, 'structured_output');
  const text = textAt(result, 'result');
  const isError =
    ownValue(result, 'is_error') === true || textAt(result, 'subtype')?.startsWith('error') === true;
  const output = structured === undefined || structured === null ? text : printJson(structured);
  const models = Object.keys(objectAt(result, 'modelUsage') ?? {});
  const told: Trace = {
    output: isError ? undefined : output,
    token_usage: usageOf(result, before),
    models: models.length === 0 ? undefined : models,
    usage_by_model: models.length > 1 ? usageByModel(result, before) : undefined,
    cost_usd: costOf(result, before),
    duration_ms: numberAt(result, 'duration_ms'),
    time_to_first_token_ms: numberAt(result, 'ttft_ms'),
    session_id: textAt(result, 'session_id'),
    failure: isError ? failureOf(result) : undefined,
  };
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
}

function failureOf(result: JsonObject): string {
  const errors = (listAt(result, 'errors') ?? []).filter((error) => typeof error === 'string');
  return (
    [textAt(result, 'result') ?? '', ...errors].filter(Boolean).join('\n') ||
    (textAt(result, 'subtype') ?? 'an error')
  );
}

/** `usage` is that of the main conversation, `modelUsage` that of the whole session with its sub-agents. */
function usageOf(result: JsonObject, before: JsonObject | undefined): TokenUsage | undefined {
  const since = sumModels(objectAt(result, 'model_usage_since_last_result'));
  if (since !== undefined) return since;
  const all = sumModels(objectAt(result, 'modelUsage'));
  const earlier = sumModels(objectAt(before, 'modelUsage'));
  if (all === undefined || earlier === undefined) return all ?? anthropicUsage(objectAt(result, 'usage'));
  return isRunning(result, before!) ? sinceTotal(all, earlier) : all;
}

/** Whether totals continue from the previous turn. Some versions restart at 0 when a session is resumed. */
function isRunning(result: JsonObject, before: JsonObject): boolean {
  const all = sumModels(objectAt(result, 'modelUsage'));
  const earlier = sumModels(objectAt(before, 'modelUsage'));
  const main = anthropicUsage(objectAt(result, 'usage'));
  if (all === undefined || earlier === undefined || main === undefined) return true;
  // A turn uses no less than its main conversation.
  return all.input - earlier.input >= main.input && all.output - earlier.output >= main.output;
}

/** Undefined: the figures are sums over earlier turns too. */
function usageByModel(result: JsonObject, before: JsonObject | undefined): Trace['usage_by_model'] {
  const models = objectAt(result, 'model_usage_since_last_result') ?? objectAt(result, 'modelUsage') ?? {};
  if (before !== undefined && !Object.hasOwn(result, 'model_usage_since_last_result')) return undefined;
  const usages = Object.entries(models).map(([name, usage]) => [name, sumModels({ [name]: usage })] as const);
  return usages.some(([, usage]) => usage === undefined)
    ? undefined
    : (Object.fromEntries(usages) as Record<string, TokenUsage>);
}

/** `total_cost_usd` is that of the whole session, also of the turns before a resumed one. */
function costOf(result: JsonObject, before: JsonObject | undefined): number | undefined {
  const since = objectAt(result, 'model_usage_since_last_result');
  const costs = Object.values(since ?? {}).map((each) => numberAt(each, 'costUSD'));
  if (costs.length > 0 && costs.every((cost) => cost !== undefined))
    return costs.reduce((sum, cost) => sum + cost, 0);
  const total = numberAt(result, 'total_cost_usd');
  const earlier = numberAt(before, 'total_cost_usd');
  if (total === undefined || earlier === undefined) return total;
  return total >= earlier && isRunning(result, before!) ? total - earlier : total;
}

function sumModels(models: JsonObject | undefined): TokenUsage | undefined {
  const all = Object.values(models ?? {}).filter(isJsonObject);
  const sum = (name: string): number => all.reduce((total, each) => total + (countAt(each, name) ?? 0), 0);
  if (!all.some((each) => countAt(each, 'inputTokens') !== undefined)) return undefined;
  return toUsage({
    input: sum('inputTokens') + sum('cacheCreationInputTokens'),
    output: sum('outputTokens'),
    cached: sum('cacheReadInputTokens'),
    ...(all.some((each) => 'thinkingTokens' in each) ? { reasoning: sum('thinkingTokens') } : {}),
  });
}

function modelCalls(turn: readonly JsonObject[]): number | undefined {
  const ids = turn.flatMap((message) => textAt(objectAt(message, 'message'), 'id') ?? []);
  return ids.length === 0 ? undefined : new Set(ids).size;
}

function readTurn(turn: readonly JsonObject[]): readonly Entry[] {
  const agents = subAgents(turn);
  return turn.flatMap((message, index): readonly Entry[] => {
    const type = textAt(message, 'type') ?? '';
    const inner = objectAt(message, 'message');
    const at = `the list[${index}]`;
    if (type !== 'assistant' && type !== 'user') {
      return EVENTS.has(type) ? [] : [{ ...unknownEntry(at, message), mayHoldCall: inner !== undefined }];
    }
    if (inner === undefined) return [unknownEntry(at, message)];
    const pieces = readPieces(ownValue(inner, 'content'), `${at}.message.content`, readBlock);
    const parent = textAt(message, 'parent_tool_use_id');
    const isSub = parent !== undefined;
    if (type === 'assistant') {
      const asked_ms = timeAt(message, 'timestamp');
      const calls = pieces.calls.map((call) => ({ ...call, asked_ms }));
      return assistantEntries(
        { ...pieces, calls },
        {
          id: textAt(inner, 'id'),
          model: textAt(inner, 'model'),
          usage: anthropicUsage(objectAt(inner, 'usage')),
          ...(isSub ? { isSub, agent: agents.get(parent) ?? 'sub-agent' } : {}),
        },
      );
    }
    // Claude marks a result only when it is an error.
    const given_ms = timeAt(message, 'timestamp');
    const results = pieces.results.map((result) => {
      return { ...result, status: result.status ?? ('ok' as const), given_ms };
    });
    const isOwn = isSub || ownValue(message, 'isSynthetic') === true;
    return userEntries({ ...pieces, results }).map((entry) =>
      entry.kind === 'user' && isOwn ? { ...entry, isContext: true } : entry,
    );
  });
}

/** The name of each sub-agent, by the call that started it. */
function subAgents(turn: readonly JsonObject[]): ReadonlyMap<string, string> {
  const blocks = turn.flatMap((message) => listAt(objectAt(message, 'message'), 'content') ?? []);
  return new Map(
    blocks.flatMap((block) => {
      if (!isJsonObject(block)) return [];
      const id = textAt(block, 'id');
      const name = textAt(objectAt(block, 'input'), 'subagent_type');
      return id === undefined || name === undefined ? [] : [[id, name] as const];
    }),
  );
}

/** Messages outside the conversation. */
const EVENTS: ReadonlySet<string> = new Set([
  'system',
  'result',
  'stream_event',
  'tool_progress',
  'tool_use_summary',
  'auth_status',
  'rate_limit_event',
  'prompt_suggestion',
  'keep_alive',
  'control_request',
  'control_response',
  'control_cancel_request',
]);
