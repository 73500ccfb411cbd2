import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/base/model/json.ts';
import type { Exchange } from '../../src/evidence/exchange.ts';
import { traceOfExchanges } from '../../src/evidence/wire/trace-of-exchanges.ts';
import { asked, chatExchanges, exchangeAt, result, user } from './scripted-exchanges.ts';

/** What each model call of a step sent, as the timeline has it. */
function sentBy(...exchanges: readonly Exchange[]) {
  const { timeline = [] } = traceOfExchanges(exchanges, 1, { startMs: 0 });
  return timeline
    .filter(({ kind }) => kind === 'model')
    .map(({ sent }) => sent && Object.fromEntries(Object.entries(sent).flatMap(readPart)));
}

function readPart([name, part]: [string, string | undefined]): readonly (readonly [string, Json])[] {
  if (part === undefined) return [];
  expect(part).toMatch(/^text:/);
  return [[name, JSON.parse(part.slice('text:'.length)) as Json]];
}

test('a call shows what is new in it: not the history that every request repeats', () => {
  const system = { role: 'system', content: 'Be brief.' };
  const first = [system, user('x')];
  const [one, two] = sentBy(
    ...chatExchanges([
      { messages: first, tools: ['look'], calls: [['look', {}, 'c1']], with: { temperature: 0.2, seed: 7 } },
      {
        messages: [...first, asked(['c1', 'look', {}]), result('c1', 'seen')],
        tools: ['look'],
        text: 'Done.',
      },
    ]),
  );
  expect(one).toEqual({
    system,
    tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
    parameters: { model: 'gpt-5.2', temperature: 0.2, seed: 7 },
    messages: [user('x')],
    usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
  });
  expect(two).toMatchObject({ system, messages: [result('c1', 'seen')] });
});

const TOOL = { name: 'look', description: 'Looks.' };

test.each<[string, string, JsonObject, JsonObject, JsonObject]>([
  [
    'Anthropic',
    '/v1/messages',
    { model: 'm', max_tokens: 5, system: 'Be brief.', tools: [TOOL], messages: [user('hi')] },
    {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'yes' }],
      usage: { input_tokens: 3, output_tokens: 1 },
    },
    {
      system: 'Be brief.',
      tools: [TOOL],
      parameters: { model: 'm', max_tokens: 5 },
      messages: [user('hi')],
      usage: { input_tokens: 3, output_tokens: 1 },
    },
  ],
  [
    'OpenAI Responses',
    '/v1/responses',
    { model: 'm', instructions: 'Be brief.', input: 'hi' },
    {
      status: 'completed',
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'yes' }] }],
      usage: { input_tokens: 3, output_tokens: 1 },
    },
    {
      system: 'Be brief.',
      parameters: { model: 'm' },
      messages: [{ role: 'user', content: 'hi' }],
      usage: { input_tokens: 3, output_tokens: 1 },
    },
  ],
  [
    'Gemini through Code Assist',
    '/v1internal:generateContent',
    {
      model: 'm',
      request: {
        contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
        systemInstruction: { parts: [{ text: 'Be brief.' }] },
        tools: [{ functionDeclarations: [TOOL] }],
        generationConfig: { temperature: 0 },
      },
    },
    { response: { candidates: [{ content: { role: 'model', parts: [{ text: 'yes' }] } }] } },
    {
      system: { parts: [{ text: 'Be brief.' }] },
      tools: [{ functionDeclarations: [TOOL] }],
      parameters: { model: 'm', generationConfig: { temperature: 0 } },
      messages: [{ role: 'user', parts: [{ text: 'hi' }] }],
    },
  ],
  [
    'Bedrock',
    '/model/m/converse',
    {
      system: [{ text: 'Be brief.' }],
      messages: [{ role: 'user', content: [{ text: 'hi' }] }],
      toolConfig: { tools: [{ toolSpec: TOOL }], toolChoice: { auto: {} } },
    },
    {
      output: { message: { role: 'assistant', content: [{ text: 'yes' }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: 3, outputTokens: 1, totalTokens: 4 },
    },
    {
      system: [{ text: 'Be brief.' }],
      tools: [{ toolSpec: TOOL }],
      parameters: { toolConfig: { toolChoice: { auto: {} } } },
      messages: [{ role: 'user', content: [{ text: 'hi' }] }],
      usage: { inputTokens: 3, outputTokens: 1, totalTokens: 4 },
    },
  ],
])(
  '%s: each part is where this API has it, and nothing is in two of them',
  (_, path, request, response, sent) => {
    expect(sentBy(exchangeAt(0, path, { step: 1, request, response }))).toEqual([sent]);
  },
);

test('a request that was not kept is unknown, which is not the same as empty', () => {
  const [exchange] = chatExchanges([{ messages: [user('x')], text: 'yes' }]);
  expect(sentBy({ ...exchange!, request: undefined })).toEqual([undefined]);
});

test('a call that was refused shows what it sent', () => {
  const refused = { status: 503, response: { error: { message: 'busy' } } };
  const [sent] = sentBy(...chatExchanges([{ messages: [user('x')], exchange: refused }]));
  expect(sent).toEqual({ parameters: { model: 'gpt-5.2' }, messages: [user('x')] });
});
