import { describe, expect, test } from 'vitest';
import { createChatAgent } from '../../src/agents/chat/chat-agent.ts';
import type { ChatConfig } from '../../src/agents/chat/chat-config.ts';
import { AgentError, type Session } from '../../src/agents/contract.ts';
import { readReply } from '../../src/evidence/reply/read-reply.ts';
import type { Message } from '../../src/base/model/message.ts';
import type { AgentRequest, Reply } from '../../src/base/model/reply.ts';
import type { Provider } from '../../src/agents/llm/provider-names.ts';
import type { ModelServer } from '../servers/model-server.ts';
import { useModelServers } from '../servers/use-model-servers.ts';

const KEY = 'sk-test-0123456789abcdef';
const start = useModelServers();

async function open(server: ModelServer, config: Partial<ChatConfig> = {}): Promise<Session> {
  const whole: ChatConfig = {
    name: 'chat',
    provider: 'openai',
    model: 'gpt-x',
    api_key: KEY,
    base_url: `${server.url}/v1`,
    ...config,
  };
  return createChatAgent(whole, { env: {} }).open({ id: 't', file: 't.yaml' });
}

function request(...input_messages: Message[]): AgentRequest {
  return {
    input: '',
    input_messages,
    memory: {},
    settings: {},
    test: { id: 't', file: 't.yaml' },
    step: 1,
    attempt: 1,
    messages: [],
    conversation_id: 'c1',
  };
}

const image = (value: string): AgentRequest => request({ role: 'user', content: [{ type: 'image', value }] });
const hello = request({ role: 'user', content: 'Hello' });

async function reply(session: Session, asked = hello): Promise<Reply> {
  const read = readReply((await session.send(asked, AbortSignal.timeout(20_000))).reply);
  if ('problem' in read) throw new Error(read.problem);
  return read.reply;
}

async function failure(promise: Promise<unknown>): Promise<AgentError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(AgentError);
  return error as AgentError;
}

describe('every provider', () => {
  const cases: readonly [Provider, string, Partial<ChatConfig>][] = [
    ['openai', '/v1/responses', {}],
    ['openai', '/v1/chat/completions', { api: 'chat' }],
    ['anthropic', '/v1/messages', { model: 'claude-sonnet-4-5' }],
    ['google', '/v1/models/gemini-2.5-flash:generateContent', { model: 'gemini-2.5-flash' }],
    ['gemini', '/v1/models/gemini-2.5-flash:generateContent', { model: 'gemini-2.5-flash' }],
    ['azure', '/v1/responses', {}],
    ['azure', '/v1/deployments/gpt-x/chat/completions?api-version=2024-10-21', { api_version: '2024-10-21' }],
    [
      'azure',
      '/v1/deployments/a%2Fb%20%3Fc/chat/completions?api-version=2024-10-21',
      { api_version: '2024-10-21', model: 'a/b ?c' },
    ],
    ['openai-compatible', '/v1/chat/completions', {}],
  ];

  test.each(cases)('%s at %s: text, usage, cost and settings', async (provider, path, config) => {
    const server = await start({ text: 'Hi there', usage: { input: 1000, output: 200, cached: 400 } });
    const session = await open(server, {
      provider,
      ...config,
      system: 'Be brief.',
      temperature: 0.5,
      max_tokens: 64,
      price: { input: 1, output: 10, cached: 0.5 },
    });
    const { output, tools_used, output_messages, token_usage, cost_usd, duration_ms } = await reply(session);
    expect({ output, tools_used, output_messages }).toEqual({
      output: 'Hi there',
      tools_used: [],
      output_messages: [{ role: 'assistant', content: 'Hi there' }],
    });
    expect(token_usage).toEqual({ input: 600, output: 200, cached: 400 });
    expect(cost_usd).toBeCloseTo((600 * 1 + 400 * 0.5 + 200 * 10) / 1e6, 12);
    expect(duration_ms).toBeGreaterThan(0);
    const [received] = server.requests;
    expect(received!.path).toBe(path);
    expect(received!.text).toContain('Be brief.');
    expect(received!.text).toMatch(/0\.5/);
    expect(received!.text).toContain('64');
  });

  test.each(cases)('%s at %s: the tool loop', async (provider, _path, config) => {
    const server = await start(
      { text: 'Let me see.', toolCalls: [{ name: 'weather', args: '{"city":"Bern"}' }] },
      { text: 'It rains.' },
    );
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const session = await open(server, {
      provider,
      ...config,
      tools: [
        { name: 'weather', schema, replies: [{ when: { city: 'Bern' }, return: { sky: 'rain-XYZ' } }] },
      ],
    });
    const { output, tools_used, tool_calls, output_messages, token_usage } = await reply(session);
    expect(output).toBe('It rains.');
    expect(tools_used).toEqual(['weather']);
    expect(tool_calls).toMatchObject([
      { tool: 'weather', input: { city: 'Bern' }, output: { sky: 'rain-XYZ' }, status: 'ok' },
    ]);
    expect(output_messages).toHaveLength(2);
    expect(output_messages![0]).toMatchObject({ content: 'Let me see.', tool_calls: [{ tool: 'weather' }] });
    expect(token_usage).toMatchObject({ input: 200, output: 40 });
    expect(server.requests[1]!.text).toContain('rain-XYZ');
  });
});

