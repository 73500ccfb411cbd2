import type { JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { OpenExchange } from './open-exchange.ts';

export type Fetch = typeof globalThis.fetch;
export type FetchArguments = Parameters<Fetch>;

/** Lets an exchange have a copy of what `fetch` sends. Gives the arguments to call it with: a stream is watched on its way. */
export function copyBody(args: FetchArguments, exchange: OpenExchange): FetchArguments {
  const [input, init] = args;
  const body: unknown = init?.body;
  if (body === undefined || body === null) {
    if (input instanceof Request && !input.bodyUsed && input.body !== null)
      copyLater(input.clone(), exchange);
    return args;
  }
  if (body instanceof Blob) copyLater(body, exchange);
  else if (isStream(body)) return [input, { ...init, body: watchStream(body, exchange) as never }];
  else copyNow(body, exchange);
  return args;
}

/** Reads all that `fetch` is about to send, for whoever decides what becomes of it. Gives the arguments to send the same with. */
export async function bufferBody(args: FetchArguments, exchange: OpenExchange): Promise<FetchArguments> {
  const [input, init] = args;
  const body: unknown = init?.body;
  const source = body ?? (input instanceof Request && !input.bodyUsed ? input.body : undefined);
  if (source === undefined || source === null) return args;
  if (!isStream(source)) {
    if (source instanceof Blob) exchange.send(new Uint8Array(await source.arrayBuffer()));
    else copyNow(source, exchange);
    return args;
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  const bytes = Buffer.concat(chunks);
  exchange.send(bytes);
  return [input, { ...init, body: bytes }];
}

/** Sends something else instead. */
export function replaceBody([input, init]: FetchArguments, request: JsonObject): FetchArguments {
  const body = printJson(request);
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
  headers.delete('content-length');
  return [input, { ...init, headers, body }];
}

function copyNow(body: unknown, exchange: OpenExchange): void {
  if (typeof body === 'string') exchange.send(body);
  else if (body instanceof ArrayBuffer) exchange.send(new Uint8Array(body));
  else if (ArrayBuffer.isView(body))
    exchange.send(new Uint8Array(body.buffer, body.byteOffset, body.byteLength));
}

/** It is read in full long before the response can be. */
function copyLater(body: { arrayBuffer(): Promise<ArrayBuffer> }, exchange: OpenExchange): void {
  body.arrayBuffer().then(
    (bytes) => exchange.send(new Uint8Array(bytes)),
    () => {},
  );
}

type BodyStream = AsyncIterable<Uint8Array | string>;

/** Web streams, and streams of Node, which `fetch` takes here too. */
function isStream(body: unknown): body is BodyStream {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body && !(body instanceof Blob);
}

/** Read as fast as it is sent, ended early when that ends early. */
async function* watchStream(body: BodyStream, exchange: OpenExchange): AsyncGenerator<Uint8Array | string> {
  for await (const chunk of body) {
    exchange.send(chunk);
    yield chunk;
  }
}
