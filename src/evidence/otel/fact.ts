import type { Json } from '../../base/model/json.ts';
import type { TokenUsage } from '../../base/model/reply.ts';
import type { AskedCall, Entry, ResultEntry, UnknownEntry } from '../entry.ts';
import type { LogEvent, Span } from './telemetry.ts';

/** How one instrumentation writes what an agent did. One file each. */
export interface TelemetryDialect {
  /** For people: "AI SDK 6". */
  readonly name: string;
  /** What a span tells. Undefined: it is not of this dialect. Empty: it is, and tells nothing of calls. */
  span?(span: Span): readonly Fact[] | undefined;
  log?(log: LogEvent): readonly Fact[] | undefined;
}

/** What one span or event tells of an agent. */
export type Fact = ModelFact | ToolFact | AgentFact | PromptFact;

/** A call of a model, or a part of what is known of one. */
export interface ModelFact {
  readonly kind: 'model';
  /** Of the response, or of the request: the same call may be told of several times. */
  readonly id?: string | undefined;
  readonly model?: string | undefined;
  readonly usage?: TokenUsage | undefined;
  readonly request?: SentMessages | undefined;
  /** Undefined: the content is not told. */
  readonly answer?: ModelAnswer | undefined;
  /** Why the model ended, in whichever words. */
  readonly finish?: string | undefined;
  readonly failed?: boolean | undefined;
  /** Titles, guards: its tokens count, and nothing else. */
  readonly isSide?: boolean | undefined;
  /** What calls of one purpose have in common, to join events that have nothing else in common. */
  readonly label?: string | undefined;
  readonly firstTokenMs?: number | undefined;
  readonly costUsd?: number | undefined;
  /** Says something about the call of its span, and is none of its own. */
  readonly isPart?: boolean | undefined;
}

/** What of a request is needed later: conversations grow, so keeping all of each takes too much. */
export interface SentMessages {
  /** How many there were. */
  readonly size: number;
  /** What people wrote, from the beginning of the conversation on. */
  readonly users: readonly string[];
  /** What the model said before. */
  readonly before?: ModelAnswer | undefined;
  /** What came back for the calls of `before`. */
  readonly results: readonly ResultEntry[];
}

export interface ModelAnswer {
  readonly text?: string | undefined;
  readonly calls: readonly AskedCall[];
  readonly unknown: readonly UnknownEntry[];
}

/** A tool that was run. */
export interface ToolFact {
  readonly kind: 'tool';
  readonly id?: string | undefined;
  readonly tool?: string | undefined;
  readonly input?: Json | undefined;
  readonly output?: Json | undefined;
  readonly status?: 'ok' | 'error' | undefined;
  readonly durationMs?: number | undefined;
  readonly agent?: string | undefined;
}

/** The run of an agent, with all that is below it. */
export interface AgentFact {
  readonly kind: 'agent';
  readonly name?: string | undefined;
  readonly request?: SentMessages | undefined;
  readonly output?: string | undefined;
}

/** A person wrote something, which begins a step. */
export interface PromptFact {
  readonly kind: 'prompt';
  readonly text: string | undefined;
}

export function sentMessages(entries: readonly Entry[]): SentMessages {
  const users = entries.flatMap((entry) =>
    entry.kind === 'user' && entry.isContext !== true ? [entry.text] : [],
  );
  const start = entries.findLastIndex((entry) => entry.kind === 'assistant');
  const before = entries[start];
  const isAnswered = entries
    .slice(start + 1)
    .some((entry) => entry.kind === 'user' && entry.isContext !== true);
  return {
    size: entries.length,
    users,
    before: before?.kind === 'assistant' ? { ...before, unknown: [] } : undefined,
    // Results of an earlier turn say nothing of this one.
    results: isAnswered
      ? []
      : entries.slice(start + 1).flatMap((entry) => (entry.kind === 'result' ? entry : [])),
  };
}

/** The messages of an answer as one. Several choices, or the pieces of a stream, may be a message each. */
export function modelAnswer(entries: readonly Entry[]): ModelAnswer | undefined {
  if (entries.length === 0) return undefined;
  const said = entries.filter((entry) => entry.kind === 'assistant');
  const texts = said.flatMap(({ text }) => text ?? []);
  return {
    text: texts.length === 0 ? undefined : texts.join(''),
    calls: withResults(
      said.flatMap(({ calls }) => calls),
      entries,
    ),
    unknown: entries.filter((entry) => entry.kind === 'unknown'),
  };
}

/** What the provider ran has its result in the same answer. */
function withResults(calls: readonly AskedCall[], entries: readonly Entry[]): readonly AskedCall[] {
  return calls.map((call) => {
    const result = entries.find(
      (entry) => entry.kind === 'result' && entry.id !== undefined && entry.id === call.id,
    );
    if (result?.kind !== 'result') return call;
    const { kind: _kind, id: _id, tool: _tool, ...own } = result;
    return { ...call, result: own };
  });
}
