import { QueueError } from './queue-error.ts';

export interface QueueAddress {
  readonly kind: 'redis' | 'postgres';
  readonly url: string;
  /** For people and files: without user, password and parameters. */
  readonly shown: string;
  /** What must never be shown or written. */
  readonly secrets: readonly string[];
}

const KINDS: Readonly<Record<string, QueueAddress['kind']>> = {
  'redis:': 'redis',
  'rediss:': 'redis',
  'postgres:': 'postgres',
  'postgresql:': 'postgres',
};

/**
 * `redis://...`, `postgres://...`, or the name of a variable that holds one; a variable keeps the password off the
 * command line.
 */
export function readQueueAddress(
  given: string,
  env: Readonly<Record<string, string | undefined>>,
): QueueAddress {
  const isName = /^[A-Za-z_]\w*$/.test(given);
  const text = isName ? env[given] : given;
  if (text === undefined || text === '')
    throw new QueueError(`--queue refers to the variable ${given}, but it is not set`, { hint: HINT });
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const kind = url === undefined ? undefined : KINDS[url.protocol];
  if (url === undefined || kind === undefined)
    throw new QueueError(`${isName ? given : '--queue'} is not the address of a queue`, { hint: HINT });
  const password = decodeURIComponent(url.password);
  return {
    kind,
    url: text,
    shown: `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}`,
    secrets: password === '' ? [] : [password, text],
  };
}

const HINT =
  'use redis://host:6379 or postgres://user:password@host/database, or the name of a variable that contains it';
