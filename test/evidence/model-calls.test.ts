import { describe, expect, test } from 'vitest';
import { isModelCall, mayBeModelCall } from '../../src/evidence/wire/recognise-model-call.ts';
import { traceOfExchanges } from '../../src/evidence/wire/trace-of-exchanges.ts';
import { useOfExchange } from '../../src/evidence/wire/use-of-exchange.ts';
import type { Exchange } from '../../src/evidence/exchange.ts';
import type { Json, JsonObject } from '../../src/base/model/json.ts';
import { asked, chatExchanges, eventStream, exchangeAt, result, user } from './scripted-exchanges.ts';

describe('a model call is recognised by the end of its path and the shape of its body', () => {
  const chat = { model: 'm', messages: [user('hi')] };
  const anthropic = { ...chat, max_tokens: 5 };
  const gemini = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] };
  const responses = { model: 'm', input: 'hi' };

  test.each([
    ['/v1/chat/completions', chat],
    ['/openai/deployments/prod/chat/completions?api-version=2025-04-01-preview', chat],
    ['/v1beta/openai/chat/completions', chat],
    ['/chat/completions/', chat],
    ['/messages', anthropic],
    ['/proxy/7f/v1/messages?beta=true', anthropic],
    [
      '/v1/projects/p/locations/l/publishers/anthropic/models/claude-sonnet-4-5@20250929:rawPredict',
      { anthropic_version: 'vertex-2023-10-16', messages: [] },
    ],
    ['/openai/v1/responses', responses],
    ['/responses', { prompt: { id: 'pmpt_1' } }],
    ['/v1beta/models/gemini-3-flash:generateContent', gemini],
    [
      '/v1/projects/p/locations/l/publishers/google/models/gemini-3-flash:streamGenerateContent?alt=sse',
      gemini,
    ],
    ['/v1internal:streamGenerateContent?alt=sse', { model: 'gemini-3-flash', request: gemini }],
  ] as const)('%s', (path, body) => {
    expect(mayBeModelCall('POST', path)).toBe(true);
    expect(isModelCall('POST', path, body)).toBe(true);
  });

  test.each([
    ['HEAD', '/', {}],
    ['GET', '/v1/models', {}],
    ['GET', '/v1/chat/completions', {}],
    ['POST', '/v1/messages/count_tokens', anthropic],
    ['POST', '/v1/messages/batches', { requests: [] }],
    ['POST', '/v1/embeddings', { model: 'm', input: 'x' }],
    ['POST', '/v1/files', {}],
    ['POST', '/v1/threads/thread_1/messages', { role: 'user', content: 'hi' }],
    ['POST', '/api/messages', { messages: [{ to: '+351', body: 'hi' }] }],
    ['POST', '/forms/1/responses', { input: 'yes' }],
    ['POST', '/v1/responses/resp_1/cancel', {}],
    ['POST', '/v1beta/models/gemini-3-flash:countTokens', gemini],
    ['POST', '/v1beta/models/text-embedding:embedContent', { content: {} }],
    ['POST', '/v1/chat/completions-log', chat],
  ] as const)('not %s %s', (method, path, body) => {
    expect(isModelCall(method, path, body)).toBe(false);
    const trace = traceOfExchanges([exchangeAt(0, path, { method, request: body, response: {} })], 1);
    expect(trace).toMatchObject({ model_calls: 0, calls: [{ kind: 'other' }] });
    expect(trace.gap).toBeUndefined();
  });
});

