import type { ApprovalAnswer, Approvals } from './approval.ts';
import type { Assertion } from './assertion.ts';
import type { Fault } from './fault.ts';
import type { JsonObject } from './json.ts';
import type { AttemptLimits } from './limits.ts';
import type { Message } from './message.ts';
import type { PassAtLeast } from './pass-at-least.ts';
import type { PathSegment, Place } from './place.ts';
import type { WorkspacePlan } from './workspace.ts';

/** One scenario: what the agent is told, step by step, and what must hold. */
export interface Test {
  readonly id: string;
  readonly description?: string | undefined;
  /** The goal in words. */
  readonly expected_outcome?: string | undefined;
  readonly conversation_id?: string | undefined;
  /** Memory the agent starts with. */
  readonly memory?: JsonObject | undefined;
  readonly steps: readonly Step[];
  /** The only step's messages, for a test of one step. */
  readonly input_messages?: readonly Message[] | undefined;
  readonly expected_messages?: readonly Message[] | undefined;
  /** Judged once, on the whole transcript, when the test has several steps. */
  readonly assertions: readonly Assertion[];
  /** The agent that runs it; undefined: the config decides. */
  readonly target?: string | undefined;
  /** The agents that run it, where several are named: at least two. */
  readonly targets?: readonly string[] | undefined;
  readonly threshold?: number | undefined;
  /** How often it is run, when the command line does not say. */
  readonly repeats?: number | undefined;
  /** How often it must pass; every time when it does not say. */
  readonly pass_at_least?: PassAtLeast | undefined;
  /** What one attempt may use at most. */
  readonly limits?: AttemptLimits | undefined;
  /** What answers the agent when it asks for permission. */
  readonly approvals?: Approvals | undefined;
  /** Where an attempt ends, whatever the agent would do next. */
  readonly stop_after?: 'first_tool_call' | undefined;
  /** What goes wrong on purpose in each attempt. */
  readonly faults?: readonly Fault[] | undefined;
  /** The folder that its agent may change. */
  readonly workspace?: WorkspacePlan | undefined;
  readonly tags: readonly string[];
  /** true, or the reason. */
  readonly skip?: true | string | undefined;
  readonly only?: true | undefined;
  readonly metadata?: JsonObject | undefined;
  /** What its templates were filled in with; absent where braces are text. */
  readonly vars?: JsonObject | undefined;
  /** The row that it was made from, for a test with `each`. */
  readonly row?: DataRow | undefined;
  readonly place: Place;
}

/** One row of `each`: its place in a list of the suite, or in a file of rows. */
export interface DataRow extends Place {
  /** The line in the suite after the test that all rows share. */
  readonly templateEnd: number;
  /** For a row in the suite itself: the line after it, and the first and last line of all rows. */
  readonly end?: number;
  readonly list?: { readonly first: number; readonly last: number };
}

/** One input to the agent and everything until it replies. */
export interface Step {
  readonly input_messages: readonly Message[];
  readonly expected_messages: readonly Message[];
  readonly assertions: readonly Assertion[];
  /** In place of messages: the answer to what the agent asked and waits for. */
  readonly approval?: ApprovalAnswer | undefined;
  readonly place: Place;
  /** Where each message stands. Computed when asked for: a dataset of a million lines never needs most of them. */
  readonly places: MessagePlaces;
}

export type MessageList = 'input_messages' | 'expected_messages';

export interface MessagePlaces {
  readonly input_messages: readonly Place[];
  readonly expected_messages: readonly Place[];
  /** The place of something inside a message, with its path in the file. */
  inside(list: MessageList, index: number, path: readonly PathSegment[]): Place & { readonly path: string };
}
