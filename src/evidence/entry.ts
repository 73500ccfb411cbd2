import type { Json } from '../base/model/json.ts';
import type { TokenUsage } from '../base/model/reply.ts';

/** One thing that was said in a conversation, in a form that every dialect of messages is read into. */
export type Entry = SystemEntry | UserEntry | AssistantEntry | ResultEntry | UnknownEntry;

interface SystemEntry {
  readonly kind: 'system';
  readonly text: string;
}

interface UserEntry {
  readonly kind: 'user';
  readonly text: string;
  /** Written by the program, not by a person: `<environment_context>`. It does not begin a turn. */
  readonly isContext?: boolean | undefined;
}

export interface AssistantEntry {
  readonly kind: 'assistant';
  /** Undefined: it only called tools. */
  readonly text?: string | undefined;
  readonly calls: readonly AskedCall[];
  /** The id of the model's message: entries that share one are parts of one message, whose usage counts once. */
  readonly id?: string | undefined;
  readonly usage?: TokenUsage | undefined;
  readonly model?: string | undefined;
  /** Who said it, where there are several agents. */
  readonly agent?: string | undefined;
  /** Said in a conversation of a sub-agent's own: its calls and tokens count, its text is not the answer. */
  readonly isSub?: boolean | undefined;
  readonly refusal?: string | undefined;
}

/** A tool call that the model requested. */
export interface AskedCall {
  readonly tool: string;
  readonly id?: string | undefined;
  /** Undefined: not told. Text that is not JSON stays text. */
  readonly input?: Json | undefined;
  /** The provider ran it inside of its response. */
  readonly executed_by?: 'provider' | undefined;
  /** The time at which the source tells of the call, for a source that tells no duration. */
  readonly asked_ms?: number | undefined;
  /** Where the source tells the call and its result in one place. */
  readonly result?: Omit<ResultEntry, 'kind' | 'id' | 'tool'> | undefined;
}

/** What a tool gave back to the model. */
export interface ResultEntry {
  readonly kind: 'result';
  /** Of the call. Some dialects have none: then the name and the order decide. */
  readonly id?: string | undefined;
  readonly tool?: string | undefined;
  /** Text that is JSON is that JSON. */
  readonly output?: Json | undefined;
  /** Only where the source says so. */
  readonly status?: 'ok' | 'error' | undefined;
  readonly duration_ms?: number | undefined;
  /** The time at which the source tells of the result. */
  readonly given_ms?: number | undefined;
}

/** Something that the dialect has and Assay does not know. */
export interface UnknownEntry {
  readonly kind: 'unknown';
  /** `messages[2].content[0]`. */
  readonly at: string;
  /** What stands there: `type: video`. */
  readonly form: string;
  readonly mayHoldCall: boolean;
}