describe('a lost response leaves a gap', () => {
  const [whole] = chatExchanges([{ messages: [user('x')], tools: ['t'], text: 'Answer.' }]) as [Exchange];
  const lost: readonly (readonly [string, Partial<Exchange>])[] = [
    [
      'a stream that broke off',
      { response_text: 'data: {"choices":[{"delta":{"content":"Ans', aborted: true },
    ],
    [
      'a stream that ends without its end',
      { response_text: eventStream([{ choices: [{ delta: { content: 'Ans' } }] }]) },
    ],
    ['a stream that breaks off before its first event', { response_text: '', aborted: true }],
    ['an event that is not JSON', { response_text: 'data: {oops\n\ndata: [DONE]\n\n' }],
    ['a body that is not JSON', { response_text: '{"choices": [' }],
    ['a body that was too large to keep', { aborted: true }],
    ['a body in a form of its own', { response: { answer: 42 } }],
    ['a page of a gateway', { response_text: '<html>busy</html>' }],
    [
      'an error in the middle',
      {
        response_text: eventStream(
          [{ choices: [{ delta: { content: 'A' } }] }, { error: { message: 'overloaded' } }],
          'data: [DONE]\n\n',
        ),
      },
    ],
  ];

  test.each(lost)('%s', (_, fields) => {
    const { response: _response, ...request } = whole;
    const broken: Exchange = { ...request, ...fields };
    const trace = traceOfExchanges([broken], 1);
    expect(trace.calls).toMatchObject([{ kind: 'broken', tool_calls: [] }]);
    expect(trace.gap).toMatchObject({ at: 'model call 1 (/v1/chat/completions)' });
    expect(trace).toMatchObject({ model_calls: 0, usage_complete: false });
    expect([trace.tool_calls, trace.output]).toEqual([undefined, undefined]);

    const again = traceOfExchanges([broken, { ...whole, seq: 2, started_ms: 20, ended_ms: 30 }], 1);
    expect(again.gap).toBeUndefined();
    expect(again).toMatchObject({ output: 'Answer.', tool_calls: [], model_calls: 1, usage_complete: false });
    // Another request is not the same one again.
    const other = { ...whole, seq: 2, request: { ...whole.request, messages: [user('y')] } };
    expect(traceOfExchanges([broken, other], 1).gap).toBeDefined();
    expect(traceOfExchanges([broken, { ...broken, seq: 2 }], 1).gap).toBeDefined();
    // A retry that only failed answers nothing.
    expect(traceOfExchanges([broken, { ...whole, seq: 2, status: 503 }], 1).gap).toBeDefined();
  });

  test('unless the model had no tools', () => {
    const { response: _, ...request } = whole;
    const { tools: __, ...toolless } = whole.request!;
    const title = {
      ...request,
      seq: 2,
      request: { ...toolless, messages: [user('Title of: x')] },
      response_text: '',
      aborted: true,
    };
    const trace = traceOfExchanges([whole, title], 1);
    expect(trace).toMatchObject({ output: 'Answer.', tool_calls: [], usage_complete: false });
    expect(trace.gap).toBeUndefined();
    const stored = exchangeAt(0, '/responses', {
      request: { prompt: { id: 'pmpt_1' } },
      response_text: '',
      aborted: true,
    });
    expect(traceOfExchanges([stored], 1).gap).toBeDefined();
  });

  test('also when the same request is sent again, if it had asked for a tool that is not asked for then', () => {
    const call = { index: 0, id: 'c1', function: { name: 'delete', arguments: '{"id":1}' } };
    const events = [{ choices: [{ delta: { tool_calls: [call] } }] }];
    const ended = [...events, { choices: [{ delta: {}, finish_reason: 'tool_calls' }] }];
    const { response: _, ...request } = whole;
    const again = { ...whole, seq: 2, started_ms: 20, ended_ms: 30 };
    // The program left the stream once it had the call, which it then made.
    const left = { ...request, response_text: eventStream(events), aborted: true };
    expect(traceOfExchanges([left, again], 1).gap).toBeDefined();
    const whenWhole = { ...request, response_text: eventStream(ended), aborted: true };
    const trace = traceOfExchanges([whenWhole, again], 1);
    expect(trace.tool_calls?.map(({ tool }) => tool)).toEqual(['delete']);
    // It asks for the same then: nothing is lost.
    const asksAgain = { ...again, response_text: eventStream(ended), response: undefined };
    const same = traceOfExchanges([left, asksAgain], 1);
    expect([same.gap, same.tool_calls?.map(({ tool }) => tool)]).toEqual([undefined, ['delete']]);
  });

  test('not a request that the server refused', () => {
    for (const fields of [{ status: 500 }, { status: 429 }, { status: 0 }]) {
      const trace = traceOfExchanges([{ ...whole, ...fields }], 1);
      expect(trace.calls).toMatchObject([{ kind: 'failed' }]);
      expect([trace.gap, trace.tool_calls, trace.usage_complete]).toEqual([undefined, undefined, undefined]);
    }
  });

  test('a part of an unknown kind may be a tool call', () => {
    const response = { id: 'r', status: 'completed', output: [{ type: 'quantum_call', id: 'q' }] };
    const trace = traceOfExchanges(
      [exchangeAt(0, '/v1/responses', { request: { model: 'm', input: 'x' }, response })],
      1,
    );
    expect(trace.gap).toEqual({ at: 'model call 1: response[0]', form: 'type: quantum_call' });
    expect(trace.warnings).toMatchObject([{ code: 'unknown_part' }]);
    expect(trace.tool_calls).toBeUndefined();
  });

  test('several candidate answers, of which one calls tools, leave a gap', () => {
    const request = { model: 'm', n: 2, messages: [user('x')], tools: whole.request!['tools']! };
    const calls = [{ id: 'c', type: 'function', function: { name: 'pay', arguments: '{}' } }];
    const choices = [
      { index: 0, message: { role: 'assistant', content: 'No.' }, finish_reason: 'stop' },
      { index: 1, message: { role: 'assistant', tool_calls: calls }, finish_reason: 'tool_calls' },
    ];
    const chat = (fields: Partial<Exchange>) =>
      traceOfExchanges([exchangeAt(0, '/v1/chat/completions', { request, ...fields })], 1);
    expect(chat({ response: { choices } }).gap).toBeDefined();
    expect(chat({ response: { choices: [choices[0]!, choices[0]!] } }).gap).toBeUndefined();
    const stream = eventStream([
      { id: 's', choices: [{ index: 0, delta: { content: 'No.' } }] },
      { id: 's', choices: [{ index: 1, delta: { tool_calls: [{ index: 0, ...calls[0]! }] } }] },
      { id: 's', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ]);
    expect(chat({ response_text: stream }).gap).toBeDefined();
  });

  test('an answer that is still running in the background is not complete', () => {
    const response = { id: 'r', status: 'queued', output: [] };
    const trace = traceOfExchanges(
      [
        exchangeAt(0, '/v1/responses', {
          request: { model: 'm', input: 'x', background: true, tools: [{ type: 'web_search' }] },
          response,
        }),
      ],
      1,
    );
    expect(trace.gap).toBeDefined();
  });
});

describe('streams', () => {
  const chunk = (delta: Json, finish: string | null = null): Json => ({
    id: 'c',
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const chat = (events: readonly Json[], end = 'data: [DONE]\n\n'): Exchange =>
    exchangeAt(0, '/v1/chat/completions', {
      request: {
        model: 'm',
        stream: true,
        messages: [user('x')],
        tools: [{ type: 'function', function: { name: 'a' } }],
      },
      response_text: eventStream(events, end),
    });

  test('calls without an index, or with the same one, are told apart by their ids', () => {
    const piece = (id: string, name: string, index?: number): Json => ({
      tool_calls: [
        { ...(index === undefined ? {} : { index }), id, function: { name, arguments: '{"x":1}' } },
      ],
    });
    for (const index of [undefined, 0]) {
      const trace = traceOfExchanges(
        [chat([chunk(piece('1', 'a', index)), chunk(piece('2', 'b', index)), chunk({}, 'tool_calls')])],
        1,
      );
      expect(trace.tool_calls).toEqual([
        { tool: 'a', id: '1', input: { x: 1 } },
        { tool: 'b', id: '2', input: { x: 1 } },
      ]);
    }
  });

  test('without usage leave it unknown', () => {
    const trace = traceOfExchanges([chat([chunk({ content: 'Hi' }), chunk({}, 'stop')])], 1);
    expect(trace).toMatchObject({ output: 'Hi', usage_complete: false, model_calls: 1 });
    expect(trace.token_usage).toBeUndefined();
  });

  test('that were read to their end are complete, however the connection ended', () => {
    const exchange = { ...chat([chunk({ content: 'Hi' }), chunk({}, 'stop')], ''), aborted: true };
    expect(traceOfExchanges([exchange], 1)).toMatchObject({ output: 'Hi', tool_calls: [] });
    // If the program asks again, it did not take the first answer.
    const again = traceOfExchanges([exchange, { ...exchange, seq: 2, aborted: false }], 1);
    expect(again).toMatchObject({
      model_calls: 1,
      usage_complete: false,
      calls: [{ kind: 'broken' }, { kind: 'main' }],
    });
  });

  test('with legacy functions, refusals and free text are read', () => {
    const legacy = traceOfExchanges(
      [
        chat([
          chunk({ function_call: { name: 'a', arguments: '{"x"' } }),
          chunk({ function_call: { arguments: ':1}' } }),
          chunk({}, 'function_call'),
        ]),
      ],
      1,
    );
    expect(legacy.tool_calls).toEqual([{ tool: 'a', input: { x: 1 } }]);
    const refused = traceOfExchanges(
      [chat([chunk({ refusal: 'I ' }), chunk({ refusal: 'cannot.' }), chunk({}, 'stop')])],
      1,
    );
    expect(refused).toMatchObject({ output: 'I cannot.', refusal: true });
    const custom = traceOfExchanges(
      [
        chat([
          chunk({
            tool_calls: [{ index: 0, id: '1', type: 'custom', custom: { name: 'sql', input: 'SELECT' } }],
          }),
          chunk({ tool_calls: [{ index: 0, custom: { input: ' 1' } }] }),
          chunk({}, 'tool_calls'),
        ]),
      ],
      1,
    );
    expect(custom.tool_calls).toEqual([{ tool: 'sql', id: '1', input: 'SELECT 1' }]);
  });

  test('of the responses API are read if the last event omits the items', () => {
    const events = [
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { type: 'function_call', id: 'f0', call_id: 'c0', name: 'a', arguments: '' },
      },
      {
        type: 'response.output_item.added',
        output_index: 1,
        item: { type: 'function_call', id: 'f1', call_id: 'c1', name: 'b', arguments: '' },
      },
      { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{"y":' },
      { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"x":1}' },
      { type: 'response.function_call_arguments.delta', output_index: 1, delta: '2}' },
      {
        type: 'response.incomplete',
        response: {
          id: 'r',
          status: 'incomplete',
          incomplete_details: { reason: 'max_output_tokens' },
          output: [],
          usage: { input_tokens: 3, output_tokens: 2 },
        },
      },
    ];
    const trace = traceOfExchanges(
      [
        exchangeAt(0, '/responses', {
          request: { model: 'm', input: 'x', stream: true },
          response_text: eventStream(events),
        }),
      ],
      1,
    );
    expect(trace).toMatchObject({ truncated: true, token_usage: { input: 3, output: 2 } });
    expect(trace.tool_calls).toEqual([
      { tool: 'a', id: 'c0', input: { x: 1 } },
      { tool: 'b', id: 'c1', input: { y: 2 } },
    ]);
  });

  test('of Anthropic are read with a call cut off by the limit and one that the provider ran', () => {
    const events = [
      {
        type: 'message_start',
        message: {
          id: 'm',
          type: 'message',
          model: 'claude',
          content: [],
          usage: { input_tokens: 10, cache_read_input_tokens: 4, output_tokens: 1 },
        },
      },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} },
      },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json: '{"query":"x"}' },
      },
      {
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'web_search_tool_result', tool_use_id: 's1', content: [] },
      },
      {
        type: 'content_block_start',
        index: 2,
        content_block: { type: 'tool_use', id: 't1', name: 'buy', input: {} },
      },
      {
        type: 'content_block_delta',
        index: 2,
        delta: { type: 'input_json_delta', partial_json: '{"item":"a' },
      },
      { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 9 } },
    ];
    const trace = traceOfExchanges(
      [
        exchangeAt(0, '/messages', {
          request: { model: 'claude', max_tokens: 9, stream: true, messages: [user('x')] },
          response_text: eventStream(events).replaceAll('\n', '\r\n'),
        }),
      ],
      1,
    );
    expect(trace.tool_calls).toEqual([
      { tool: 'web_search', id: 's1', input: { query: 'x' }, output: [], executed_by: 'provider' },
      { tool: 'buy', id: 't1', input: '{"item":"a' },
    ]);
    expect(trace).toMatchObject({ truncated: true, token_usage: { input: 10, cached: 4, output: 9 } });
    expect(trace.calls[0]?.tool_calls).toEqual(['buy']);
  });

  test('of Gemini are read through Code Assist, with thoughts', () => {
    const part = (parts: Json, more: object = {}): Json => ({
      response: {
        candidates: [{ content: { role: 'model', parts }, ...more }],
        usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 1 },
      },
    });
    const events = [
      part([{ text: 'Hm', thought: true }]),
      part([{ text: 'Yes' }]),
      part([{ text: '.' }, { functionCall: { name: 'a' } }], { finishReason: 'STOP' }),
    ];
    const trace = traceOfExchanges(
      [
        exchangeAt(0, '/v1internal:streamGenerateContent?alt=sse', {
          request: {
            model: 'gemini-3-flash',
            request: { contents: [{ role: 'user', parts: [{ text: 'x' }] }] },
          },
          response_text: eventStream(events),
        }),
      ],
      1,
    );
    expect(trace).toMatchObject({
      output: 'Yes.',
      models: ['gemini-3-flash'],
      tool_calls: [{ tool: 'a', input: {} }],
      token_usage: { input: 5, output: 1 },
    });
  });
});

