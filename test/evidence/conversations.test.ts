import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../src/evidence/exchange.ts';
import {
  createWireTracer,
  traceOfExchanges,
  type ObservedTrace,
} from '../../src/evidence/wire/trace-of-exchanges.ts';
import { asked, chatExchanges, exchangeAt, result, said, system, user } from './scripted-exchanges.ts';

describe('the main conversation', () => {
  test('is not simply the one that ends last, such as the making of a title', () => {
    const trace = traceOfExchanges(
      chatExchanges([
        { messages: [system('You help.'), user('Capital of Peru?')], text: 'Lima.' },
        { messages: [user('Write a title for: Capital of Peru?')], text: 'A question about Peru' },
      ]),
      1,
      { input: 'Capital of Peru?' },
    );
    expect(kinds(trace)).toEqual(['main', 'side']);
    expect(trace.output).toBe('Lima.');
    expect(trace.model_calls).toBe(2);
    expect(trace.token_usage).toEqual({ input: 20, output: 4 });
  });

  test('is the one whose answer the agent reports', () => {
    const exchanges = chatExchanges([
      {
        messages: [system('Research.'), user('Peru')],
        tools: ['search'],
        calls: [['search', { q: 'Peru' }, 'c1']],
      },
      {
        messages: [
          system('Research.'),
          user('Peru'),
          asked(['c1', 'search', { q: 'Peru' }]),
          result('c1', 'Lima'),
        ],
        tools: ['search'],
        text: 'Notes: Lima.',
      },
      { messages: [system('Write.'), user('Notes: Lima.')], text: 'Lima is the capital.' },
    ]);
    const trace = traceOfExchanges(exchanges, 1, { input: 'Peru', output: 'Lima is the capital.' });
    expect(kinds(trace)).toEqual(['sub', 'sub', 'main']);
    expect(tools(trace)).toEqual([['search', 'unknown']]);
  });

  test('is not a side question that a program asks about the conversation', () => {
    const history = [user('Hi'), said('Hello.')];
    const trace = traceOfExchanges(
      chatExchanges([
        { messages: [user('Hi')], tools: ['search'], text: 'Hello.' },
        {
          messages: [...history, user('Who speaks next? Answer in JSON.')],
          with: { response_format: { type: 'json_object' } },
          text: '{"next": "user"}',
        },
      ]),
      1,
    );
    expect(kinds(trace)).toEqual(['main', 'side']);
    expect(trace.output).toBe('Hello.');
  });

  test('ends with the answer that the agent reports, even if the program asks more', () => {
    const exchanges = chatExchanges([
      { messages: [user('Hi')], text: 'Hello, how are you?' },
      { messages: [user('Hi'), said('Hello, how are you?'), user('A title, please.')], text: 'Greeting' },
    ]);
    for (const output of ['Hello, how are you?', '{"reply":"Hello, how are you?"}']) {
      const trace = traceOfExchanges(exchanges, 1, { output });
      expect(kinds(trace)).toEqual(['main', 'side']);
      expect(trace.output).toBe('Hello, how are you?');
    }
  });

  test('includes the calls before a last request that formats the answer', () => {
    const before = [user('A?'), asked(['c1', 'look', {}]), result('c1', 'a')];
    const exchanges = chatExchanges([
      { messages: before.slice(0, 1), tools: ['look'], calls: [['look', {}, 'c1']] },
      { messages: before, tools: ['look'], text: 'It is a.' },
      {
        messages: [...before, said('It is a.'), user('As JSON.')],
        with: { response_format: { type: 'json_object' } },
        text: '{"answer":"a"}',
      },
    ]);
    const trace = traceOfExchanges(exchanges, 1, { output: '{"answer":"a"}' });
    expect(kinds(trace)).toEqual(['main', 'main', 'main']);
    expect(tools(trace)).toEqual([['look', undefined]]);
    expect(kinds(traceOfExchanges(exchanges, 1))).toEqual(['main', 'main', 'side']);
  });

  test('is not one that starts with the examples of another prompt', () => {
    const guard = [user('Is "go away" rude?'), said('Yes'), user('Is "good day" rude?'), said('No')];
    const exchanges = chatExchanges([
      { messages: [...guard, user('Hi')], text: 'No' },
      { messages: [user('Hi')], text: 'Hello.' },
      { step: 2, messages: [...guard, user('Bye')], text: 'No' },
      { step: 2, messages: [system('New here.'), user('Bye')], text: 'Bye, then.' },
    ]);
    const trace = traceOfExchanges(exchanges, 2, { input: 'Bye' });
    expect(kinds(trace)).toEqual(['side', 'main']);
  });

  test('continues if the program asks the model to continue', () => {
    const trace = traceOfExchanges(
      chatExchanges([
        { messages: [user('Count')], text: 'One,' },
        { messages: [user('Count'), said('One,'), user('Go on.')], text: 'two.' },
      ]),
      1,
    );
    expect(kinds(trace)).toEqual(['main', 'main']);
    expect(trace.output).toBe('two.');
  });

  test('continues over the steps, and earlier calls do not count again', () => {
    const first = [user('A?'), asked(['c1', 'look', { q: 'A' }]), result('c1', 'a'), said('It is a.')];
    const exchanges = chatExchanges([
      { messages: first.slice(0, 1), tools: ['look'], calls: [['look', { q: 'A' }, 'c1']] },
      { messages: first.slice(0, 3), tools: ['look'], text: 'It is a.' },
      { step: 2, messages: [user('Title of: B?')], text: 'B' },
      { step: 2, messages: [...first, user('B?')], tools: ['look'], text: 'It is b.' },
    ]);
    const trace = traceOfExchanges(exchanges, 2);
    expect(kinds(trace)).toEqual(['side', 'main']);
    expect(trace.tool_calls).toEqual([]);
    expect(trace.output).toBe('It is b.');
  });
});

