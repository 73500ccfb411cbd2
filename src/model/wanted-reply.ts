import type { Json, JsonObject } from './json.ts';
import type { RecordedToolCall } from './reply.ts';

/** What assertions look at of a reply; `measures` are time, cost, tokens and the number of messages. */
export type ReplyPart = 'output' | 'tools' | 'memory' | 'measures';

/**
 * What a reply must have for an assertion to hold, as far as its parameters tell. Fields that are absent ask for nothing;
 * `about` without any of them says that nothing could be derived.
 */
export interface WantedReply {
  /** The parts that decide whether it holds. */
  readonly about: readonly ReplyPart[];
  /** The output is exactly this. */
  readonly output?: string | undefined;
  /** What was said before the output, message by message. */
  readonly said?: readonly string[] | undefined;
  /** The output is JSON, of this value for example. */
  readonly json?: { readonly value: Json } | undefined;
  /** Texts that stand in the output. */
  readonly texts?: readonly WantedText[] | undefined;
  /** Exactly these tools are used, in this order. */
  readonly tools_used?: readonly string[] | undefined;
  /** Calls that are made, whatever else is called. */
  readonly calls?: readonly RecordedToolCall[] | undefined;
  /** The whole memory is exactly this. */
  readonly memory?: JsonObject | undefined;
  readonly memory_values?: readonly WantedValue[] | undefined;
  /** What a reply must not have; each of them breaks the assertion. */
  readonly unwanted?: readonly UnwantedPart[] | undefined;
  /** No reply can have what is wanted, and why. */
  readonly impossible?: string | undefined;
}

export interface WantedText {
  readonly text: string;
  readonly at?: 'start' | 'end' | undefined;
}

export interface WantedValue {
  /** A dot path. */
  readonly path: string;
  readonly value: Json;
  /** Other values would do too. */
  readonly isSample?: boolean | undefined;
}

export interface UnwantedPart {
  readonly text?: string | undefined;
  /** The text is the whole output, not a part of it. */
  readonly replaces?: boolean | undefined;
  readonly calls?: readonly RecordedToolCall[] | undefined;
  readonly memory?: WantedValue | undefined;
  /** So many messages of the assistant. */
  readonly messages?: number | undefined;
}