test('the usage of each exchange counts against the limits', () => {
  const [exchange] = chatExchanges([
    {
      messages: [user('x')],
      tools: ['a', 'b'],
      calls: [
        ['a', {}],
        ['b', {}],
      ],
    },
  ]) as [Exchange];
  expect(useOfExchange(exchange)).toEqual({
    outcome: 'answered',
    model: 'gpt-5.2',
    tool_calls: ['a', 'b'],
    offersTools: true,
    usage: { input: 10, output: 2 },
  });
  expect(useOfExchange({ ...exchange, status: 500 })).toEqual({
    outcome: 'failed',
    model: 'gpt-5.2',
    tool_calls: [],
    offersTools: true,
  });
  expect(useOfExchange({ ...exchange, path: '/v1/embeddings' })).toBeUndefined();
});

test('a request that was not kept counts as a model call unless its response says otherwise', () => {
  const [exchange] = chatExchanges([{ messages: [user('x')], calls: [['delete', {}]] }]) as [Exchange];
  const { request: _, ...kept } = exchange;
  expect(traceOfExchanges([kept], 1)).toMatchObject({ model_calls: 1, tool_calls: [{ tool: 'delete' }] });
  const { response: __, ...upload } = kept;
  expect(
    traceOfExchanges([{ ...upload, path: '/api/messages', response_text: 'ok' }], 1).calls,
  ).toMatchObject([{ kind: 'other' }]);
  const lost = traceOfExchanges([{ ...upload, response_text: '', aborted: true }], 1);
  expect(lost.gap).toBeDefined();
});