describe('tools with canned replies', () => {
  const tools = [
    {
      name: 'find',
      replies: [
        { when: { id: 9007199254740993n }, return: 'the large one' },
        { when: { id: 1 }, return: null },
        { when: { id: 2 }, throw: 'the database is gone' },
      ],
    },
  ];

  test.each([
    [
      'an exact large integer',
      { name: 'find', args: '{"id":9007199254740993,"a.b":1}' },
      { input: { id: 9007199254740993n, 'a.b': 1 }, output: 'the large one', status: 'ok' },
    ],
    ['null', { name: 'find', args: '{"id":1}' }, { output: null, status: 'ok' }],
    [
      'a thrown error',
      { name: 'find', args: '{"id":2}' },
      { output: 'the database is gone', status: 'error' },
    ],
    [
      'arguments that fit no reply',
      { name: 'find', args: '{"id":3}' },
      { output: 'no canned reply of "find" fits these arguments', status: 'error' },
    ],
    ['arguments that are no JSON', { name: 'find', args: '{"id":' }, { input: '{"id":', status: 'error' }],
    ['a key named __proto__', { name: 'find', args: '{"id":1,"__proto__":{"x":1}}' }, { status: 'ok' }],
    [
      'an undeclared tool',
      { name: 'delete', args: '{}' },
      { output: 'there is no tool "delete": the tools are find', status: 'error' },
    ],
    [
      'a name every object has',
      { name: 'constructor', args: '{}' },
      { output: 'there is no tool "constructor": the tools are find', status: 'error' },
    ],
  ])('%s', async (_name, call, expected) => {
    const server = await start({ toolCalls: [call] }, { text: 'done' });
    const { tool_calls } = await reply(await open(server, { tools }));
    expect(tool_calls).toHaveLength(1);
    expect(tool_calls![0]).toMatchObject({ tool: call.name, ...expected });
    if (call.args.includes('__proto__'))
      expect(Object.keys(tool_calls![0]!.input as object)).toEqual(['id', '__proto__']);
    const outputs = server.requests[1]!.body.input.filter(
      (item: { type?: string }) => item.type === 'function_call_output',
    );
    expect(outputs).toHaveLength(1);
  });

  test('a model that never stops calling tools is stopped', async () => {
    const server = await start({ toolCalls: [{ name: 'find', args: '{"id":1}' }] });
    const error = await failure(reply(await open(server, { tools, max_steps: 3 })));
    expect(error.kind).toBe('limit');
    expect(error.message).toContain('raise `max_steps`');
    expect(server.requests).toHaveLength(3);
  });

  test('a tool call without any tools is answered with an error', async () => {
    const server = await start({ toolCalls: [{ name: 'find', args: '{}' }] }, { text: 'sorry' });
    const { output, tool_calls } = await reply(await open(server));
    expect(output).toBe('sorry');
    expect(tool_calls).toMatchObject([{ tool: 'find', status: 'error' }]);
  });
});

