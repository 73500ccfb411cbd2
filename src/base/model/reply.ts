import type { ApprovalAsked } from './approval.ts';
import {
  about,
  amount,
  closed,
  count,
  described,
  named,
  oneOf,
  optional,
  text,
  type TypeOf,
} from './described.ts';
import type { Json, JsonObject } from './json.ts';
import type { Message } from './message.ts';
import { SENT_REQUEST } from './sent-request.ts';

/** The input of an agent in one step. */
export interface AgentRequest {
  /** The text of a single user message; several messages as `@[Role]:` blocks. */
  readonly input: string;
  readonly input_messages: readonly Message[];
  /** The whole conversation, from the first step to this one: for agents that keep nothing themselves. */
  readonly messages: readonly Message[];
  /** Of this try of this attempt alone, for agents that keep the conversation: a retry never meets what the first try left. */
  readonly conversation_id: string;
  readonly memory: JsonObject;
  /** The folder that it may change, if the test gives it one. */
  readonly workspace?: string | undefined;
  /** `with` of the target; empty if it has none. */
  readonly settings: JsonObject;
  readonly test: { readonly id: string; readonly file: string };
  /** Steps and attempts count from 1. */
  readonly step: number;
  readonly attempt: number;
}

/** The agent's reply, in one shape for every kind of agent. */
export interface Reply {
  readonly output: string;
  /** Undefined: the agent did not report its tools. Empty: it used none. */
  readonly tools_used?: readonly string[] | undefined;
  readonly tool_calls?: readonly RecordedToolCall[] | undefined;
  /** Why the tool calls are unknown, regardless of the rest of the reply. */
  readonly trace_gap?: TraceGap | undefined;
  /** Undefined: the agent returned no memory. */
  readonly memory?: JsonObject | undefined;
  readonly output_messages?: readonly Message[] | undefined;
  /** For a whole test: in some step the agent reported no messages, and its output stands in for them. */
  readonly has_unreported_messages?: boolean | undefined;
  readonly token_usage?: TokenUsage | undefined;
  /** False: a model call did not tell its usage, so `token_usage` and `cost_usd` are lower bounds. */
  readonly usage_complete?: false | undefined;
  readonly cost_usd?: number | undefined;
  /** As the agent reported it. */
  readonly duration_ms?: number | undefined;
  /** What of the reply contradicts what was observed: claims about it cannot be measured. */
  readonly doubts?: readonly Doubt[] | undefined;
  /** Programs and hosts of the agent that nobody could read, and that the config declares harmless. */
  readonly harmless?: readonly string[] | undefined;
  /** What the agent asked permission for. Undefined: nobody sees what it asks. */
  readonly approvals_asked?: readonly ApprovalAsked[] | undefined;
  /** The step did not end by the agent's answer. */
  readonly unfinished?: Unfinished | undefined;
  /** Tool calls that were observed and that the agent's own report lacks. */
  readonly unreported_calls?: readonly RecordedToolCall[] | undefined;
  /** All calls as they were observed, if the agent reports other arguments, or calls that the model never requested. */
  readonly observed_calls?: readonly RecordedToolCall[] | undefined;
  readonly models?: readonly string[] | undefined;
  readonly model_calls?: number | undefined;
  readonly time_to_first_token_ms?: number | undefined;
  /** The calls of the step in time, where they were observed. */
  readonly timeline?: readonly TimedCall[] | undefined;
  /** Where each kind of evidence came from. */
  readonly evidence?: EvidenceSources | undefined;
}

/**
 * `reported`: by the agent, in Assay's own fields. `recognised`: in the form of a known framework or provider. `observed`: from
 * the model calls that passed through Assay. `spans`: from OpenTelemetry.
 */
const EVIDENCE_SOURCE = oneOf(['reported', 'recognised', 'observed', 'spans']);
export type EvidenceSource = TypeOf<typeof EVIDENCE_SOURCE>;

