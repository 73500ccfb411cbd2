import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import type { Entry } from '../entry.ts';
import type { Trace } from '../trace.ts';
import { unknownEntry } from './pieces.ts';

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

/** A dialect of one object. */
export function objectDialect({
  name,
  isMarked,
  read,
}: {
  readonly name: string;
  /** Whether nothing else is written so. */
  readonly isMarked: (value: JsonObject) => boolean;
  readonly read: (value: JsonObject) => Trace;
}): Dialect {
  return {
    name,
    recognises: (value) => isJsonObject(value) && isMarked(value),
    read: (value) => read(value as JsonObject),
  };
}

/** A dialect of a list of events, one of which at least is marked. */
export function eventDialect({
  name,
  isMarked,
  read,
}: {
  readonly name: string;
  readonly isMarked: (event: JsonObject) => boolean;
  readonly read: (events: readonly JsonObject[]) => Trace;
}): Dialect {
  return {
    name,
    recognises: (value) => isJsonList(value) && value.some((event) => isJsonObject(event) && isMarked(event)),
    read: (value) => read((value as readonly Json[]).filter(isJsonObject)),
  };
}

type ReadMessage = (message: JsonObject, at: string) => readonly Entry[];

/** A dialect of messages, each of which is read by itself, and one of which at least is marked. */
export function messageDialect({
  isMarked,
  readMessage,
  ...others
}: Pick<MessageDialect, 'name' | 'failureOf'> & {
  readonly isMarked: (message: JsonObject) => boolean;
  readonly readMessage: ReadMessage;
}): MessageDialect {
  return {
    ...others,
    recognises: (messages) => messages.some((message) => isJsonObject(message) && isMarked(message)),
    read: eachMessage(readMessage),
  };
}

export function eachMessage(readMessage: ReadMessage): MessageDialect['read'] {
  return (messages, at) =>
    messages.flatMap((message, index) => {
      const place = `${at}[${index}]`;
      return isJsonObject(message) ? readMessage(message, place) : [unknownEntry(place, message)];
    });
}
