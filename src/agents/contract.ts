import type { TelemetrySettings } from '../evidence/otel/telemetry-path.ts';
import type { OfflineRules } from '../evidence/observe/block-connections.ts';
import type { ObservationOptions } from '../evidence/observe/observation.ts';
import type { AttemptLimits } from '../base/model/limits.ts';
import type { Json, JsonObject } from '../base/model/json.ts';
import type { AgentRequest } from '../base/model/reply.ts';
import type { SeenInputs } from '../base/model/seen-inputs.ts';
import type { Test } from '../base/model/test.ts';
import type { RetryRules } from '../base/system/retry.ts';
import type { CostOf, RawReply } from '../evidence/reply/raw-reply.ts';

export { AgentError, BystanderError, type AgentErrorDetails } from '../evidence/reply/agent-error.ts';
export type { CostOf, RawReply } from '../evidence/reply/raw-reply.ts';

/** Now or later: an agent of this process often answers at once, and waiting for that costs as much as a fast test. */
export type NowOrLater<T> = T | Promise<T>;

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
export type Observing = boolean | 'offline' | TelemetrySettings;

/** Where its telemetry is read instead. */
export function telemetryOf(observe: Observing | undefined): TelemetrySettings | undefined {
  return typeof observe === 'object' ? observe : undefined;
}

/** Whether model calls pass through Assay while they are made. */
export function passesCalls(observe: Observing | undefined): boolean {
  return observe === true || observe === 'offline';
}

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
