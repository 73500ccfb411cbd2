import type { QueueAddress } from './queue-address.ts';
import { QueueAway, QueueError } from './queue-error.ts';
import { within } from './within.ts';

/** Our prefix for keys in Redis, and our schema in Postgres. */
export const NAMESPACE = 'assay';
export const CONNECT_MS = 10_000;
/** A result is also in the events of its queue: we keep few of them, since nobody reads them. */
export const STREAMS = { events: { maxLen: 10 } };
const PROBE_MS = 5000;

export async function loadDriver<T>(module: () => Promise<T>, packages: string): Promise<T> {
  try {
    return await module();
  } catch (error) {
    throw new QueueError(`a queue needs packages that are not installed: ${packages.replace(' ', ' and ')}`, {
      hint: `npm install ${packages}`,
      cause: error,
    });
  }
}

/** Sends the server a request that it answers at once, and explains what went wrong. */
export async function probeQueue(address: QueueAddress, ask: () => Promise<unknown>): Promise<void> {
  let isAnswered = false;
  try {
    isAnswered = await within(PROBE_MS, ask);
  } catch (error) {
    throw explain(address, error);
  }
  if (!isAnswered)
    throw new QueueAway(`the queue ${address.shown} does not answer`, {
      hint: 'is the server running there?',
    });
}

/** Without the cause, which may contain the address. */
function explain({ shown, secrets }: QueueAddress, error: unknown): QueueError {
  const { code, name, message } = error as NodeJS.ErrnoException;
  const said = secrets.reduce(
    (text, secret) => text.replaceAll(secret, '[redacted]'),
    message === '' ? String(code) : message,
  );
  const Kind = LASTING.some((pattern) => pattern.test(`${code ?? ''} ${name} ${message}`))
    ? QueueError
    : QueueAway;
  return new Kind(`the queue ${shown} cannot be used: ${said}`, {
    hint: 'is the server running there, and does this user have access?',
  });
}

/** Errors that waiting does not fix. Anything else may be a server that starts, restarts or is away for a while. */
const LASTING = [
  // Redis: user, password, permissions, database number, or not a Redis server.
  /\b(?:NOAUTH|WRONGPASS|NOPERM)\b|invalid password|AUTH.*without any password|DB index is out of range|Protocol error/,
  // Postgres: user, password, database, permissions, features; a server or schema of another version.
  /^(?:28\w{3}|3D000|42501|0A000) |SASL|password must be a string|UnsupportedPostgresVersion|SchemaVersionMismatch/,
  // TLS: certificates, or a server without TLS.
  /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)|does not support SSL|wrong version number/,
];

/** Without a listener an error event would end the process; a broken connection is opened again. */
export function ignoreErrors<T extends { on(event: 'error', listener: (error: Error) => void): unknown }>(
  emitter: T,
): T {
  emitter.on('error', () => {});
  return emitter;
}
