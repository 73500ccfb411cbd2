import type { ServerResponse } from 'node:http';
import { printJson } from '../../base/model/print-json.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** On every response, errors included. There is no header for other origins, so none of them may read. */
const HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
} as const;

/** The response to one request. */
export class HttpResponse {
  private readonly response: ServerResponse;

  constructor(response: ServerResponse) {
    this.response = response;
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  }

  get hasBegun(): boolean {
    return this.response.headersSent;
  }

  /** Aborted when the client has gone away. */
  get gone(): AbortSignal {
    const controller = new AbortController();
    if (this.response.destroyed) controller.abort();
    this.response.once('close', () => controller.abort());
    return controller.signal;
  }

  json(value: unknown, status = 200): void {
    this.whole('application/json; charset=utf-8', printJson(value), status);
  }

  text(text: string, status: number): void {
    this.whole('text/plain; charset=utf-8', `${text}\n`, status);
  }

  whole(type: string, body: string | Buffer, status = 200): void {
    const { response } = this;
    response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }).end(body);
  }

  redirect(location: string, cookie: string): void {
    this.response.writeHead(303, { Location: location, 'Set-Cookie': cookie, 'Content-Length': 0 }).end();
  }

  /**
   * Called once there is something to send: until then the response can become an error. Further calls do nothing.
   */
  begin(type: string): void {
    if (this.hasBegun) return;
    this.response.writeHead(200, { 'Content-Type': type });
    this.response.flushHeaders();
  }

  /** Resolves when more can be written: a slow reader slows us down. */
  write(piece: string | Buffer): Promise<void> {
    const { response } = this;
    if (response.destroyed || response.write(piece)) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        response.off('drain', done).off('close', done);
        resolve();
      };
      response.once('drain', done).once('close', done);
    });
  }

  end(): void {
    this.response.end();
  }

  /** A response that was started cannot become an error: it is cut off, so that nobody takes it for complete. */
  breakOff(): void {
    this.response.destroy();
  }
}
