import type { OfflineRules } from '../evidence/observe/block-connections.ts';
import type { ObservationOptions, SeenCalls } from '../evidence/observe/observation.ts';
import type { AttemptLimits } from '../model/limits.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { ErrorKind } from '../model/record.ts';
import type { RefusedStatus } from '../model/refused-status.ts';
import type { AgentRequest, Reply, TokenUsage, TraceGap } from '../model/reply.ts';
import type { SeenInputs } from '../model/seen-inputs.ts';
import type { Test } from '../model/test.ts';
import type { RetryRules } from '../retry.ts';
import type { ReplyWarning } from './reply-warning.ts';
import type { UnreadCall } from './unread-call.ts';

/** Now or later: an agent of this process often answers at once, and waiting for that costs as much as a fast test. */
export type NowOrLater<T> = T | Promise<T>;

/** In USD; undefined when the price of the model is not known. */
export type CostOf = (model: string, usage: TokenUsage) => number | undefined;

/** The system under test. One agent serves a whole run. */
export interface Agent {
  /** For people and records: `agent.py`, `cmd: ./my-agent`, a target's name. */
  readonly name: string;
  /** How many sessions may be open at once when nobody said otherwise. */
  readonly workers: number;
  /** How often and how late an attempt is made again after an infrastructure failure, where the target says so. */
  readonly retry?: RetryRules | undefined;
  /** How long it kept this process waiting, for an agent that could say how many may run at once and does not. */
  waitedMs?(): number;
  /** What each request carries to it from its target. */
  readonly settings?: JsonObject | undefined;
  /** What one attempt of it may use at most. */
  readonly limits?: AttemptLimits | undefined;
  /** What a model costs, for replies that tell their tokens and not their cost. */
  readonly costOf?: CostOf | undefined;
  /** `own`: Assay makes its model calls itself. `observed`: they pass through Assay. Undefined: nobody sees them. */
  readonly modelCalls?: 'own' | 'observed' | undefined;
  /** It is called as a function: the time until it answers is its own, without the start of a program or a network. */
  readonly isFunction?: boolean | undefined;
  /** Tools that it forces a model to call only to get an answer in a form. */
  readonly answerTools?: ReadonlySet<string> | undefined;
  /** Which files it used so far, where somebody asked for it. Undefined: nobody can see it. */
  inputs?(): SeenInputs;
  /** One session per attempt. */
  open(test: Pick<Test, 'id'> & { readonly file: string }, options?: OpenOptions): NowOrLater<Session>;
  /** Ends whatever the agent keeps running. */
  close(): Promise<void>;
}

/**
 * Whether the model calls of an agent are watched. `offline`: none of them goes to a model, also when nobody is watched, because
 * they are answered from recordings.
 */
export type Observing = boolean | 'offline';

/** Who decides about the model calls of the session that pass through Assay. */
export interface OpenOptions extends ObservationOptions {
  /** While model calls are replayed: no other host than these may be reached. */
  readonly offline?: OfflineRules | undefined;
  /** Called when it no longer waits for other sessions of the same agent. */
  onTurn?(): void;
  /** What the model got as the result of a tool call, where somebody changed it. The calls of the session count from 0 on. */
  changedOutput?(index: number): Json | undefined;
}

export interface Session {
  /**
   * Sends one step. What the agent returned comes as it is: `readReply` makes a Reply of it.
   * When `signal` aborts, whatever runs for this step is killed and the promise rejects. A session that answers at once may throw at once.
   */
  send(request: AgentRequest, signal: AbortSignal): NowOrLater<RawReply>;
  close(): NowOrLater<void>;
}

/** Opens what answers the steps of one test: a session of an agent, a recorded attempt, or prepared replies. */
export type Replies = (options: OpenOptions) => NowOrLater<Session>;

/** What an agent returned for a step, before anybody read it. */
export interface RawReply {
  /** Undefined is what a function returns that returns nothing. */
  readonly reply: Json | undefined;
  /** What the agent printed beside its reply (stdout that is no reply, stderr). */
  readonly printed: string;
  /** How long the agent took, where the time somebody waited for the reply says something else. */
  readonly durationMs?: number | undefined;
  /** Why the reply may not be what was meant, where only the agent's kind can tell. */
  readonly warning?: ReplyWarning | undefined;
  /** Why the tools are not known when the reply reports none, where the agent's kind decides that. Default: they are missing. */
  readonly unreported?: TraceGap | undefined;
  /** A tool call in the response of an endpoint that the mapping of the reply leaves out. */
  readonly unmapped?: UnreadCall | undefined;
  /** When the first part of a streamed reply came. */
  readonly timeToFirstTokenMs?: number | undefined;
  /** Of a recorded reply, which was read once already: what came from other sources than the agent's report. */
  readonly recorded?: Partial<Reply> | undefined;
  /** The model that the agent was started with. It counts where nothing else names one. */
  readonly model?: string | undefined;
  /** The names of the MCP servers that the agent has, where the names of their tools do not show them. */
  readonly mcpServers?: readonly string[] | undefined;
  /** The model calls that the agent made since its last reply. Undefined: nobody watched it. */
  readonly observed?: SeenCalls | undefined;
}

export interface AgentErrorDetails {
  readonly printed?: string;
  /** How long the other side asks to be left alone. */
  readonly retryAfterMs?: number | undefined;
  /** It says that it is asked too much. */
  readonly isRateLimit?: boolean;
  /** The status with which the target's model API or endpoint refused the key. */
  readonly refusedStatus?: RefusedStatus | undefined;
  readonly cause?: unknown;
  readonly observed?: SeenCalls | undefined;
}

/** An agent that did not answer. The run goes on: it becomes the error of that attempt. */
export class AgentError extends Error {
  readonly kind: ErrorKind;
  readonly printed: string;
  readonly retryAfterMs: number | undefined;
  readonly isRateLimit: boolean;
  readonly refusedStatus: RefusedStatus | undefined;
  /** The model calls that it made before it failed, where somebody watched. */
  readonly observed: SeenCalls | undefined;

  constructor(
    kind: ErrorKind,
    message: string,
    {
      printed = '',
      retryAfterMs,
      isRateLimit = false,
      refusedStatus,
      cause,
      observed,
    }: AgentErrorDetails = {},
  ) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'AgentError';
    this.kind = kind;
    this.printed = printed;
    this.retryAfterMs = retryAfterMs;
    this.isRateLimit = isRateLimit;
    this.refusedStatus = refusedStatus;
    this.observed = observed;
  }
}

/** Something else in the same process ended it, so nothing is known about the attempt: it runs again. */
export class BystanderError extends AgentError {
  constructor(message: string) {
    super('infrastructure', message);
  }
}
