import { isJsonList, ownValue, type JsonObject } from '../../base/model/json.ts';
import type { TokenUsage } from '../../base/model/reply.ts';
import { OPENAI_RESPONSE_ITEMS } from '../dialects/openai-response-items.ts';
import type { Entry } from '../entry.ts';
import { listAt, numberAt, objectAt, readOutput, textAt, timeAt, valueAt } from '../foreign-fields.ts';
import { countAt, inclusiveUsage } from '../provider-usage.ts';
import { kept } from './claude-code.ts';
import type { SubConversation } from './conversation.ts';
import { SessionReader } from './session-reader.ts';
import type { RecordedTurn, Recording, RecordingFormat } from './recording.ts';

/**
 * A rollout of Codex: `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`. Everything stands in it several times: as an item of the model's
 * responses, as an event, as a total. The items count; the events count in files that have nothing else.
 */
export const CODEX: RecordingFormat = {
  name: 'codex',
  title: 'a Codex rollout',
  isSpread: true,
  recognises: (values) => values.some(isMarked),
  link(values) {
    const meta = metaOf(values);
    return { key: textAt(meta, 'id', 'session_id'), partOf: parentOf(meta) };
  },
  open: (context) => new CodexReader(context),
};

function isMarked(line: JsonObject): boolean {
  return (
    objectAt(line, 'payload') !== undefined &&
    ['session_meta', 'response_item', 'event_msg', 'turn_context'].includes(textAt(line, 'type') ?? '')
  );
}

function metaOf(values: readonly JsonObject[]): JsonObject {
  const line = values.find((value) => textAt(value, 'type') === 'session_meta') ?? {};
  return objectAt(line, 'payload') ?? {};
}

/** A sub-agent has a file of its own, which names the one that started it. */
function parentOf(meta: JsonObject): string | undefined {
  const spawn = objectAt(objectAt(objectAt(meta, 'source'), 'subagent'), 'thread_spawn');
  return textAt(meta, 'parent_thread_id') ?? textAt(spawn, 'parent_thread_id');
}

class CodexReader extends SessionReader {
  private readonly subs: SubConversation[] = [];
  private meta: JsonObject | undefined;
  private model: string | undefined;
  private hasItems = false;
  private hasUsageRecords = false;
  private lastTotal = '';
  /** Of a file that has had no item yet. */
  private events: {
    readonly entries: readonly Entry[];
    readonly line: number;
    readonly at_ms: number | undefined;
    readonly isItem: boolean;
  }[] = [];
  /** Of the file of a sub-agent. */
  private partCounts = { total: '', hasRecords: false };
  protected read(value: JsonObject, line: number): void {
    const payload = objectAt(value, 'payload') ?? {};
    const at_ms = timeAt(value, 'timestamp');
    switch (textAt(value, 'type')) {
      case 'session_meta':
        this.meta ??= payload;
        return;
      case 'turn_context':
        this.model = textAt(payload, 'model') ?? this.model;
        return;
      case 'response_item': {
        const entries = itemEntries(payload, line, at_ms);
        if (entries.some(({ kind }) => kind === 'assistant')) this.useItems();
        if (this.hasItems) this.conversation.add(entries, { line, at_ms });
        else this.events.push({ entries, line, at_ms, isItem: true });
        return;
      }
      case 'token_usage_record':
        this.hasUsageRecords = true;
        this.count(usageOf(objectAt(payload, 'usage')));
        return;
      case 'event_msg':
        this.addEvent(payload, line, at_ms);
        return;
      default:
        // `compacted`, `world_state` and the like repeat what was said.
        return;
    }
  }

  /** A file of a sub-agent. */
  addPart(value: JsonObject, line: number): void {
    const payload = objectAt(value, 'payload') ?? {};
    const at_ms = timeAt(value, 'timestamp');
    if (textAt(value, 'type') === 'session_meta') {
      this.partCounts = { total: '', hasRecords: false };
      this.begin({ agent: agentOf(payload), start_ms: at_ms, entries: [], usages: [] });
    }
    const sub = this.subs.at(-1);
    if (sub === undefined) return;
    if (textAt(value, 'type') === 'response_item') sub.entries.push(...itemEntries(payload, line, at_ms));
    const isCount = textAt(value, 'type') === 'event_msg' && textAt(payload, 'type') === 'token_count';
    if (isCount && !this.partCounts.hasRecords) {
      const info = objectAt(payload, 'info');
      const total = JSON.stringify(objectAt(info, 'total_token_usage') ?? null);
      const usage = usageOf(objectAt(info, 'last_token_usage'));
      if (usage !== undefined && total !== this.partCounts.total) sub.usages.push(usage);
      this.partCounts.total = total;
    }
    if (textAt(value, 'type') !== 'token_usage_record') return;
    // They say the same better.
    if (!this.partCounts.hasRecords) sub.usages.length = 0;
    this.partCounts.hasRecords = true;
    sub.usages.push(...[usageOf(objectAt(payload, 'usage')) ?? []].flat());
  }

  private begin(sub: SubConversation): void {
    this.subs.push(sub);
    this.conversation.addSub(sub);
  }

  protected complete(): void {
    if (!this.hasItems) this.useEvents();
  }

  protected recordingOf(turns: readonly RecordedTurn[]): Recording {
    const meta = this.meta ?? {};
    return {
      id: this.nextId(textAt(meta, 'id', 'session_id')),
      target: 'codex',
      line: 1,
      turns,
      metadata: {
        ...kept(meta, 'cli_version', 'cwd', 'originator'),
        ...(this.subs.length === 0 ? {} : { subagents: this.subs.length }),
      },
    };
  }

