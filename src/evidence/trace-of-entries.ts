import { setOwn, type Json } from '../model/json.ts';
import type { Message } from '../model/message.ts';
import type { RecordedToolCall } from '../model/reply.ts';
import { addUsage } from '../model/usage.ts';
import type { AskedCall, AssistantEntry, Entry, ResultEntry } from './entry.ts';
import type { Trace } from './trace.ts';

/** What an agent did since the last user message: histories hold the turns before it too. */
export function traceOfEntries(entries: readonly Entry[]): Trace {
  const turn = entries.slice(turnStart(entries));
  const answers = turn.filter((entry) => entry.kind === 'assistant');
  const calls = pairCalls(turn);
  return {
    output: outputOf(answers),
    tool_calls: calls.map(({ call }) => call),
    messages: toMessages(turn, calls),
    ...usageOf(answers),
    models: [...new Set(answers.flatMap(({ model }) => model ?? []))],
  };
}

/** Behind the last message that a person wrote. Without one, all of it is the turn. */
function turnStart(entries: readonly Entry[]): number {
  return entries.findLastIndex((entry) => entry.kind === 'user' && entry.isContext !== true) + 1;
}

/** Of the last message: a model that ends with a call has given no answer. */
function outputOf(answers: readonly AssistantEntry[]): string | undefined {
  const last = answers.at(-1);
  return last === undefined ? undefined : (last.text ?? last.refusal ?? '');
}

function usageOf(answers: readonly AssistantEntry[]): Pick<Trace, 'token_usage' | 'usage_complete'> {
  const counted = new Map<string | AssistantEntry, AssistantEntry>();
  for (const answer of answers) {
    const key = answer.id ?? answer;
    if (counted.get(key)?.usage === undefined) counted.set(key, answer);
  }
  const usages = [...counted.values()].flatMap(({ usage }) => usage ?? []);
  if (usages.length === 0) return {};
  return {
    token_usage: addUsage(usages),
    ...(usages.length < counted.size ? { usage_complete: false } : {}),
  };
}

interface PairedCall {
  readonly asked: AskedCall;
  readonly by: AssistantEntry;
  readonly call: RecordedToolCall;
}

/** Joins calls and their results: by id, else the first unanswered call of that name, else the first unanswered one. */
function pairCalls(turn: readonly Entry[]): readonly PairedCall[] {
  const open = turn.flatMap((entry) =>
    entry.kind === 'assistant'
      ? entry.calls.map((asked) => ({ asked, by: entry, result: asked.result as Result | undefined }))
      : [],
  );
  for (const entry of turn) {
    if (entry.kind !== 'result') continue;
    const unanswered = open.filter(({ result }) => result === undefined);
    const found =
      unanswered.find(({ asked }) => entry.id !== undefined && asked.id === entry.id) ??
      (open.some(({ asked }) => entry.id !== undefined && asked.id === entry.id)
        ? undefined
        : (unanswered.find(({ asked }) => asked.tool === entry.tool) ??
          (entry.tool === undefined ? unanswered[0] : undefined)));
    if (found !== undefined) found.result = entry;
  }
  return open.map(({ asked, by, result }) => ({ asked, by, call: recordCall(asked, by, result) }));
}

type Result = Omit<ResultEntry, 'kind' | 'id' | 'tool'>;

function recordCall(asked: AskedCall, by: AssistantEntry, result: Result | undefined): RecordedToolCall {
  const call = { tool: asked.tool } as Record<string, Json>;
  const parts = {
    id: asked.id,
    input: asked.input,
    output: result?.output,
    status: result?.status,
    duration_ms: result?.duration_ms,
    agent: by.agent,
    executed_by: asked.executed_by,
  };
  for (const [key, value] of Object.entries(parts)) if (value !== undefined) setOwn(call, key, value);
  return call as unknown as RecordedToolCall;
}

/** The turn as messages of our own form: each call stands in the message that asked for it, with its result. */
function toMessages(turn: readonly Entry[], calls: readonly PairedCall[]): readonly Message[] {
  return turn.flatMap((entry): readonly Message[] => {
    if (entry.kind !== 'assistant') return [];
    const own = calls.filter(({ by }) => by === entry).map(({ call }) => call as unknown as Json);
    const content = entry.text ?? entry.refusal ?? '';
    return [{ role: 'assistant', content, ...(own.length === 0 ? {} : { tool_calls: own }) }];
  });
}
