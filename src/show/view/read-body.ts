import type { IncomingMessage } from 'node:http';

/** The body of a request, of which the guard has checked the length. Undefined if it is not JSON in UTF-8. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
