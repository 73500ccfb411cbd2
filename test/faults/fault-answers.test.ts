import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import {
  APICallError,
  generateText,
  jsonSchema,
  stepCountIs,
  streamText,
  tool,
  type LanguageModel,
} from 'ai';
import { expect, test } from 'vitest';
import { FORWARD, type BeforeCall } from '../../src/evidence/observe/before-call.ts';
import { gateFetch } from '../../src/evidence/observe/gate-fetch.ts';
import { FaultInjector } from '../../src/evidence/faults/fault-injector.ts';
import type { Fault, FaultAction } from '../../src/base/model/fault.ts';
import { startModelServer } from '../servers/model-server.ts';

const place = { file: 'a', line: 1, column: 1 };

/** A `fetch` that nothing leaves, and whose calls meet faults. */
function faulty(...actions: readonly FaultAction[]): typeof fetch {
  const faults = actions.map((action, index) => ({ on: 'model', call: index + 1, do: action, place }));
  return gated(faults, () => Promise.reject(new Error('this must not be sent')));
}

function gated(faults: readonly Fault[], send: typeof fetch): typeof fetch {
  const beforeCall: BeforeCall = new FaultInjector(faults).around(() => FORWARD);
  return gateFetch({ beforeCall }, { step: 1, toError: ({ message }) => new Error(message) })(send);
}

const MODELS: Readonly<Record<string, (fetch: typeof globalThis.fetch) => LanguageModel>> = {
  chat: (fetch) => createOpenAI({ apiKey: 'k', fetch }).chat('m'),
  responses: (fetch) => createOpenAI({ apiKey: 'k', fetch }).responses('m'),
  anthropic: (fetch) => createAnthropic({ apiKey: 'k', fetch })('m'),
  google: (fetch) => createGoogleGenerativeAI({ apiKey: 'k', fetch })('m'),
};

test.each(Object.entries(MODELS))(
  "%s: a given text is the model's answer, whole and as a stream",
  async (_name, create) => {
    const fetch = faulty({ reply: 'lies, “all” of it' }, { reply: 'lies, “all” of it' });
    const whole = await generateText({ model: create(fetch), prompt: 'hello' });
    expect(whole).toMatchObject({ text: 'lies, “all” of it', finishReason: 'stop' });
    expect(whole.usage.totalTokens).toBe(0);
    const stream = streamText({ model: create(fetch), prompt: 'hello' });
    expect(await stream.text).toBe('lies, “all” of it');
    expect(await stream.finishReason).toBe('stop');
  },
);

test.each(Object.entries(MODELS))(
  "%s: an error has the API's form and can be retried at once",
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

test.each(Object.entries(MODELS))('%s: the tool calls of a stream are counted', async (_name, create) => {
  const search = { name: 'search', args: '{}' };
  const server = await startModelServer([
    { toolCalls: [search, search] },
    { toolCalls: [search] },
    { text: 'done' },
  ]);
  const faults: readonly Fault[] = [
    { on: 'tool search', call: 2, do: { reply: 'second lie' }, place },
    { on: 'tool search', call: 3, do: 'truncate', place },
  ];
  const toServer: typeof fetch = (input, init) => {
    const { pathname, search: query } = new URL(input as string);
    return fetch(server.url + pathname + query, init);
  };
  const inputSchema = jsonSchema<object>({ type: 'object', properties: {} });
  const { text } = streamText({
    model: create(gated(faults, toServer)),
    prompt: 'hello',
    tools: { search: tool({ inputSchema, execute: () => 'a result of the tool' }) },
    stopWhen: stepCountIs(5),
  });
  expect(await text).toBe('done');
  const results = (sent: string) => sent.match(/a result of the tool|second lie|a result o(?!f)/g);
  expect(server.requests.map((request) => results(request.text))).toEqual([
    null,
    ['a result of the tool', 'second lie'],
    ['a result of the tool', 'second lie', 'a result o'],
  ]);
  await server.close();
});
