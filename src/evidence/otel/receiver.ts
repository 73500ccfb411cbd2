import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Json } from '../../base/model/json.ts';
import { JsonLimitError, parseJson } from '../../base/model/parse-json.ts';
import { decodeProtobuf, ProtobufError, type Signal } from './decode-protobuf.ts';

/** Takes telemetry by OTLP over HTTP, on this machine only. */
export interface Receiver {
  /** What OTEL_EXPORTER_OTLP_ENDPOINT is to be. */
  readonly endpoint: string;
  /** Waits until everybody who was connected has gone, and all that they sent was read. */
  disconnected(): Promise<void>;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  /** Undefined: one that is free, below a path that nobody can guess. */
  readonly port?: number | undefined;
  onTelemetry(body: Json): void;
  /** A request that could not be read: what is in it is lost. */
  onLost(why: string): void;
  /** Told of every request as it came, to pass it on. */
  onRaw?: ((request: RawTelemetry) => void) | undefined;
}

export interface RawTelemetry {
  /** `/v1/traces` */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const { port = 0 } = options;
  const prefix = options.port === undefined ? `/${randomBytes(24).toString('base64url')}` : '';
  const sockets = new Set<Socket>();
  let underWay = 0;
  let onQuiet: (() => void) | undefined;
  const lookForQuiet = (): void => {
    if (sockets.size === 0 && underWay === 0) onQuiet?.();
  };
  const server = createServer((request, response) => {
    underWay++;
    void take(request, { prefix, options })
      .then((answer) => send(response, answer))
      // A connection that broke off: what it sent is not whole.
      .catch((error: unknown) => options.onLost((error as Error).message))
      .finally(() => {
        underWay--;
        lookForQuiet();
      });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      lookForQuiet();
    });
  });
  server.keepAliveTimeout = 600_000;
  await listen(server, port);
  server.unref();
  const own = (server.address() as AddressInfo).port;
  return {
    endpoint: `http://127.0.0.1:${own}${prefix}`,
    async disconnected() {
      // Connections are taken in their order: when ours was, those of a program that has ended were too.
      await knock(own);
      await new Promise<void>((resolve) => {
        onQuiet = resolve;
        lookForQuiet();
      });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function knock(port: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => socket.end());
    socket.resume().on('error', () => resolve());
    socket.on('close', () => resolve());
  });
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

async function take(
  request: IncomingMessage,
  { prefix, options }: { readonly prefix: string; readonly options: ReceiverOptions },
): Promise<Answer> {
  const [path = ''] = (request.url ?? '').split('?', 1);
  const signal = path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
  const isKnown = signal !== undefined && /^\/v1\/(?:traces|logs|metrics)$/.test(signal);
  if (!isKnown || request.method !== 'POST') {
    request.resume();
    return { status: isKnown ? 405 : 404, type: 'text/plain', body: 'not an address of OTLP over HTTP\n' };
  }
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  const isJson = type === 'application/json';
  const refuse = (status: number, message: string): Answer => {
    options.onLost(message);
    return { status, type: 'application/json', body: JSON.stringify({ code: 3, message }) };
  };
  const body = await readBody(request);
  if (body === undefined) return refuse(413, `a request has more than ${MOST_BYTES / MB} MB`);
  const own = request.headers['content-encoding'];
  const headers = { 'content-type': type, ...(own === undefined ? {} : { 'content-encoding': own }) };
  options.onRaw?.({ path: signal, headers, body });
  const done: Answer = { status: 200, type, body: isJson ? '{}' : '' };
  if (signal === '/v1/metrics') return done;
  if (!isJson && type !== 'application/x-protobuf')
    return refuse(
      415,
      `a request is of the type ${JSON.stringify(type.slice(0, 80))}, and not JSON or protobuf`,
    );
  let telemetry: Json;
  try {
    const plain = await unpack(body, own);
    telemetry = isJson
      ? parseJson(plain.toString('utf8'))
      : decodeProtobuf(plain, signal.slice('/v1/'.length) as Signal);
  } catch (error) {
    return refuse(400, `a request cannot be read: ${describe(error)}`);
  }
  options.onTelemetry(telemetry);
  return done;
}

const MB = 1024 * 1024;
/** Exporters send batches of 512 spans. */
const MOST_BYTES = 64 * MB;
const MOST_UNPACKED_BYTES = 128 * MB;

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Read to the end, so that the other side gets the answer.
    if (size <= MOST_BYTES) chunks.push(chunk);
  }
  return size > MOST_BYTES ? undefined : Buffer.concat(chunks);
}

const UNPACKERS = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

async function unpack(body: Buffer, encoding = 'identity'): Promise<Buffer> {
  if (encoding === 'identity' || encoding === '') return body;
  if (!Object.hasOwn(UNPACKERS, encoding))
    throw new Error(`it is packed as ${JSON.stringify(encoding.slice(0, 40))}`);
  return (await UNPACKERS[encoding as keyof typeof UNPACKERS](body, {
    maxOutputLength: MOST_UNPACKED_BYTES,
  })) as Buffer;
}

function describe(error: unknown): string {
  if (error instanceof ProtobufError || error instanceof JsonLimitError) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ERR_BUFFER_TOO_LARGE'
    ? `unpacked, it has more than ${MOST_UNPACKED_BYTES / MB} MB`
    : message.slice(0, 200);
}

function send(response: ServerResponse, { status, type, body }: Answer): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