  /** From here on events only repeat. What was said before is kept. */
  private useItems(): void {
    if (this.hasItems) return;
    this.hasItems = true;
    for (const { entries, isItem, ...place } of this.events)
      if (isItem) this.conversation.add(entries, place);
    this.events = [];
  }

  private useEvents(): void {
    let said = '';
    for (const { entries, isItem: _, ...place } of this.events) {
      const fresh = entries.filter((entry) => entry.kind !== 'user' || entry.text !== said);
      for (const entry of entries) if (entry.kind === 'user') said = entry.text;
      this.conversation.add(fresh, place);
    }
  }

  private addEvent(payload: JsonObject, line: number, at_ms: number | undefined): void {
    const type = textAt(payload, 'type');
    if (type === 'token_count' && !this.hasUsageRecords) {
      const info = objectAt(payload, 'info');
      const total = JSON.stringify(objectAt(info, 'total_token_usage') ?? null);
      // The same figures come again when nothing was used.
      if (total !== this.lastTotal) this.count(usageOf(objectAt(info, 'last_token_usage')));
      this.lastTotal = total;
    }
    if (type !== 'item_completed' || this.hasItems) return;
    const item = objectAt(payload, 'item');
    if (item !== undefined) this.events.push({ entries: eventEntries(item), line, at_ms, isItem: false });
  }

  private count(usage: TokenUsage | undefined): void {
    this.conversation.tell({ usage, model: this.model, modelCalls: 1 });
  }
}

function itemEntries(item: JsonObject, line: number, at_ms: number | undefined): readonly Entry[] {
  const kinds =
    listAt(objectAt(item, 'internal_chat_message_metadata_passthrough'), 'content_item_kinds') ?? [];
  const isOwn =
    kinds.length > 0 && !kinds.some((kind) => typeof kind === 'string' && kind.startsWith('user.'));
  return OPENAI_RESPONSE_ITEMS.read([item], `line ${line}, item`).map((entry): Entry => {
    switch (entry.kind) {
      case 'assistant':
        return { ...entry, calls: entry.calls.map((call) => ({ ...call, asked_ms: at_ms })) };
      case 'result':
        return { ...entry, given_ms: at_ms };
      case 'user':
        return isOwn || entry.text.startsWith('# AGENTS.md instructions')
          ? { ...entry, isContext: true }
          : entry;
      default:
        return entry;
    }
  });
}

/** An item of a thread, as events tell it. */
function eventEntries(item: JsonObject): readonly Entry[] {
  const id = textAt(item, 'id');
  const call = (tool: string, input: JsonObject, output: ReturnType<typeof valueAt>): readonly Entry[] => {
    const failed = (numberAt(item, 'exit_code') ?? 0) !== 0 || textAt(item, 'status') === 'failed';
    const result = { output: readOutput(output), ...(failed ? { status: 'error' as const } : {}) };
    return [{ kind: 'assistant', calls: [{ tool, id, input, result }] }];
  };
  switch (textAt(item, 'type')) {
    case 'UserMessage':
      return [{ kind: 'user', text: partsText(item) }];
    case 'AgentMessage':
      return [{ kind: 'assistant', id, text: partsText(item), calls: [] }];
    case 'CommandExecution':
      return call('exec_command', { cmd: commandText(item) }, valueAt(item, 'aggregated_output'));
    case 'McpToolCall': {
      const tool = `mcp__${textAt(item, 'server') ?? ''}__${textAt(item, 'tool') ?? ''}`;
      return call(tool, objectAt(item, 'arguments') ?? {}, valueAt(item, 'result', 'error'));
    }
    case 'FileChange':
      return call('apply_patch', { changes: ownValue(item, 'changes') ?? null }, valueAt(item, 'status'));
    case 'WebSearch':
      return call('web_search', { query: textAt(item, 'query') ?? '' }, undefined);
    case 'Reasoning':
      return [];
    default:
      return [{ kind: 'unknown', at: 'an item', form: `type: ${textAt(item, 'type')}`, mayHoldCall: true }];
  }
}

/** The words of a shell are those after its switch. */
function commandText(item: JsonObject): string {
  const command = ownValue(item, 'command');
  if (!isJsonList(command)) return textAt(item, 'command') ?? '';
  const words = command.filter((word) => typeof word === 'string');
  return words.length === 3 && words[1] === '-lc' ? words[2]! : words.join(' ');
}

function partsText(item: JsonObject): string {
  return (listAt(item, 'content') ?? []).flatMap((part) => textAt(part, 'text') ?? []).join('');
}

function agentOf(meta: JsonObject): string {
  const spawn = objectAt(objectAt(objectAt(meta, 'source'), 'subagent'), 'thread_spawn');
  return (
    textAt(spawn, 'agent_role', 'agent_nickname') ??
    textAt(meta, 'agent_role', 'agent_nickname') ??
    'sub-agent'
  );
}

function usageOf(usage: JsonObject | undefined): TokenUsage | undefined {
  if (usage === undefined) return undefined;
  return inclusiveUsage({
    prompt: countAt(usage, 'input_tokens'),
    cached: countAt(usage, 'cached_input_tokens'),
    output: countAt(usage, 'output_tokens'),
    reasoning: countAt(usage, 'reasoning_output_tokens') || undefined,
  });
}
