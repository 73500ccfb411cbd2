/**
 * `rate_limit`, `server` and `network` are the infrastructure's: asking again may help. `request` and `setup` are
 * mistakes that stay; `unset` is a key or another variable that this machine does not have. `stopped` is a call that somebody
 * else ended.
 */
export type ModelErrorKind =
  | 'rate_limit'
  | 'server'
  | 'network'
  | 'timeout'
  | 'request'
  | 'setup'
  | 'unset'
  | 'stopped';

interface ModelErrorDetails {
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** A model that did not answer. It carries no cause: the SDK's errors hold requests and responses, and with them secrets. */
export class ModelError extends Error {
  readonly kind: ModelErrorKind;
  readonly status: number | undefined;
  /** How long the server asks to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(kind: ModelErrorKind, message: string, { status, retryAfterMs }: ModelErrorDetails = {}) {
    super(message);
    this.name = 'ModelError';
    this.kind = kind;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }

  get isRetryable(): boolean {
    return this.kind === 'rate_limit' || this.kind === 'server' || this.kind === 'network';
  }
}
