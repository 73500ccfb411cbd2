import { setOwn, type Json } from '../model/json.ts';
import type { Message } from '../model/message.ts';
import type { RecordedToolCall } from '../model/reply.ts';
import { addUsage } from '../model/usage.ts';
import type { AskedCall, AssistantEntry, Entry, ResultEntry, UnknownEntry } from './entry.ts';
import type { Trace } from './trace.ts';

/** What an agent did since the last user message: histories hold the turns before it too. */
export function traceOfEntries(entries: readonly Entry[]): Trace {
  const start = turnStart(entries);
  const turn = joinMessages(entries.slice(start));
  const answers = turn.filter((entry) => entry.kind === 'assistant');
  const calls = pairCalls(turn, entries.slice(0, start));
  const unknown = turn.filter((entry) => entry.kind === 'unknown');
  const gap = gapOf(unknown, calls);
  const listed = calls.flatMap(({ call }) => call ?? []);
  return {
    output: outputOf(answers),
    // With a gap, no call found is not the same as none made.
    tool_calls: gap !== undefined && listed.length === 0 ? undefined : listed,
    messages: toMessages(turn, calls),
    ...usageOf(answers),
    models: modelsOf(answers),
    gap,
    ...(unknown.length === 0 ? {} : { warnings: unknown.map(toWarning) }),
  };
}

/** Behind the last message that a person wrote. Without one, all of it is the turn. */
function turnStart(entries: readonly Entry[]): number {
  return entries.findLastIndex((entry) => entry.kind === 'user' && entry.isContext !== true) + 1;
}

/** Entries that share an id are parts of one message of the model. Its usage may grow from part to part: the last counts. */
function joinMessages(turn: readonly Entry[]): readonly Entry[] {
  const joined: Entry[] = [];
  const places = new Map<string, number>();
  for (const entry of turn) {
    const id = entry.kind === 'assistant' ? entry.id : undefined;
    const place = id === undefined ? undefined : places.get(id);
    if (entry.kind !== 'assistant' || place === undefined) {
      if (id !== undefined) places.set(id, joined.length);
      joined.push(entry);
      continue;
    }
    const first = joined[place] as AssistantEntry;
    joined[place] = {
      ...first,
      ...entry,
      text: first.text === undefined ? entry.text : first.text + (entry.text ?? ''),
      calls: [...first.calls, ...entry.calls],
      usage: entry.usage ?? first.usage,
      model: entry.model ?? first.model,
      refusal: entry.refusal ?? first.refusal,
    };
  }
  return joined;
}

/** Of the last message: a model that ends with a call has given no answer. */
function outputOf(answers: readonly AssistantEntry[]): string | undefined {
  const last = answers.findLast(({ isSub }) => isSub !== true);
  return last === undefined ? undefined : (last.text ?? last.refusal ?? '');
}

function usageOf(answers: readonly AssistantEntry[]): Pick<Trace, 'token_usage' | 'usage_complete'> {
  const usages = answers.flatMap(({ usage }) => usage ?? []);
  if (usages.length === 0) return {};
  return {
    token_usage: addUsage(usages),
    ...(usages.length < answers.length ? { usage_complete: false } : {}),
  };
}

function modelsOf(answers: readonly AssistantEntry[]): readonly string[] | undefined {
  const models = [...new Set(answers.flatMap(({ model }) => model ?? []))];
  return models.length === 0 ? undefined : models;
}

interface PairedCall {
  /** Undefined: only its result is there. */
  readonly by?: AssistantEntry | undefined;
  /** Undefined: a result that does not tell which tool gave it. */
  readonly call?: RecordedToolCall | undefined;
  readonly result?: Result | undefined;
}

type Result = Omit<ResultEntry, 'kind' | 'id' | 'tool'>;

interface OpenCall {
  readonly asked: AskedCall;
  readonly by: AssistantEntry;
  result: Result | undefined;
}

/** Joins calls and their results, in the order in which the model asked. A result without its call tells of a call too. */
function pairCalls(turn: readonly Entry[], before: readonly Entry[]): readonly PairedCall[] {
  const open = turn.flatMap((entry) => (entry.kind === 'assistant' ? openCalls(entry) : []));
  const earlier = new Set(
    before.flatMap((entry) => (entry.kind === 'assistant' ? entry.calls.flatMap(({ id }) => id ?? []) : [])),
  );
  const stray: PairedCall[] = [];
  for (const entry of turn) {
    if (entry.kind !== 'result') continue;
    const found = findCall(open, entry);
    if (found === 'answered' || earlier.has(entry.id ?? '')) continue;
    if (found !== undefined) found.result = entry;
    else if (entry.tool === undefined) stray.push({ result: entry });
    else
      stray.push({ call: recordCall({ tool: entry.tool, id: entry.id }, undefined, entry), result: entry });
  }
  const agents = new Set(turn.flatMap((entry) => (entry.kind === 'assistant' ? [entry.agent] : [])));
  const paired = open.map((each) => {
    const { asked, by, result } = each;
    // One agent alone needs no name.
    const agent = agents.size > 1 || by.isSub === true ? by.agent : undefined;
    return { by, call: { ...recordCall(asked, agent, result), ...durationOf(each, open) }, result };
  });
  return [...paired, ...stray];
}