test('usage is listed for each model, under the name that has a price', () => {
  const exchanges = chatExchanges([
    { messages: [user('a')], model: 'gpt-5.2', text: 'A' },
    { messages: [user('b')], model: 'prod-small', text: 'B' },
    { messages: [user('c')], model: 'prod-small', text: 'C' },
  ]);
  const named = exchanges.map((exchange) => ({
    ...exchange,
    response: {
      ...(exchange.response as JsonObject),
      model: exchange.request?.['model'] === 'prod-small' ? 'gpt-5-nano-2026-01-01' : 'gpt-5.2-2026-04-14',
    },
  }));
  const trace = traceOfExchanges(named, 1);
  expect(trace.models).toEqual(['gpt-5.2', 'prod-small']);
  expect(trace.usage_by_model).toEqual({
    'gpt-5.2': { input: 10, output: 2 },
    'gpt-5-nano-2026-01-01': { input: 20, output: 4 },
  });
});

test('the timeline has each call at its time: parallel tools start together, and refused calls have failed', () => {
  const calls = [
    ['c1', 'look', {}],
    ['c2', 'book', {}],
  ] as const;
  const after = [user('x'), asked(...calls), result('c1', 'seen'), result('c2', 'booked')];
  const exchanges = chatExchanges([
    {
      messages: [user('x')],
      tools: ['look', 'book'],
      calls: calls.map(([id, tool, input]) => [tool, input, id] as const),
    },
    {
      messages: after,
      tools: ['look', 'book'],
      exchange: { status: 503, response: { error: { message: 'busy' } } },
    },
    { messages: after, tools: ['look', 'book'], text: 'Done.' },
  ]);
  const usage = { token_usage: { input: 10, output: 2 } };
  const sent = expect.any(Object);
  // The step began 5 ms before its first call.
  expect(traceOfExchanges(exchanges, 1, { startMs: -5 }).timeline).toEqual([
    { kind: 'model', name: 'gpt-5.2', start_ms: 5, duration_ms: 10, sent, ...usage },
    { kind: 'tool', name: 'look', start_ms: 15, duration_ms: 10 },
    { kind: 'tool', name: 'book', start_ms: 15, duration_ms: 10 },
    { kind: 'model', name: 'gpt-5.2', start_ms: 25, duration_ms: 10, sent, failed: true },
    { kind: 'model', name: 'gpt-5.2', start_ms: 45, duration_ms: 10, sent, ...usage },
  ]);
  // What was replayed came at once: its times would say nothing.
  expect(traceOfExchanges(exchanges, 1).timeline).toEqual([
    { kind: 'model', name: 'gpt-5.2', sent, ...usage },
    { kind: 'tool', name: 'look' },
    { kind: 'tool', name: 'book' },
    { kind: 'model', name: 'gpt-5.2', failed: true, sent },
    { kind: 'model', name: 'gpt-5.2', sent, ...usage },
  ]);
});