describe('a session', () => {
  test('remembers the conversation, but not failed steps', async () => {
    const server = await start({ text: 'first answer' }, { status: 500 }, { text: 'second answer' });
    const session = await open(server, { provider: 'openai-compatible' });
    await reply(session, request({ role: 'user', content: 'one' }));
    await failure(reply(session, request({ role: 'user', content: 'two' })));
    await reply(session, request({ role: 'user', content: 'two' }));
    const { messages } = server.requests[2]!.body;
    expect(messages.map(({ role, content }: Message) => [role, content])).toEqual([
      ['user', 'one'],
      ['assistant', 'first answer'],
      ['user', 'two'],
    ]);
  });

  test('sends messages of every role and shape', async () => {
    const server = await start({ text: 'ok' });
    await reply(
      await open(server, { provider: 'openai-compatible' }),
      request(
        {
          role: 'system',
          content: [
            { type: 'text', value: 'Rules.' },
            { type: 'text', text: 'More rules.' },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'text', value: 'Read this' },
            { type: 'file', value: 'a.md', text: 'File text' },
          ],
        },
        {
          role: 'assistant',
          tool_calls: [
            { tool: 'look', input: { riskLevel: 'High' }, id: 'c1' },
            { tool: 'look', input: {}, output: 'inline' },
          ],
        },
        { role: 'tool', content: 'seen', tool_call_id: 'c1' },
        { role: 'user', content: { riskLevel: 'High', 'a.b': 9007199254740993n } },
      ),
    );
    const { messages } = server.requests[0]!.body;
    expect(messages.map(({ role }: Message) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'tool',
      'user',
    ]);
    expect(messages[0].content).toBe('Rules.\n\nMore rules.');
    expect(messages[1].content).toBe('Read this\n\n<file path="a.md">\nFile text\n</file>');
    expect(messages[2].tool_calls[0].function).toEqual({ name: 'look', arguments: '{"riskLevel":"High"}' });
    expect([messages[3].content, messages[4].content]).toEqual(['seen', 'inline']);
    expect(messages[5].content).toContain('"a.b": 9007199254740993');
  });

  test('an image is sent as data and never fetched by Assay', async () => {
    const server = await start({ text: 'a dot' });
    const session = await open(server, { provider: 'google', model: 'gemini-2.5-flash' });
    await reply(session, image('data:image/png;base64,iVBORw0KGgo='));
    expect(server.requests[0]!.text).toContain('iVBORw0KGgo=');
    const error = await failure(reply(session, image(`${server.url}/secret.png`)));
    expect(error.message).toContain('data: URL');
    expect(server.requests).toHaveLength(1);
  });
});

describe('unknown values', () => {
  test('without usage or price there are no tokens and no cost, with one warning', async () => {
    const server = await start({ text: 'ok', usage: null });
    const session = await open(server, { provider: 'openai-compatible' });
    const first = await session.send(hello, AbortSignal.timeout(5000));
    expect(first.reply).not.toHaveProperty('token_usage');
    expect(first.reply).not.toHaveProperty('cost_usd');
    expect(first.printed).toContain('the cost is unknown');
    expect((await session.send(hello, AbortSignal.timeout(5000))).printed).toBe('');
  });

  test('an answer that was cut off is reported', async () => {
    const server = await start({ text: 'It is a lo', finish: 'length' });
    const { printed } = await (await open(server)).send(hello, AbortSignal.timeout(5000));
    expect(printed).toContain('the answer was cut');
  });

  test('a setting the model does not support is reported, and the SDK prints nothing', async () => {
    const server = await start({ text: 'ok' });
    const { printed } = await (
      await open(server, { model: 'o4-mini', temperature: 0 })
    ).send(hello, AbortSignal.timeout(5000));
    expect(printed).toContain('temperature');
  });
});

