import type { Json, JsonObject } from './json.ts';
import type { RecordedToolCall } from './reply.ts';
import type { TextRule } from './text-rule.ts';

/** What assertions look at of a reply; `usage` is cost, tokens and the number of messages. */
export type ReplyPart = 'output' | 'tools' | 'memory' | 'duration' | 'usage';

/**
 * What a reply must have for an assertion to hold, as far as its parameters tell. Fields that are absent ask for nothing;
 * `about` without any of them says that nothing could be derived.
 */
export interface ReplyRequirements {
  /** The parts that decide whether it holds. */
  readonly about: readonly ReplyPart[];
  /** The output is exactly this. */
  readonly output?: string | undefined;
  /** What was said before the output, message by message. */
  readonly said?: readonly string[] | undefined;
  /** The output is JSON, of this value for example, or of one of the others. */
  readonly json?: WantedJson | undefined;
  /** Texts that stand in the output. */
  readonly texts?: readonly WantedText[] | undefined;
  /** The outputs in which it holds, told exactly. */
  readonly rule?: TextRule | undefined;
  /** What every output in which it holds follows, though not every output that follows it will do. */
  readonly necessary_rule?: TextRule | undefined;
  /** Exactly these tools are used, in this order. */
  readonly tools_used?: readonly string[] | undefined;
  /** Calls that are made, whatever else is called. */
  readonly calls?: readonly WantedCall[] | undefined;
  readonly call_rule?: CallRule | undefined;
  /** The whole memory is exactly this. */
  readonly memory?: JsonObject | undefined;
  readonly memory_rule?: MemoryRule | undefined;
  /** What a reply must not have; each of them breaks the assertion. */
  readonly unwanted?: readonly UnwantedPart[] | undefined;
  /** No reply can have what is wanted, and why. */
  readonly impossible?: string | undefined;
}

interface WantedJson {
  readonly value: Json;
  readonly others?: readonly Json[] | undefined;
  /** No other value will do. */
  readonly isExact?: boolean | undefined;
  /** The whole output is JSON, not only a part of it. */
  readonly isWhole?: boolean | undefined;
}

export interface WantedText {
  readonly text: string;
  readonly at?: 'start' | 'end' | undefined;
}

export interface WantedCall extends RecordedToolCall {
  /** Its input is exactly this; else it may have more keys. */
  readonly isExact?: boolean | undefined;
  /** The objects in its input may have more keys as well, at every depth. */
  readonly isDeep?: boolean | undefined;
  /** Its input is at most this: keys may be left out, but none added. */
  readonly isMost?: boolean | undefined;
  /** It comes behind the calls before it in its list. */
  readonly isOrdered?: boolean | undefined;
}

/** What tools must have been called, by name; what is absent is left open. */
export interface CallRule {
  /** Exactly these, in this order. */
  readonly sequence?: readonly string[] | undefined;
  /** These, in this order, whatever is between them. */
  readonly order?: readonly string[] | undefined;
  readonly least?: Readonly<Record<string, number>> | undefined;
  readonly most?: Readonly<Record<string, number>> | undefined;
  readonly most_in_all?: number | undefined;
  /** No other tools than these. */
  readonly only?: readonly string[] | undefined;
  /** These, with their inputs. */
  readonly calls?: readonly WantedCall[] | undefined;
}

/** What one place in memory must be like. */
export interface MemoryRule {
  /** A dot path; undefined for the whole memory. */
  readonly path: string | undefined;
  readonly says:
    | { readonly equals: Json }
    | { readonly exists: boolean }
    /** It is text in which the pattern is found. */
    | { readonly matches: string };
  readonly negate?: boolean | undefined;
}

export interface WantedValue {
  /** A dot path. */
  readonly path: string;
  readonly value: Json;
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
