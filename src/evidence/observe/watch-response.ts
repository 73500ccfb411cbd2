import type { OpenExchange } from './open-exchange.ts';

/**
 * The same response, whose body is copied while the agent reads it: no sooner, no faster, and no further than it does.
 */
export function watchResponse(response: Response, exchange: OpenExchange): Response {
  exchange.respond(response.status, response.headers);
  if (response.body === null) {
    exchange.end();
    return response;
  }
  const { status, statusText, headers } = response;
  const watched = new Response(watchBody(response.body, exchange), { status, statusText, headers });
  return likeOriginal(watched, response);
}

/** A response that is made by hand does not say where it came from. */
function likeOriginal(watched: Response, { url, redirected, type }: Response): Response {
  const clone = (): Response =>
    likeOriginal(Response.prototype.clone.call(watched), { url, redirected, type } as Response);
  for (const [key, value] of Object.entries({ url, redirected, type, clone }))
    Object.defineProperty(watched, key, { value, configurable: true, writable: key === 'clone' });
  return watched;
}

function watchBody(body: ReadableStream<Uint8Array>, exchange: OpenExchange): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          exchange.end();
          controller.close();
          // Whoever brought a buffer of their own gets it back.
          controller.byobRequest?.respond(0);
          return;
        }
        exchange.receive(value);
        controller.enqueue(ownBytes(value));
      } catch (error) {
        exchange.breakOff();
        controller.error(error);
      }
    },
    cancel(reason) {
      exchange.breakOff();
      return reader.cancel(reason);
    },
  });
}

/** Whoever reads a stream of bytes gets the memory below them too. It must not be memory that small buffers of Node share. */
function ownBytes(chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  const isWhole = chunk.byteLength === chunk.buffer.byteLength;
  return isWhole ? (chunk as Uint8Array<ArrayBuffer>) : new Uint8Array(chunk);
}
