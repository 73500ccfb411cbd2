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
  /** For messages: "OpenAI chat messages". */
  readonly name: string;
  /** Whether a list holds messages of this dialect: something in it that no other dialect writes. */
  recognises(messages: readonly Json[]): boolean;
  /** One message holds everything up to the next one of the user. */
  readonly isWholeTurn?: boolean | undefined;
  /** What the messages say went wrong, beside what was said. */
  failureOf?(messages: readonly Json[]): string | undefined;
  /** `at`: where the list stands in what was returned, for messages. */
  read(messages: readonly Json[], at: string): readonly Entry[];
}
