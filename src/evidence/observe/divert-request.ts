import type { Agent, ClientRequest, OutgoingHttpHeaders, RequestOptions, Server } from 'node:http';
import { Duplex } from 'node:stream';
import type { Observation } from './observation.ts';
import { relayCall } from './relay-call.ts';
import { openUnobserved } from './seen-requests.ts';

interface DivertedOptions extends RequestOptions {
  readonly agent: Agent;
}

/** Lets a server in this process have a request of `node:http` before it is connected, so that somebody can decide what becomes of it. */
export function divertRequest(
  request: ClientRequest,
  options: DivertedOptions,
  observation: Observation,
): void {
  request.onSocket(openPipe(observation, options) as never);
}

/** A connection to a server in this process, which does what `observation` decides. Without `options` nothing can be sent on. */
export function openPipe(observation: Observation, options?: DivertedOptions): Duplex {
  const [near, far] = createPipe();
  calls.set(far, { options, observation });
  openServer().emit('connection', far);
  return near;
}

interface DivertedCall {
  readonly options: DivertedOptions | undefined;
  readonly observation: Observation;
}

const calls = new WeakMap<object, DivertedCall>();
let server: Server | undefined;

function openServer(): Server {
  const { createServer } = process.getBuiltinModule('node:http');
  server ??= createServer((incoming, outgoing) => {
    const { options, observation } = calls.get(incoming.socket)!;
    relayCall(incoming, outgoing, {
      observation,
      path: incoming.url ?? '/',
      send: (headers) => send(options!, { method: incoming.method, headers }),
    });
  });
  return server;
}

function send(
  options: DivertedOptions,
  { method, headers }: { readonly method: string | undefined; readonly headers: OutgoingHttpHeaders },
): ClientRequest {
  const isSecure =
    options.protocol === 'https:' || (options.agent as { protocol?: string }).protocol === 'https:';
  const { request } = process.getBuiltinModule(isSecure ? 'node:https' : 'node:http');
  return openUnobserved(() => request({ ...options, method, headers }));
}

/** Two ends of a connection that needs no network. */
function createPipe(): readonly [Duplex, Duplex] {
  const ends: PipeEnd[] = [];
  const near = new PipeEnd(() => ends[1]!);
  const far = new PipeEnd(() => ends[0]!);
  ends.push(near, far);
  return [near, far];
}

class PipeEnd extends Duplex {
  private readonly other: () => PipeEnd;
  private goOn: (() => void) | undefined;

  constructor(other: () => PipeEnd) {
    super();
    this.other = other;
  }

  override _read(): void {
    const resume = this.goOn;
    this.goOn = undefined;
    resume?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const other = this.other();
    if (other.push(chunk)) done();
    else other.goOn = done;
  }

  override _final(done: () => void): void {
    this.other().push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const other = this.other();
    if (!other.destroyed) process.nextTick(() => other.destroy());
    done(error);
  }

  /** What HTTP asks of a socket. */
  setTimeout(): this {
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
}
