import type { ErrorKind } from '../../base/model/record.ts';
import type { RefusedStatus } from '../../base/model/refused-status.ts';
import type { SeenCalls } from '../observe/observation.ts';

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
