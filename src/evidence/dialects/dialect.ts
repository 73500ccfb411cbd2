import type { Json } from '../../model/json.ts';
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

/** What the agent was asked: histories hold earlier turns too. */
export interface AskedStep {
  readonly input: string;
}

/** How one framework or provider writes the messages of a conversation. */
export interface MessageDialect {
  readonly name: string;
  /** Whether a list holds messages of this dialect: something in it that no other dialect writes. */
  recognises(messages: readonly Json[]): boolean;
  read(messages: readonly Json[]): ReadMessages;
}

export interface ReadMessages {
  readonly entries: readonly Entry[];
  /** Parts, blocks and roles that the dialect does not have: `messages[2].content[0].type: video`. */
  readonly unknown?: readonly string[] | undefined;
}
