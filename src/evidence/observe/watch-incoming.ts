import type { IncomingMessage } from 'node:http';
import type { OpenExchange } from './open-exchange.ts';

/** Copies a response while it comes. */
export function watchIncoming(response: IncomingMessage, exchange: OpenExchange): void {
  const { statusCode = 0, rawHeaders, headers } = response;
  const pairs = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : [],
  );
  exchange.respond(statusCode, pairs, headers['content-encoding']);
  const push = response.push.bind(response);
  response.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (chunk === null) {
      if (response.complete) exchange.end();
      else exchange.breakOff();
    } else if (chunk instanceof Uint8Array) exchange.receive(chunk);
    return push(chunk, encoding);
  };
}
