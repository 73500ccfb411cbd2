import { isUtf8 } from 'node:buffer';
import type { Agent as Connections, IncomingMessage, RequestOptions } from 'node:http';
import { promisify } from 'node:util';
import type { ZlibOptions } from 'node:zlib';
import { openUnobserved } from '../evidence/observe/seen-requests.ts';
import { OUTPUT_LIMIT_BYTES } from './processes/limits.ts';
import { AgentError } from './contract.ts';

export interface HttpRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  /** Not sent with GET and HEAD. */
  readonly body: string;
}

/** A response of any status, read to its end. */
export interface HttpAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly header: (name: string) => string | undefined;
  readonly text: string;
  /** The bytes of the text, if they are not valid UTF-8. */
  readonly invalid?: Buffer | undefined;
}

/** Keeps connections to one server open. `node:http` itself: `fetch` costs several times as much for each call. */
export interface HttpConnection {
  send(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer>;
  close(): void;
}

export async function createHttpConnection({ protocol }: URL): Promise<HttpConnection> {
  const { Agent, request: open } =
    protocol === 'https:' ? await import('node:https') : await import('node:http');
  const connections: Connections = new Agent({ keepAlive: true });
  return {
    send: (request, signal) => send(request, { open, connections, signal }),
    close: () => connections.destroy(),
  };
}

interface SendOptions {
  readonly open: typeof import('node:http').request;
  readonly connections: Connections;
  readonly signal: AbortSignal;
}

/**
 * Sends it once, and never again by itself: when a connection breaks, nobody can know whether the agent has begun. An
 * attempt that is made again is counted.
 */
function send(
  { url, method, headers, body }: HttpRequest,
  { open, connections, signal }: SendOptions,
): Promise<HttpAnswer> {
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Promise((resolve, reject) => {
    const request: RequestOptions = {
      method,
      agent: connections,
      signal,
      headers: {
        'user-agent': 'assay',
        'accept-encoding': 'gzip, deflate, br',
        ...Object.fromEntries(headers),
        ...(hasBody ? { 'content-length': Buffer.byteLength(body) } : {}),
      },
    };
    const onResponse = (response: IncomingMessage): void => {
      readAnswer(response).then(resolve, (error: unknown) => {
        sent.destroy();
        reject(error as Error);
      });
    };
    const sent = openUnobserved(() => open(url, request, onResponse));
    sent.on('error', reject);
    sent.end(hasBody ? body : undefined);
  });
}

async function readAnswer(response: IncomingMessage): Promise<HttpAnswer> {
  const { statusCode: status = 0, statusMessage: statusText = '', headers } = response;
  const header = (name: string): string | undefined => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  const bytes = await unpack(await readBytes(response), header('content-encoding'));
  const text = new TextDecoder().decode(bytes);
  return { status, statusText, header, text, invalid: isUtf8(bytes) ? undefined : bytes };
}

/** Unpacks the whole response at once: an error of a stream that unpacks is not always an error of the one that is read. */
async function unpack(bytes: Buffer, contentEncoding: string | undefined): Promise<Buffer> {
  const encoding = contentEncoding?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return bytes;
  if (!['br', 'gzip', 'x-gzip', 'deflate'].includes(encoding))
    throw new AgentError('agent', `the response is encoded as ${encoding}, but Assay did not request that`);
  if (bytes.length === 0) return bytes;
  const { brotliDecompress, unzip } = await import('node:zlib');
  const inflate = promisify<Buffer, ZlibOptions, Buffer>(encoding === 'br' ? brotliDecompress : unzip);
  try {
    return await inflate(bytes, { maxOutputLength: OUTPUT_LIMIT_BYTES });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLong();
    const problem = `the response cannot be unpacked: it says that it is ${encoding}, but is broken or cut off (${message})`;
    throw new AgentError('infrastructure', problem, { cause: error });
  }
}

async function readBytes(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > OUTPUT_LIMIT_BYTES) throw tooLong();
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

function tooLong(): AgentError {
  return new AgentError('limit', `the response is longer than ${OUTPUT_LIMIT_BYTES / 1024 / 1024} MB`);
}
