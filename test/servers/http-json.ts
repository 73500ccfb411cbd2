import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { printJson } from '../../src/base/model/print-json.ts';

export const readBody = (request: IncomingMessage): Promise<string> => text(request);

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(printJson(value));
}
