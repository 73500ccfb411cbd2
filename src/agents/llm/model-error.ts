/**
 * `rate_limit`, `server` and `network` come from the infrastructure: a retry may help. `request` and `setup` are
 * lasting mistakes; `unset` is a key or another variable that this machine does not have. `stopped` is a call that
 * was ended from outside. `limit`, `cassette` and `config` are calls that Assay did not let through.
 */
export type ModelErrorKind =
  | 'rate_limit'
  | 'server'
  | 'network'
  | 'timeout'
  | 'request'
  | 'setup'
  | 'unset'
  | 'stopped'
  | 'limit'
  | 'cassette'
  | 'config';

interface ModelErrorDetails {
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
}

/**
 * A model that did not reply. It has no cause: the SDK's errors contain requests and responses, and with them
 * secrets.
 */
export class ModelError extends Error {
  readonly kind: ModelErrorKind;
  readonly status: number | undefined;
  /** How long the server wants us to wait. */
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