describe('calls are never hidden', () => {
  test('a side conversation that calls tools counts', () => {
    const trace = traceOfExchanges(
      chatExchanges([
        {
          messages: [user('Close my account')],
          tools: ['delete_account', 'ask'],
          calls: [['delete_account', {}]],
        },
        { messages: [system('Answer kindly.'), user('Close my account')], text: 'Done.' },
      ]),
      1,
      { input: 'Close my account', output: 'Done.' },
    );
    expect(tools(trace)).toEqual([['delete_account', 'unknown']]);
    expect(trace.output).toBe('Done.');
  });

  test('a forced call without a result is a call, unless the config says that it is only an answer in a form', () => {
    const guard = {
      messages: [system('Safe?'), user('Refund 20')],
      tools: ['submit_check'],
      with: { tool_choice: { type: 'function', function: { name: 'submit_check' } } },
      calls: [['submit_check', { safe: true }]],
    } as const;
    const main = { messages: [system('You refund.'), user('Refund 20')], text: 'Refunded.' } as const;
    for (const script of [
      [guard, main],
      [main, guard],
    ]) {
      const trace = traceOfExchanges(chatExchanges(script), 1);
      expect(trace.output).toBe('Refunded.');
      expect(tools(trace)).toEqual([['submit_check', 'unknown']]);
      const facts = { answerTools: new Set(['submit_check']) };
      expect(traceOfExchanges(chatExchanges(script), 1, facts).tool_calls).toEqual([]);
    }
    // Alone it is the answer, and a call all the same.
    const alone = traceOfExchanges(chatExchanges([guard]), 1);
    expect(alone.output).toBe('{"safe":true}');
    expect(tools(alone)).toEqual([['submit_check', undefined]]);
  });

  test('a forced call with a result is a tool call', () => {
    const force = { with: { tool_choice: 'required' }, tools: ['delete'] } as const;
    const trace = traceOfExchanges(
      chatExchanges([
        { messages: [user('x')], ...force, calls: [['delete', {}, 'c1']] },
        { messages: [user('x'), asked(['c1', 'delete', {}]), result('c1', 'ok')], ...force, text: 'deleted' },
        { messages: [system('Answer.'), user('x')], text: 'Done.' },
      ]),
      1,
      { output: 'Done.' },
    );
    expect(tools(trace)).toEqual([['delete', 'unknown']]);
  });

  test('without a model call, nothing is known about tools', () => {
    const trace = traceOfExchanges(
      [exchangeAt(0, '/v1/embeddings', { request: { model: 'e', input: 'x' } })],
      1,
    );
    expect(kinds(trace)).toEqual(['other']);
    expect(trace).toMatchObject({ model_calls: 0 });
    expect([trace.tool_calls, trace.output, trace.token_usage, trace.usage_complete]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('earlier history does not count as what the agent did', () => {
    const seeded = [
      user('Before?'),
      asked(['old', 'delete', {}]),
      result('old', 'gone'),
      said('Gone.'),
      user('Now?'),
    ];
    const trace = traceOfExchanges(
      chatExchanges([{ messages: seeded, tools: ['delete'], text: 'Nothing.' }]),
      1,
    );
    expect(trace.tool_calls).toEqual([]);
  });
});

describe('sub-agents', () => {
  const prompt = [user('Compare Faro and Ulm')];
  const start = asked(
    ['m1', 'expert', { input: 'Weather in Faro?' }],
    ['m2', 'expert', { input: 'Weather in Ulm?' }],
  );
  const sub = (city: string, id: string): readonly [any, any] => {
    const opening = [system('You know the weather.'), user(`Weather in ${city}?`)];
    return [
      { messages: opening, tools: ['get'], calls: [['get', { city }, id]] },
      {
        messages: [...opening, asked([id, 'get', { city }]), result(id, '11')],
        tools: ['get'],
        text: `${city}: 11`,
      },
    ];
  };
  const [faro, faroEnd] = sub('Faro', 's1');
  const [ulm, ulmEnd] = sub('Ulm', 's2');
  const script = [
    {
      messages: prompt,
      tools: ['expert'],
      calls: [
        ['expert', { input: 'Weather in Faro?' }, 'm1'],
        ['expert', { input: 'Weather in Ulm?' }, 'm2'],
      ],
    },
    faro,
    ulm,
    ulmEnd,
    faroEnd,
    {
      messages: [...prompt, start, result('m1', 'Faro: 11'), result('m2', 'Ulm: 11')],
      tools: ['expert'],
      text: 'Both 11.',
    },
  ];

  test('run in parallel, and each call names the tool that started it', () => {
    const trace = traceOfExchanges(chatExchanges(script), 1);
    expect(kinds(trace)).toEqual(['main', 'sub', 'sub', 'sub', 'sub', 'main']);
    expect(tools(trace)).toEqual([
      ['expert', undefined],
      ['expert', undefined],
      ['get', 'expert'],
      ['get', 'expert'],
    ]);
    expect(trace.output).toBe('Both 11.');
    expect(trace.tool_calls?.map((call) => [call.duration_ms, call.duration_bound])).toEqual([
      [90, 'parallel'],
      [90, 'parallel'],
      [50, 'alone'],
      [10, 'alone'],
    ]);
  });

  test('the order in which exchanges end does not matter', () => {
    const exchanges = chatExchanges(script);
    const tracer = createWireTracer();
    for (const exchange of exchanges.toReversed()) tracer.add(exchange);
    expect(tracer.traceOf(1)).toEqual(traceOfExchanges(exchanges, 1));
  });

  test('are told apart by what they return', () => {
    const input = { q: 'Is it legal and what does it cost?' };
    const trace = traceOfExchanges(
      chatExchanges([
        {
          messages: [user(input.q)],
          tools: ['law', 'tax'],
          calls: [
            ['law', input, 'm1'],
            ['tax', input, 'm2'],
          ],
        },
        { messages: [system('Law.'), user(input.q)], text: 'It is legal.' },
        { messages: [system('Tax.'), user(input.q)], text: 'It costs 5 %.' },
        {
          messages: [
            user(input.q),
            asked(['m1', 'law', input], ['m2', 'tax', input]),
            result('m1', 'It is legal.'),
            result('m2', 'It costs 5 %.'),
          ],
          tools: ['law', 'tax'],
          text: 'Yes, 5 %.',
        },
      ]),
      1,
    );
    expect(trace.calls.map(({ kind, agent }) => [kind, agent])).toEqual([
      ['main', undefined],
      ['sub', 'law'],
      ['sub', 'tax'],
      ['main', undefined],
    ]);
  });

  test('a title made while a tool runs does not count as a sub-agent', () => {
    const trace = traceOfExchanges(
      chatExchanges([
        { messages: [user('Weather in Turin?')], tools: ['get'], calls: [['get', { city: 'Turin' }, 'c1']] },
        { messages: [system('Give a title.'), user('Weather in Turin?')], text: 'Turin weather' },
        {
          messages: [user('Weather in Turin?'), asked(['c1', 'get', { city: 'Turin' }]), result('c1', '13')],
          tools: ['get'],
          text: '13 °C',
        },
      ]),
      1,
    );
    expect(kinds(trace)).toEqual(['main', 'side', 'main']);
  });
});

describe('hand-overs', () => {
  const front = { tools: ['transfer_to_Orders'] };
  const orders = { tools: ['get_order', 'transfer_to_Front'] };
  const opening = [user('G7?')];
  const over = [asked(['h1', 'transfer_to_Orders', {}]), result('h1', '{"assistant":"Orders"}')];

  test('name the agent of all later calls, across retries and hand-overs back', () => {
    const back = [asked(['h2', 'transfer_to_Front', {}]), result('h2', '{"assistant":"Front"}')];
    const trace = traceOfExchanges(
      chatExchanges([
        { messages: [system('Front.'), ...opening], ...front, calls: [['transfer_to_Orders', {}, 'h1']] },
        {
          messages: [system('Orders.'), ...opening, ...over],
          ...orders,
          exchange: { status: 429, response: { error: { message: 'slow down' } } },
        },
        {
          messages: [system('Orders.'), ...opening, ...over],
          ...orders,
          calls: [['transfer_to_Front', {}, 'h2']],
        },
        { messages: [system('Front.'), ...opening, ...over, ...back], ...front, text: 'Shipped.' },
      ]),
      1,
    );
    expect(trace.calls.map(({ kind, agent }) => [kind, agent])).toEqual([
      ['main', 'Front'],
      ['failed', undefined],
      ['main', 'Orders'],
      ['main', 'Front'],
    ]);
    expect(trace.output).toBe('Shipped.');
  });

  test('may drop the history', () => {
    const trace = traceOfExchanges(
      chatExchanges([
        { messages: [system('Front.'), ...opening], ...front, calls: [['transfer_to_Orders', {}, 'h1']] },
        {
          messages: [system('Orders.'), user('So far: the user asks for G7')],
          ...orders,
          calls: [['get_order', {}, 'o1']],
        },
        {
          messages: [
            system('Orders.'),
            user('So far: the user asks for G7'),
            asked(['o1', 'get_order', {}]),
            result('o1', 'shipped'),
          ],
          ...orders,
          text: 'Shipped.',
        },
      ]),
      1,
    );
    expect(tools(trace)).toEqual([
      ['transfer_to_Orders', undefined],
      ['get_order', 'Orders'],
    ]);
    expect(trace.output).toBe('Shipped.');
  });

  test('a tool that only sounds like a hand-over is a tool', () => {
    const both = { tools: ['transfer_to_human'] };
    const trace = traceOfExchanges(
      chatExchanges([
        { messages: opening, ...both, calls: [['transfer_to_human', {}, 'h1']] },
        {
          messages: [...opening, asked(['h1', 'transfer_to_human', {}]), result('h1', 'ok')],
          ...both,
          text: 'Bye.',
        },
      ]),
      1,
    );
    expect(trace.calls.map(({ agent }) => agent)).toEqual([undefined, undefined]);
  });
});

describe('results find their calls', () => {
  const look = { tools: ['look'] };

  test('if a server numbers the calls of each response from 0', () => {
    const one = [user('A and B?'), asked(['0', 'look', { q: 'A' }]), result('0', 'a')];
    const trace = traceOfExchanges(
      chatExchanges([
        { messages: one.slice(0, 1), ...look, calls: [['look', { q: 'A' }, '0']] },
        { messages: one, ...look, calls: [['look', { q: 'B' }, '0']] },
        { messages: [...one, asked(['0', 'look', { q: 'B' }]), result('0', 'b')], ...look, text: 'a, b' },
      ]),
      1,
    );
    expect(trace.tool_calls?.map(({ input, output }) => [input, output])).toEqual([
      [{ q: 'A' }, 'a'],
      [{ q: 'B' }, 'b'],
    ]);
    expect(trace.output).toBe('a, b');
  });

  test('if a framework changes the ids', () => {
    const trace = traceOfExchanges(
      chatExchanges([
        {
          messages: [user('A and B?')],
          ...look,
          calls: [
            ['look', { q: 'A' }, 'x1'],
            ['look', { q: 'B' }, 'x2'],
          ],
        },
        {
          messages: [
            user('A and B?'),
            asked(['y1', 'look', { q: 'A' }], ['y2', 'look', { q: 'B' }]),
            result('y2', 'b'),
            result('y1', 'a'),
          ],
          ...look,
          text: 'a, b',
        },
      ]),
      1,
    );
    expect(kinds(trace)).toEqual(['main', 'main']);
    expect(trace.tool_calls?.map(({ id, output }) => [id, output])).toEqual([
      ['x1', 'a'],
      ['x2', 'b'],
    ]);
  });

  test('in the next step, after the user agreed', () => {
    const exchanges = chatExchanges([
      { messages: [user('Delete it')], tools: ['delete'], calls: [['delete', {}, 'c1']] },
      {
        step: 2,
        messages: [user('Delete it'), asked(['c1', 'delete', {}]), result('c1', 'gone')],
        tools: ['delete'],
        text: 'Gone.',
      },
    ]);
    expect(tools(traceOfExchanges(exchanges.slice(0, 1), 1))).toEqual([['delete', undefined]]);
    const second = traceOfExchanges(exchanges, 2);
    expect(kinds(second)).toEqual(['main']);
    expect(second.tool_calls).toEqual([]);
  });

  test('in conversations that the provider keeps', () => {
    const responses = (index: number, request: any, output: readonly any[]): Exchange =>
      exchangeAt(index, '/openai/v1/responses?api-version=preview', {
        step: index < 2 ? 1 : 2,
        request: { model: 'gpt-5.2', ...request },
        response: {
          id: `resp_${index}`,
          status: 'completed',
          output,
          usage: { input_tokens: 5, output_tokens: 1 },
        } as any,
      });
    const call = { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'look', arguments: '{"q":"A"}' };
    const output = { type: 'function_call_output', call_id: 'c1', output: 'a' };
    const message = (text: string, id: string): any => ({
      type: 'message',
      role: 'assistant',
      id,
      content: [{ type: 'output_text', text }],
    });
    const ways = [
      [
        { conversation: { id: 'conv_1' } },
        { conversation: { id: 'conv_1' }, input: [output] },
        { conversation: 'conv_1', input: 'More?' },
      ],
      [
        {},
        { previous_response_id: 'resp_0', input: [output] },
        { previous_response_id: 'resp_1', input: 'More?' },
      ],
      [
        {},
        { input: [user('A?'), { type: 'item_reference', id: 'fc_1' }, output] },
        {
          input: [
            user('A?'),
            { type: 'item_reference', id: 'fc_1' },
            output,
            { type: 'item_reference', id: 'msg_1' },
            user('More?'),
          ],
        },
      ],
    ];
    for (const [one, two, three] of ways) {
      const exchanges = [
        responses(0, { input: 'A?', ...one }, [call]),
        responses(1, two, [message('It is a.', 'msg_1')]),
        responses(2, three, [message('No.', 'msg_2')]),
      ];
      const trace = traceOfExchanges(exchanges, 1);
      expect(trace).toMatchObject({
        output: 'It is a.',
        tool_calls: [{ tool: 'look', output: 'a', duration_ms: 10 }],
      });
      expect(kinds(trace)).toEqual(['main', 'main']);
      expect(traceOfExchanges(exchanges, 2)).toMatchObject({ output: 'No.', tool_calls: [] });
    }
  });
});

function kinds(trace: ObservedTrace): readonly string[] {
  return trace.calls.map(({ kind }) => kind);
}

function tools(trace: ObservedTrace): readonly (readonly [string, string | undefined])[] | undefined {
  return trace.tool_calls?.map(({ tool, agent }) => [tool, agent]);
}

test('in an Anthropic thread whose requests have only new messages', () => {
  const requests = [
    { messages: [user('Berlin?')], thread: { type: 'create' } },
    { messages: [user('Go on.')], thread: { type: 'continue', previous_message_id: 'msg_0' } },
  ];
  const exchanges = requests.map((request, index) =>
    exchangeAt(index, '/v1/messages', {
      request: { model: 'claude-haiku-4-5', max_tokens: 100, ...request },
      response: {
        id: `msg_${index}`,
        type: 'message',
        role: 'assistant',
        content: [{ type: 'text', text: ['I look.', 'Berlin is 15 °C.'][index]! }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 10, output_tokens: 2 },
      },
    }),
  );
  const trace = traceOfExchanges(exchanges, 1, { input: 'Berlin?' });
  expect(kinds(trace)).toEqual(['main', 'main']);
  expect(trace.output).toBe('Berlin is 15 °C.');
});
