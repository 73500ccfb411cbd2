import type { Agent as Connections, IncomingMessage, RequestOptions } from 'node:http';
import type { Transform } from 'node:stream';
import { OUTPUT_LIMIT_BYTES } from '../processes/limits.ts';
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
    const sent = open(url, request, (response) => {
      readAnswer(response).then(resolve, (error: unknown) => {
        sent.destroy();
        reject(error as Error);
      });
    });
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
  const decoder = await decoderFor(header('content-encoding'));
  const text = await readText(decoder === undefined ? response : response.compose(decoder));
  return { status, statusText, header, text };
}

async function decoderFor(encoding: string | undefined): Promise<Transform | undefined> {
  if (encoding === undefined || encoding === 'identity') return undefined;
  const { createBrotliDecompress, createUnzip } = await import('node:zlib');
  if (encoding === 'br') return createBrotliDecompress();
  if (encoding === 'gzip' || encoding === 'x-gzip' || encoding === 'deflate') return createUnzip();
  throw new AgentError('agent', `the response is encoded as ${encoding}, which was not asked for`);
}

async function readText(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > OUTPUT_LIMIT_BYTES)
      throw new AgentError('limit', `the response is longer than ${OUTPUT_LIMIT_BYTES / 1024 / 1024} MB`);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
}
