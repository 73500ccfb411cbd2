import { refusalAnswer, type CallDecision } from './before-call.ts';

/** The response to a call that is not sent. */
export function answerFetch(decision: Exclude<CallDecision, { do: 'forward' }>, url: URL): Response {
  const { status, headers, body } =
    decision.do === 'answer' ? decision.answer : refusalAnswer(decision.message);
  const response = new Response(toStream(body), { status, headers });
  Object.defineProperty(response, 'url', { value: url.href });
  return response;
}

function toStream(body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const chunks = Symbol.asyncIterator in body ? body[Symbol.asyncIterator]() : body[Symbol.iterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return?.();
    },
  });
}
