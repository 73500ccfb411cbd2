import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import type { TokenUsage } from '../../base/model/reply.ts';
import type { AskedCall, Entry } from '../entry.ts';
import { numberAt, objectAt, readArguments, readOutput, textAt, valueAt } from '../foreign-fields.ts';
import { countAt, inclusiveUsage, sinceTotal } from '../provider-usage.ts';
import { traceOfEntries } from '../trace-of-entries.ts';
import type { Trace } from '../trace.ts';
import { withFailure, withEarlyEnd } from '../unfinished-trace.ts';
import { eventDialect } from './dialect.ts';
import { unknownEntry } from './pieces.ts';

/** What `codex exec --json` prints. */
export const CODEX_EVENTS = eventDialect({ name: 'Codex events', isMarked, read: readEvents });

function isMarked(event: JsonObject): boolean {
  const type = textAt(event, 'type') ?? '';
  if (type === 'thread.started') return textAt(event, 'thread_id') !== undefined;
  return ITEM.test(type) && textAt(objectAt(event, 'item'), 'type') !== undefined;
}

const ITEM = /^item\.(started|updated|completed)$/;

function readEvents(events: readonly JsonObject[]): Trace {
  const start = events.findLastIndex((event) => textAt(event, 'type') === 'turn.started') + 1;
  const turn = events.slice(start);
  const end = turn.findLast((event) => /^turn\.(completed|failed)$/.test(textAt(event, 'type') ?? ''));
  const items = lastItems(turn);
  const thread = events.find((event) => textAt(event, 'type') === 'thread.started');
  const trace: Trace = {
    ...traceOfEntries(readItems(items)),
    token_usage: usageOf(end, events.slice(0, start)),
    session_id: textAt(thread, 'thread_id'),
    tool_aliases: SHELLS,
  };
  const ended =
    end === undefined ? withEarlyEnd(trace, { at: 'the events', form: 'the turn did not end' }) : trace;
  const error = turn.findLast((event) => ['turn.failed', 'error'].includes(textAt(event, 'type') ?? ''));
  const isFailed = error !== undefined && (end === undefined || end === error);
  // Text before the last call is not the answer.
  const isAnswered = textAt(items.at(-1), 'type') === 'agent_message';
  return isFailed
    ? withFailure(isAnswered ? ended : { ...ended, output: undefined }, errorText(error))
    : ended;
}

/** Each is a `command_execution` in the events. */
export const SHELLS = {
  exec_command: 'shell',
  shell_command: 'shell',
  local_shell: 'shell',
  'container.exec': 'shell',
};

function errorText(event: JsonObject): string {
  return textAt(objectAt(event, 'error'), 'message') ?? textAt(event, 'message') ?? 'the turn failed';
}

/** An item comes when it starts and again when it is done: the last counts, at the first's place. */
function lastItems(turn: readonly JsonObject[]): readonly JsonObject[] {
  const items = new Map<string, JsonObject>();
  for (const event of turn) {
    const item = objectAt(event, 'item');
    if (item === undefined) continue;
    items.set(textAt(item, 'id') ?? `item ${items.size}`, item);
  }
  return [...items.values()];
}

export function readItems(items: readonly JsonObject[]): readonly Entry[] {
  return items.flatMap((item, index): readonly Entry[] => {
    const type = textAt(item, 'type') ?? '';
    if (type === 'agent_message') return [{ kind: 'assistant', text: textAt(item, 'text') ?? '', calls: [] }];
    if (UNSAID.has(type)) return [];
    const call = readCall(item, type);
    return call === undefined
      ? [unknownEntry(`item ${index}`, item)]
      : [{ kind: 'assistant', calls: [call] }];
  });
}

const UNSAID: ReadonlySet<string> = new Set(['reasoning', 'todo_list', 'error']);

function readCall(item: JsonObject, type: string): AskedCall | undefined {
  const id = textAt(item, 'id');
  const status = statusOf(item);
  switch (type) {
    case 'command_execution': {
      const output = readOutput(valueAt(item, 'aggregated_output'));
      const result = status === undefined ? undefined : { output, status };
      return { tool: 'shell', id, input: { command: ownValue(item, 'command') ?? null }, result };
    }
    case 'file_change':
      return {
        tool: 'apply_patch',
        id,
        input: { changes: ownValue(item, 'changes') ?? null },
        result: status && { status },
      };
    case 'web_search':
      return {
        tool: 'web_search',
        id,
        input: { query: ownValue(item, 'query') ?? null },
        executed_by: 'provider',
      };
    case 'mcp_tool_call':
    case 'collab_tool_call': {
      const tool = textAt(item, 'tool');
      if (tool === undefined) return undefined;
      const server = textAt(item, 'server');
      const result = status && { output: resultOf(item), status };
      const input = readArguments(valueAt(item, 'arguments')) ?? (type === 'mcp_tool_call' ? {} : item);
      return { tool: server === undefined ? tool : `mcp__${server}__${tool}`, id, input, result };
    }
    default:
      return undefined;
  }
}

function statusOf(item: JsonObject): 'ok' | 'error' | undefined {
  const status = textAt(item, 'status');
  const code = numberAt(item, 'exit_code');
  if (status === 'failed' || status === 'declined' || (code !== undefined && code !== 0)) return 'error';
  return status === 'completed' || code === 0 ? 'ok' : undefined;
}

/** What an MCP server gave back: its texts, or the error. */
function resultOf(item: JsonObject): Json | undefined {
  const error = objectAt(item, 'error');
  if (error !== undefined) return textAt(error, 'message') ?? error;
  const result = valueAt(item, 'result');
  const content = isJsonObject(result) ? ownValue(result, 'content') : undefined;
  if (!isJsonList(content)) return readOutput(result);
  const texts = content.map((part) => textAt(part, 'text'));
  return texts.includes(undefined) ? content : readOutput(texts.join(''));
}

/** The figures of a turn are totals of its thread, also when it was resumed. */
function usageOf(end: JsonObject | undefined, earlier: readonly JsonObject[]): TokenUsage | undefined {
  const total = codexUsage(objectAt(end, 'usage'));
  const before = earlier.findLast((event) => textAt(event, 'type') === 'turn.completed');
  const known = codexUsage(objectAt(before, 'usage'));
  return total === undefined || known === undefined ? total : sinceTotal(total, known);
}

/** `input_tokens` includes tokens read from a cache, and `output_tokens` the reasoning. */
export function codexUsage(usage: JsonObject | undefined): TokenUsage | undefined {
  return inclusiveUsage({
    prompt: countAt(usage, 'input_tokens'),
    cached: countAt(usage, 'cached_input_tokens'),
    output: countAt(usage, 'output_tokens'),
    reasoning: countAt(usage, 'reasoning_output_tokens'),
  });
}