/** Between two times that the source tells, a tool took at most as long. */
function durationOf(
  call: OpenCall,
  all: readonly OpenCall[],
): Pick<RecordedToolCall, 'duration_ms' | 'duration_bound'> {
  const span = spanOf(call);
  if (span === undefined || call.result?.duration_ms !== undefined) return {};
  const isShared = all.some((other) => {
    const its = other === call ? undefined : spanOf(other);
    return its !== undefined && its.from < span.to && span.from < its.to;
  });
  return { duration_ms: span.to - span.from, duration_bound: isShared ? 'parallel' : 'alone' };
}

function spanOf({ asked, result }: OpenCall): { readonly from: number; readonly to: number } | undefined {
  const from = asked.asked_ms;
  const to = result?.given_ms;
  return from === undefined || to === undefined || to < from ? undefined : { from, to };
}

function openCalls(entry: AssistantEntry): readonly OpenCall[] {
  return entry.calls.map((asked) => ({ asked, by: entry, result: asked.result }));
}

/**
 * By id, else the first unanswered call of that name: some frameworks make ids of their own on the way. A result with neither
 * belongs to the first unanswered call.
 */
function findCall(open: readonly OpenCall[], { id, tool }: ResultEntry): OpenCall | 'answered' | undefined {
  const same = id === undefined ? [] : open.filter(({ asked }) => asked.id === id);
  if (same.length > 0) return same.find(({ result }) => result === undefined) ?? 'answered';
  const unanswered = open.filter(({ result }) => result === undefined);
  if (tool !== undefined) return unanswered.find(({ asked }) => asked.tool === tool);
  return unanswered.find(({ asked }) => id === undefined || asked.id === undefined);
}

function recordCall(
  asked: AskedCall,
  agent: string | undefined,
  result: Result | undefined,
): RecordedToolCall {
  const call = { tool: asked.tool } as Record<string, Json>;
  const parts = {
    id: asked.id,
    input: asked.input,
    output: result?.output,
    status: result?.status,
    duration_ms: result?.duration_ms,
    agent,
    executed_by: asked.executed_by,
  };
  for (const [key, value] of Object.entries(parts)) if (value !== undefined) setOwn(call, key, value);
  return call as unknown as RecordedToolCall;
}

/** The first place where calls may be that were not read. */
function gapOf(unknown: readonly UnknownEntry[], calls: readonly PairedCall[]): Trace['gap'] {
  const hiding = unknown.find(({ mayHoldCall }) => mayHoldCall);
  if (hiding !== undefined) return { at: hiding.at, form: hiding.form };
  if (calls.every(({ call }) => call !== undefined)) return undefined;
  return { at: 'the messages', form: 'the result of a tool call that is not among them' };
}

function toWarning({ at, form }: UnknownEntry): NonNullable<Trace['warnings']>[number] {
  return {
    code: 'unknown_part',
    message: `the reply holds something that Assay does not know at \`${at}\` (${form})`,
    hint: 'claims about what it may hold cannot be checked',
  };
}

/** The main conversation as messages of our own form: each call stands in the message that asked for it, with its result. */
function toMessages(turn: readonly Entry[], calls: readonly PairedCall[]): readonly Message[] {
  return turn.flatMap((entry): readonly Message[] => {
    if (entry.kind === 'assistant') return entry.isSub === true ? [] : [toMessage(entry, calls)];
    const answered = entry.kind === 'result' ? calls.find(({ result }) => result === entry) : undefined;
    if (answered?.call === undefined || answered.by?.isSub === true) return [];
    const { tool, id, output } = answered.call;
    return [{ role: 'tool', tool, ...(id === undefined ? {} : { id }), content: output ?? '' }];
  });
}

function toMessage(entry: AssistantEntry, calls: readonly PairedCall[]): Message {
  const own = calls.filter(({ by }) => by === entry).map(({ call }) => call as unknown as Json);
  const content = entry.text ?? entry.refusal ?? '';
  return { role: 'assistant', content, ...(own.length === 0 ? {} : { tool_calls: own }) };
}