export const EVIDENCE_SOURCES = named(
  'evidenceSources',
  closed({
    output: optional(EVIDENCE_SOURCE),
    tool_calls: optional(EVIDENCE_SOURCE),
    output_messages: optional(EVIDENCE_SOURCE),
    token_usage: optional(EVIDENCE_SOURCE),
    cost_usd: optional(oneOf(['reported', 'recognised', 'observed', 'spans', 'prices'])),
  }),
);
export type EvidenceSources = TypeOf<typeof EVIDENCE_SOURCES>;

/**
 * `missing`: nothing was reported. `left_out`: the same, by a function that returned an object with `output`; step tests take
 * that for no tools. `unreadable`: a tool call stands `at` a place, in a `form` that Assay does not read. `contradictory`: two
 * parts of the reply disagree. `incomplete`: a source of evidence ends early, or holds something that Assay does not know. `unattributed`:
 * a model call came of which nobody can tell whether it is of this attempt or of another one.
 */
export const TRACE_GAP = named(
  'traceGap',
  closed({
    kind: oneOf(
      ['missing', 'left_out', 'unreadable', 'contradictory', 'incomplete', 'unattributed'],
      '`left_out`: by a function that returned an object with `output`.',
    ),
    at: optional(text('Which part of the reply.')),
    form: optional(text('The form of a tool call that Assay does not read.')),
  }),
);
export type TraceGap = TypeOf<typeof TRACE_GAP>;

/**
 * `waiting`: the agent waits for an answer to its request, and goes on in a later step. `first_tool_call`: Assay stopped it there.
 */
export const UNFINISHED = oneOf(
  ['waiting', 'first_tool_call'],
  'Why the step has no answer: the agent waits for a permission, or was stopped at its first tool call.',
);
export type Unfinished = TypeOf<typeof UNFINISHED>;

export const DOUBT = named(
  'doubt',
  closed({
    about: oneOf(['tokens', 'cost', 'duration', 'output']),
    message: text(
      'What was reported, and what was observed; for `output`, that a recording does not tell the answer.',
    ),
  }),
);
export type Doubt = TypeOf<typeof DOUBT>;

export interface RecordedToolCall {
  readonly tool: string;
  readonly input?: Json | undefined;
  readonly output?: Json | undefined;
  readonly id?: string | undefined;
  readonly duration_ms?: number | undefined;
  readonly status?: string | undefined;
  /** Which agent asked for it, where there are several. */
  readonly agent?: string | undefined;
  /** The provider of the model ran it inside of its response. */
  readonly executed_by?: string | undefined;
  /**
   * `duration_ms` was taken between model calls: the tool took at most as long. `parallel`: other calls ran at the same
   * time, so a duration over a limit says nothing of this one.
   */
  readonly duration_bound?: 'alone' | 'parallel' | undefined;
}

/** The three are disjoint: all tokens are `input + cached + output`. Cache writes are in `input`, `reasoning` is in `output`. */
export const USAGE = named(
  'usage',
  closed({
    input: count(),
    output: count(),
    cached: optional(count('Read from a cache; not in `input`.')),
    reasoning: optional(count('Of `output`.')),
  }),
);
export type TokenUsage = TypeOf<typeof USAGE>;

/** A model or tool call, and when it was made. */
export const TIMED_CALL = named(
  'timedCall',
  closed({
    kind: oneOf(['model', 'tool']),
    name: text('The model or the tool.'),
    start_ms: optional(
      amount(
        'From the start of the step. Absent, like all times of a call, where model calls were replayed.',
      ),
    ),
    duration_ms: optional(
      amount(
        'A tool took at most this long: it is the time between two model calls. Absent if no result came.',
      ),
    ),
    time_to_first_token_ms: optional(amount()),
    failed: optional(described<true>({ const: true }, 'It was refused, broke off, or reported an error.')),
    agent: optional(text('Who made it, where there are several agents.')),
    token_usage: optional(USAGE),
    cost_usd: optional(amount('By the price table.')),
    sent: optional(
      about(
        SENT_REQUEST,
        'What the model was sent. Absent where it was not observed, and in runs of older versions.',
      ),
    ),
  }),
);
export type TimedCall = TypeOf<typeof TIMED_CALL>;
