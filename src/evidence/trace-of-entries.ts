import { setOwn, type Json } from '../base/model/json.ts';
import type { Message } from '../base/model/message.ts';
import type { RecordedToolCall } from '../base/model/reply.ts';
import { addUsage } from '../base/model/usage.ts';
import type { AskedCall, AssistantEntry, Entry, ResultEntry, UnknownEntry } from './entry.ts';
import type { Trace } from './trace.ts';

/** What an agent did since the last user message: histories have earlier turns too. */
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

function usageOf(
  answers: readonly AssistantEntry[],
): Pick<Trace, 'token_usage' | 'usage_complete' | 'usage_by_model'> {
  const counted = answers.filter(({ usage }) => usage !== undefined);
  if (counted.length === 0) return {};
  const byModel = groupBy(counted, ({ model }) => model);
  return {
    token_usage: addUsage(counted.map(({ usage }) => usage)),
    ...(counted.length < answers.length ? { usage_complete: false } : {}),
    ...(byModel.size > 1 && !byModel.has(undefined) ? { usage_by_model: usageByModel(byModel) } : {}),
  };
}

function usageByModel(
  byModel: ReadonlyMap<string | undefined, readonly AssistantEntry[]>,
): NonNullable<Trace['usage_by_model']> {
  return Object.fromEntries(
    [...byModel].map(([model, each]) => [model, addUsage(each.map(({ usage }) => usage))!]),
  );
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
  const byId = groupBy(open, ({ asked }) => asked.id);
  const earlier = new Set(
    before.flatMap((entry) => (entry.kind === 'assistant' ? entry.calls.flatMap(({ id }) => id ?? []) : [])),
  );
  const stray: PairedCall[] = [];
  for (const entry of turn) {
    if (entry.kind !== 'result' || (entry.id !== undefined && earlier.has(entry.id))) continue;
    const { id, tool } = entry;
    const same = id === undefined ? undefined : byId.get(id);
    // A result that comes again answers nothing new.
    const found =
      same === undefined ? findByName(open, entry) : same.find(({ result }) => result === undefined);
    if (found !== undefined) found.result = entry;
    else if (same === undefined) {
      stray.push({
        call: tool === undefined ? undefined : recordCall({ tool, id }, undefined, entry),
        result: entry,
      });
    }
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
 * The first unanswered call of the name: some frameworks make ids of their own on the way. A result without a name belongs
 * to the first unanswered call, unless both have an id.
 */
function findByName(open: readonly OpenCall[], { id, tool }: ResultEntry): OpenCall | undefined {
  return open.find(({ asked, result }) => {
    if (result !== undefined) return false;
    return tool === undefined ? id === undefined || asked.id === undefined : asked.tool === tool;
  });
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
    message: `the reply contains something that Assay does not know at \`${at}\` (${form})`,
    hint: 'claims about what it may contain cannot be checked',
  };
}

/** The main conversation in Assay's format: each call is in the message that requested it, with its result. */
function toMessages(turn: readonly Entry[], calls: readonly PairedCall[]): readonly Message[] {
  const bySpeaker = groupBy(calls, ({ by }) => by);
  const byResult = new Map(calls.map((paired) => [paired.result, paired]));
  return turn.flatMap((entry): readonly Message[] => {
    if (entry.kind === 'assistant') {
      return entry.isSub === true ? [] : [toMessage(entry, bySpeaker.get(entry) ?? [])];
    }
    const answered = entry.kind === 'result' ? byResult.get(entry) : undefined;
    if (answered?.call === undefined || answered.by?.isSub === true) return [];
    const { tool, id, output } = answered.call;
    return [{ role: 'tool', tool, ...(id === undefined ? {} : { id }), content: output ?? '' }];
  });
}

function toMessage(entry: AssistantEntry, calls: readonly PairedCall[]): Message {
  const own = calls.map(({ call }) => call as unknown as Json);
  const content = entry.text ?? entry.refusal ?? '';
  return { role: 'assistant', content, ...(own.length === 0 ? {} : { tool_calls: own }) };
}

function groupBy<T, K>(values: readonly T[], keyOf: (value: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}
