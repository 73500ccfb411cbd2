import type { Json } from '../../base/model/json.ts';
import type { Entry } from '../entry.ts';
import type { Trace } from '../trace.ts';

/** How one framework or provider writes what an agent did. One file each: how to recognise it, how to read it. */
export interface Dialect {
  /** For messages: "an AI SDK result". */
  readonly name: string;
  /** By shape alone. Two dialects never recognise the same value. */
  recognises(value: Json): boolean;
  read(value: Json, step: AskedStep): Trace;
}

/** The current input: histories have earlier turns too. */
export interface AskedStep {
  readonly input: string;
}

/** How one framework or provider writes the messages of a conversation. */
export interface MessageDialect {
  /** For messages: "OpenAI chat messages". */
  readonly name: string;
  /** Whether a list has messages of this dialect: something in it that no other dialect writes. */
  recognises(messages: readonly Json[]): boolean;
  /** One message contains everything up to the next user message. */
  readonly isWholeTurn?: boolean | undefined;
  /** What went wrong according to the messages, in addition to their text. */
  failureOf?(messages: readonly Json[]): string | undefined;
  /** `at`: the path of the list in the returned value, for error messages. */
  read(messages: readonly Json[], at: string): readonly Entry[];
}
