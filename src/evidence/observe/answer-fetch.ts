import { answerOf, type AnsweredCall, type ModelAnswer } from './before-call.ts';

/** The response to a call that is not sent. */
export function answerFetch(decision: AnsweredCall, url: URL): Response {
  const answer = answerOf(decision);
  const { status, headers } = answer;
  // These have no body at all.
  const body = [204, 205, 304].includes(status) ? null : toStream(answer);
  const response = new Response(body, { status, headers });
  Object.defineProperty(response, 'url', { value: url.href });
  return response;
}

function toStream({ body, isBroken = false }: ModelAnswer): ReadableStream<Uint8Array> {
  const chunks = Symbol.asyncIterator in body ? body[Symbol.asyncIterator]() : body[Symbol.iterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done !== true) controller.enqueue(value);
      else if (isBroken) controller.error(new TypeError('terminated', { cause: connectionReset() }));
      else controller.close();
    },
    async cancel() {
      await chunks.return?.();
    },
  });
}

/** A call that never gets a response, as `fetch` tells of it. */
export function failFetch(how: 'reset' | 'hang', signal: AbortSignal | null | undefined): Promise<never> {
  if (how === 'reset') return Promise.reject(new TypeError('fetch failed', { cause: connectionReset() }));
  return new Promise((_resolve, reject) => {
    const stop = (): void => reject(signal!.reason as Error);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

function connectionReset(): Error {
  return Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', errno: -104, syscall: 'read' });
}
