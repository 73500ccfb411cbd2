import { expect, test } from 'vitest';
import { traceOfExchanges } from '../../src/evidence/wire/trace-of-exchanges.ts';
import type { Json } from '../../src/base/model/json.ts';

function traceOf(path: string, request: object, response: object) {
  const exchange = { seq: 1, step: 1, method: 'POST', path, status: 200, started_ms: 0, ended_ms: 5 };
  const bodies = { request: request as Json, response: response as Json };
  return traceOfExchanges([{ ...exchange, ...bodies } as Parameters<typeof traceOfExchanges>[0][number]], 1);
}

const chat = (message: object, finish_reason = 'stop') =>
  traceOf(
    '/v1/chat/completions',
    { model: 'm', messages: [{ role: 'user', content: 'Hi' }], tools: [{ function: { name: 'look' } }] },
    { choices: [{ index: 0, finish_reason, message: { role: 'assistant', content: 'Hi', ...message } }] },
  );

const gemini = (candidate: object) =>
  traceOf(
    '/v1beta/models/m:generateContent',
    { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }], tools: [{ googleSearch: {} }] },
    {
      candidates: [
        { content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP', ...candidate },
      ],
    },
  );

test('searches and code that the provider runs itself are calls', () => {
  const groq = chat({
    executed_tools: [{ index: 0, type: 'search', arguments: '{"query":"rain"}', output: 'wet' }],
  });
  expect(groq.tool_calls).toEqual([
    { tool: 'search', input: { query: 'rain' }, output: 'wet', executed_by: 'provider' },
  ]);
  expect(gemini({ groundingMetadata: { webSearchQueries: ['rain'] } }).tool_calls).toEqual([
    { tool: 'google_search', input: { queries: ['rain'] }, executed_by: 'provider' },
  ]);
  expect(gemini({ groundingMetadata: {} }).tool_calls).toEqual([]);
});

test.each([
  ['chat', () => chat({}, 'tool_calls')],
  ['chat, as before there were tools', () => chat({}, 'function_call')],
  ['Gemini', () => gemini({ finishReason: 'UNEXPECTED_TOOL_CALL' })],
  ['Gemini, arguments that cannot be read', () => gemini({ finishReason: 'MALFORMED_FUNCTION_CALL' })],
])('a response that ends with tool calls and holds none leaves the calls unknown: %s', (_, trace) => {
  expect(trace()).toMatchObject({ gap: { form: 'it ends with tool calls but contains none' } });
  expect(trace().tool_calls).toBeUndefined();
});
