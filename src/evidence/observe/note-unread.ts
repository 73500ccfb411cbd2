import { unreadModelCall } from '../wire/unread-model-call.ts';
import type { FetchArguments } from './fetch-body.ts';
import type { Whose } from './observation.ts';

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  /** What is sent, or its first piece. Anything but text and bytes is not looked at. */
  readonly body: unknown;
}

/** Tells whoever makes a request that it calls a model in a way that Assay cannot read. */
export function noteUnread({ method, path, body }: SentRequest, whose: Whose): void {
  const call = unreadModelCall(method, path, plainBody(body));
  if (call !== undefined) whose(false)?.noteUnread(call);
}

/** The same for `fetch`. A body that is a stream is not looked at. */
export function noteUnreadFetch([input, init]: FetchArguments, whose: Whose): void {
  const request = input instanceof Request ? input : undefined;
  const method = (init?.method ?? request?.method ?? 'GET').toUpperCase();
  if (method !== 'POST') return;
  const address = request?.url ?? String(input);
  if (!URL.canParse(address)) return;
  const path = new URL(address).pathname;
  const body: unknown = init?.body;
  if (request === undefined || (body !== undefined && body !== null))
    return noteUnread({ method, path, body }, whose);
  const observation = whose(false);
  if (observation === undefined || request.bodyUsed || request.body === null) return;
  const note = (text: string | undefined): void => {
    const call = unreadModelCall(method, path, text);
    if (call !== undefined) observation.noteUnread(call);
  };
  request
    .clone()
    .text()
    .then(note, () => note(undefined));
}

function plainBody(body: unknown): string | Uint8Array | undefined {
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  return ArrayBuffer.isView(body) ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength) : undefined;
}
