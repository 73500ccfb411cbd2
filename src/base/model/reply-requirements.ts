import type { Json, JsonObject } from './json.ts';
import type { RecordedToolCall } from './reply.ts';
import type { TextRule } from './text-rule.ts';

/** The parts of a reply that assertions look at; `usage` is cost, tokens and the number of messages. */
export type ReplyPart = 'output' | 'tools' | 'memory' | 'duration' | 'usage' | 'approvals';

/**
 * What a reply must have for an assertion to hold, as far as its parameters say. Absent fields require nothing;
 * `about` alone means that nothing could be derived.
 */
export interface ReplyRequirements {
  /** The parts that decide whether it holds. */
  readonly about: readonly ReplyPart[];
  /** The output is exactly this. */
  readonly output?: string | undefined;
  /** The messages before the output. */
  readonly said?: readonly string[] | undefined;
  /** The output is JSON, for example this value, or one of the others. */
  readonly json?: RequiredJson | undefined;
  /** Texts that the output contains. */
  readonly texts?: readonly RequiredText[] | undefined;
  /** Exactly the outputs in which it holds. */
  readonly rule?: TextRule | undefined;
  /** A rule that every output in which it holds follows, although the rule alone is not enough. */
  readonly necessary_rule?: TextRule | undefined;
  /** Exactly these tools are used, in this order. */
  readonly tools_used?: readonly string[] | undefined;
  /** Required calls; other calls are allowed. */
  readonly calls?: readonly RequiredCall[] | undefined;
  readonly call_rule?: CallRule | undefined;
  /** The whole memory is exactly this. */
  readonly memory?: JsonObject | undefined;
  readonly memory_rule?: MemoryRule | undefined;
  /** What a reply must not have; each of them breaks the assertion. */
  readonly unwanted?: readonly UnwantedPart[] | undefined;
  /** For each matcher in its expected values, a change that this matcher must notice. */
  readonly matcher_breaks?: readonly MatcherBreak[] | undefined;
  /** No reply can meet the requirements, and why. */
  readonly impossible?: string | undefined;
}

interface RequiredJson {
  readonly value: Json;
  readonly others?: readonly Json[] | undefined;
  /** No other value is accepted. */
  readonly isExact?: boolean | undefined;
  /** The whole output is JSON, not only a part of it. */
  readonly isWhole?: boolean | undefined;
}

export interface RequiredText {
  readonly text: string;
  readonly at?: 'start' | 'end' | undefined;
}

export interface RequiredCall extends RecordedToolCall {
  /** Its input is exactly this; otherwise it may have more keys. */
  readonly isExact?: boolean | undefined;
  /** The objects in its input may have more keys too, at every depth. */
  readonly isDeep?: boolean | undefined;
  /** Its input is at most this: keys may be missing, but none added. */
  readonly isMost?: boolean | undefined;
  /** The expected input, where it has matchers: `input` is one that matches it. */
  readonly fits?: Json | undefined;
  /** It comes after the earlier calls of its list. */
  readonly isOrdered?: boolean | undefined;
}

/** Which tools must have been called, by name; absent fields leave this open. */
export interface CallRule {
  /** Exactly these, in this order. */
  readonly sequence?: readonly string[] | undefined;
  /** These, in this order, with anything between them. */
  readonly order?: readonly string[] | undefined;
  readonly least?: Readonly<Record<string, number>> | undefined;
  readonly most?: Readonly<Record<string, number>> | undefined;
  readonly most_in_all?: number | undefined;
  /** No other tools than these. */
  readonly only?: readonly string[] | undefined;
  /** These, with their inputs. */
  readonly calls?: readonly RequiredCall[] | undefined;
}

/** Requirements for one path in memory. */
export interface MemoryRule {
  /** A dot path; undefined for the whole memory. */
  readonly path: string | undefined;
  readonly says:
    | { readonly equals: Json }
    /** The same for a value with matchers in it. */
    | { readonly fits: Json }
    | { readonly exists: boolean }
    /** It is text that matches the pattern. */
    | { readonly matches: string };
  readonly negate?: boolean | undefined;
}

export interface RequiredValue {
  /** A dot path. */
  readonly path: string;
  readonly value: Json;
}

/** A change of a reply that breaks one matcher of an assertion, and nothing else of it. */
export interface MatcherBreak {
  /** The matcher, and where: `$gte at order.total`. */
  readonly what: string;
  readonly output?: string | undefined;
  /** Undefined `path`: all of memory. Undefined `value`: it is absent. */
  readonly memory?: { readonly path: string | undefined; readonly value: Json | undefined } | undefined;
  /** The calls of this tool with this input get the other one. */
  readonly call?: { readonly tool: string; readonly from: Json; readonly to: Json } | undefined;
}

export interface UnwantedPart {
  readonly text?: string | undefined;
  /** The text is the whole output, not a part of it. */
  readonly replaces?: boolean | undefined;
  readonly calls?: readonly RecordedToolCall[] | undefined;
  readonly memory?: RequiredValue | undefined;
  /** This many messages of the assistant. */
  readonly messages?: number | undefined;
}
