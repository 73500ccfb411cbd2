import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { APICallError, generateText, streamText, type LanguageModel } from 'ai';
import { expect, test } from 'vitest';
import { FORWARD, type BeforeCall } from '../../src/evidence/observe/before-call.ts';
import { gateFetch } from '../../src/evidence/observe/gate-fetch.ts';
import { FaultInjector } from '../../src/faults/fault-injector.ts';
import type { FaultAction } from '../../src/model/fault.ts';

/** A `fetch` that nothing leaves, and whose calls meet faults. */
function faulty(...actions: readonly FaultAction[]): typeof fetch {
  const place = { file: 'a', line: 1, column: 1 };
  const faults = actions.map((action, index) => ({ on: 'model', call: index + 1, do: action, place }));
  const beforeCall: BeforeCall = new FaultInjector(faults).around(() => FORWARD);
  const nowhere = (): Promise<Response> => Promise.reject(new Error('this must not be sent'));
  return gateFetch({ beforeCall }, { step: 1, toError: ({ message }) => new Error(message) })(nowhere);
}

const MODELS: Readonly<Record<string, (fetch: typeof globalThis.fetch) => LanguageModel>> = {
  chat: (fetch) => createOpenAI({ apiKey: 'k', fetch }).chat('m'),
  responses: (fetch) => createOpenAI({ apiKey: 'k', fetch }).responses('m'),
  anthropic: (fetch) => createAnthropic({ apiKey: 'k', fetch })('m'),
  google: (fetch) => createGoogleGenerativeAI({ apiKey: 'k', fetch })('m'),
};

test.each(Object.entries(MODELS))('%s: a text is an answer, whole and as a stream', async (_name, create) => {
  const fetch = faulty({ reply: 'lies, “all” of it' }, { reply: 'lies, “all” of it' });
  const whole = await generateText({ model: create(fetch), prompt: 'hello' });
  expect(whole).toMatchObject({ text: 'lies, “all” of it', finishReason: 'stop' });
  expect(whole.usage.totalTokens).toBe(0);
  const stream = streamText({ model: create(fetch), prompt: 'hello' });
  expect(await stream.text).toBe('lies, “all” of it');
  expect(await stream.finishReason).toBe('stop');
});

test.each(Object.entries(MODELS))(
  '%s: an error is one of the API, and tried again at once',
  async (_name, create) => {
    const failed = await generateText({ model: create(faulty(400)), prompt: 'hello' }).catch(
      (error: unknown) => error,
    );
    expect(failed).toBeInstanceOf(APICallError);
    expect(failed).toMatchObject({
      statusCode: 400,
      message: 'Assay injected this error: 400 at model call 1',
    });
    const limited = await generateText({ model: create(faulty(429)), prompt: 'hello', maxRetries: 0 }).catch(
      (error: unknown) => error,
    );
    // Some SDKs take 0 for nothing told.
    expect(limited).toMatchObject({ isRetryable: true, responseHeaders: { 'retry-after-ms': '1' } });
    const { text } = await generateText({
      model: create(faulty(429, 503, { reply: 'at last' })),
      prompt: 'hello',
    });
    expect(text).toBe('at last');
  },
);