describe('failures', () => {
  test.each([
    ['429 with Retry-After', { status: 429, headers: { 'retry-after': '7' } }, 'infrastructure', 7000],
    ['429 with retry-after-ms', { status: 429, headers: { 'retry-after-ms': '250' } }, 'infrastructure', 250],
    ['429 for money', { status: 429, code: 'insufficient_quota' }, 'agent', undefined],
    ['500', { status: 500 }, 'infrastructure', undefined],
    ['529', { status: 529 }, 'infrastructure', undefined],
    ['400', { status: 400 }, 'agent', undefined],
    ['401', { status: 401, message: `Incorrect API key provided: ${KEY}` }, 'agent', undefined],
    ['404', { status: 404 }, 'agent', undefined],
    ['a cut connection', { fault: 'reset' }, 'infrastructure', undefined],
    ['broken JSON', { raw: '{"id": "resp_1", "outp' }, 'infrastructure', undefined],
    ['a page instead of JSON', { raw: '<html>gateway</html>' }, 'infrastructure', undefined],
  ] as const)('%s', async (_name, turn, kind, retryAfterMs) => {
    const server = await start(turn);
    const error = await failure(reply(await open(server)));
    expect({ kind: error.kind, retryAfterMs: error.retryAfterMs }).toEqual({ kind, retryAfterMs });
    expect(server.requests).toHaveLength(1);
    expect(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain(KEY);
    expect(error.message).toContain('gpt-x');
  });

  test.each(['anthropic', 'google', 'openai'] as const)(
    '%s: a redirect does not carry the key',
    async (provider) => {
      const other = await start({ text: 'got you' });
      const server = await start({ status: 307, headers: { location: `${other.url}/v1/responses` } });
      const error = await failure(reply(await open(server, { provider })));
      expect(error).toMatchObject({
        kind: 'agent',
        message: expect.stringContaining(`redirects to ${other.url}, but Assay does not follow redirects`),
      });
      expect(other.requests).toHaveLength(0);
    },
  );

  test('a response without an end is cut off', async () => {
    const server = await start({ raw: `{"x":"${'x'.repeat(11 * 1024 * 1024)}"}` });
    const error = await failure(reply(await open(server)));
    expect(error).toMatchObject({
      kind: 'agent',
      message: 'the model "gpt-x" (openai): the response is longer than 10 MB',
    });
  });

  test('a refused connection is an infrastructure error', async () => {
    const server = await start({ text: 'ok' });
    const session = await open(server);
    await server.close();
    expect((await failure(reply(session))).kind).toBe('infrastructure');
  });

  test('a hanging server is stopped by the signal or by the timeout of the config', async () => {
    const server = await start({ fault: 'hang' });
    const sending = (await open(server)).send(hello, AbortSignal.timeout(100));
    const bySignal = await failure(Promise.resolve(sending));
    expect(bySignal.kind).toBe('timeout');
    const byLimit = await failure(reply(await open(server, { timeout_ms: 100 })));
    expect(byLimit).toMatchObject({
      kind: 'timeout',
      message: 'the model "gpt-x" did not answer within 100 ms',
    });
  });

  test.each([
    [{ provider: 'openai', model: 'gpt-x' }, 'OPENAI_API_KEY'],
    [{ provider: 'openai-compatible', model: 'gpt-x' }, '`base_url`'],
    [{ provider: 'azure', model: 'gpt-x', api_key: KEY }, '`resource_name`'],
    [{ provider: 'anthropic', model: 'c', api_key: KEY, base_url: 'localhost:1' }, 'http://'],
  ] as const)('a config that cannot work is an error at once: %j', (config, words) => {
    expect(() => createChatAgent({ name: 'chat', ...config }, { env: {} })).toThrow(words);
  });
});
