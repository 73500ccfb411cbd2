import type { Finding } from '../base/model/finding.ts';
import type { Message } from '../base/model/message.ts';
import type { RecordedToolCall, TimedCall, TokenUsage } from '../base/model/reply.ts';

/** What an agent did in one step, as one source tells it. A field that is undefined: the source does not tell. */
export interface Trace {
  /** The final answer. */
  readonly output?: string | undefined;
  /** In the order in which the model requested them. Empty: there were none. */
  readonly tool_calls?: readonly RecordedToolCall[] | undefined;
  /** Of the main conversation, from the answer to the last user message on. */
  readonly messages?: readonly Message[] | undefined;
  readonly token_usage?: TokenUsage | undefined;
  /** False: a model call did not tell its usage, so `token_usage` is a lower bound. */
  readonly usage_complete?: boolean | undefined;
  readonly models?: readonly string[] | undefined;
  /** What each model used, where there are several. */
  readonly usage_by_model?: Readonly<Record<string, TokenUsage>> | undefined;
  readonly model_calls?: number | undefined;
  readonly cost_usd?: number | undefined;
  readonly duration_ms?: number | undefined;
  readonly time_to_first_token_ms?: number | undefined;
  /** The calls of the step in time. */
  readonly timeline?: readonly TimedCall[] | undefined;
  /** What continues this conversation: the session of a coding agent. */
  readonly session_id?: string | undefined;
  /** The agent reports that it failed: there is no answer to judge. */
  readonly failure?: string | undefined;
  /** Why calls may be missing from `tool_calls`: a stream broke off, a part could not be read. */
  readonly gap?: TraceProblem | undefined;
  /** The source ended early, or reports a failure after the answer: the answer may be incomplete. */
  readonly is_cut?: boolean | undefined;
  /** The model's name of a tool, by this source's name, if the source uses its own names and arguments. */
  readonly tool_aliases?: Readonly<Record<string, string>> | undefined;
  /** One response of a model, or the last step of a run: what observed model calls show of the same step tells more. */
  readonly is_last_response?: boolean | undefined;
  /** There was a model call that may be of this attempt or of another. */
  readonly is_unattributed?: boolean | undefined;
  /** Calls of models through APIs that Assay cannot read. The agent's own report tells what they hold, if it has one. */
  readonly unread?: readonly UnreadCall[] | undefined;
  /** What may hide calls: work of the agent that nobody could read. The agent's own report tells of it, if it has one. */
  readonly hidden?: readonly TraceProblem[] | undefined;
  /** Hosts and programs that would hide something if the config did not declare them harmless. */
  readonly harmless?: readonly string[] | undefined;
  /** The names of all tools that were offered to a model. */
  readonly offered_tools?: readonly string[] | undefined;
  /** What the source holds and Assay does not know. */
  readonly warnings?: readonly TraceWarning[] | undefined;
}

/** A call of a model through an API that Assay cannot read: what the model asked for there is unknown, also if no tools are offered. */
export interface UnreadCall {
  /** Method and path, without the query. */
  readonly at: string;
  /** The tool that is called, if it is a call of a tool and not of a model. */
  readonly tool?: string | undefined;
}

/** Where in the source something is, and what. */
export interface TraceProblem {
  readonly at: string;
  readonly form: string;
}

export type TraceWarning = Pick<Finding, 'code' | 'message' | 'hint'>;
