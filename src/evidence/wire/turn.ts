import type { AskedCall, ResultEntry } from '../entry.ts';
import type { ModelRequest } from '../apis/model-api.ts';
import type { Answer } from './read-model-call.ts';

/** One response of a model, with its place among the conversations of an attempt. */
export interface Turn {
  readonly seq: number;
  readonly step: number;
  readonly started_ms: number;
  readonly ended_ms: number;
  readonly request: TurnRequest;
  readonly answer: Answer;
  readonly calls: readonly TurnCall[];
  /** The turn that the request continues. Undefined: a conversation begins. */
  readonly parent?: Turn | undefined;
  /** The last thing that the user said before it. */
  readonly userText: string;
  /** What the request adds to its parent, as text: the prompt of a conversation that begins. */
  readonly addedText: string;
  /** The request adds a message of the user to its parent. */
  readonly addsUser: boolean;
  /** Who speaks: known after a hand-over. */
  readonly agent?: string | undefined;
  /** Turns with the same system prompt and tools have the same. */
  readonly setup: number;
}

/** What is kept of a request: not its messages, which every later request repeats. */
type TurnRequest = Omit<ModelRequest, 'messages' | 'system'>;

/** A tool call that the model requested, and its result. */
export interface TurnCall {
  readonly turn: Turn;
  readonly asked: AskedCall;
  result?: CallResult | undefined;
  /** When the request that carries the result was sent. */
  answered_ms?: number | undefined;
}

export type CallResult = Omit<ResultEntry, 'kind' | 'id' | 'tool' | 'duration_ms'>;
