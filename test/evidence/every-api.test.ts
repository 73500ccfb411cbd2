import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../src/evidence/exchange.ts';
import { traceOfExchanges, type ObservedTrace } from '../../src/evidence/wire/trace-of-exchanges.ts';
import type { Json, JsonObject } from '../../src/model/json.ts';
import { eventStream, exchangeAt } from './scripted-exchanges.ts';

/** The same conversations, written as each API writes them, give the same traces. */

interface Call {
  readonly id: string;
  readonly tool: string;
  readonly input: JsonObject;
}

interface Answer {
  readonly text?: string;
  readonly calls?: readonly Call[];
}

type Said = { readonly user: string } | Answer | { readonly result: Call; readonly output: string };

interface Asked {
  readonly step?: number;
  readonly system: string;
  readonly tools?: readonly string[];
  readonly said: readonly Said[];
  readonly answer: Answer;
  /** Instead of an answer. */
  readonly exchange?: Partial<Exchange>;
}

interface Api {
  readonly path: string;
  request(asked: Asked): JsonObject;
  response(answer: Answer, index: number): JsonObject;
  /** The same answer as events of a stream. Undefined: the response alone is one. */
  events(answer: Answer, index: number): readonly Json[];
}

const isUser = (said: Said): said is Extract<Said, { user: string }> => 'user' in said;
const isResult = (said: Said): said is Extract<Said, { result: Call }> => 'result' in said;

const chatMessage = ({ text, calls = [] }: Answer): JsonObject => ({
  role: 'assistant',
  content: text ?? null,
  ...(calls.length === 0
    ? {}
    : {
        tool_calls: calls.map(({ id, tool, input }) => ({
          id,
          type: 'function',
          function: { name: tool, arguments: JSON.stringify(input) },
        })),
      }),
});

const chat: Api = {
  path: '/v1/chat/completions',
  request: ({ system, tools = [], said }) => ({
    model: 'm',
    messages: [
      { role: 'system', content: system },
      ...said.map((each) => {
        if (isUser(each)) return { role: 'user', content: each.user };
        if (isResult(each)) return { role: 'tool', tool_call_id: each.result.id, content: each.output };
        return chatMessage(each);
      }),
    ],
    tools: tools.map((name) => ({ type: 'function', function: { name } })),
  }),
  response: (answer, index) => ({
    id: `c${index}`,
    model: 'm',
    choices: [
      { index: 0, message: chatMessage(answer), finish_reason: answer.calls ? 'tool_calls' : 'stop' },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 2 },
  }),
  events: ({ text, calls = [] }, index) => [
    {
      id: `c${index}`,
      model: 'm',
      choices: [{ index: 0, delta: { role: 'assistant', content: text ?? null } }],
    },
    ...calls.map(({ id, tool }, at) => ({
      choices: [
        { index: 0, delta: { tool_calls: [{ index: at, id, function: { name: tool, arguments: '' } }] } },
      ],
    })),
    ...calls.toReversed().map(({ input }, at) => ({
      choices: [
        {
          index: 0,
          delta: {
            tool_calls: [{ index: calls.length - 1 - at, function: { arguments: JSON.stringify(input) } }],
          },
        },
      ],
    })),
    { choices: [{ index: 0, delta: {}, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }] },
    { choices: [], usage: { prompt_tokens: 10, completion_tokens: 2 } },
  ],
};

const items = ({ text, calls = [] }: Answer, index?: number): readonly Json[] => [
  ...(text === undefined
    ? []
    : [
        {
          type: 'message',
          role: 'assistant',
          ...(index === undefined ? {} : { id: `msg_${index}` }),
          content: [{ type: 'output_text', text }],
        },
      ]),
  ...calls.map(({ id, tool, input }) => ({
    type: 'function_call',
    call_id: id,
    name: tool,
    arguments: JSON.stringify(input),
  })),
];

const responses: Api = {
  path: '/v1/responses',
  request: ({ system, tools = [], said }) => ({
    model: 'm',
    instructions: system,
    input: said.flatMap((each): readonly Json[] => {
      if (isUser(each)) return [{ role: 'user', content: each.user }];
      if (isResult(each))
        return [{ type: 'function_call_output', call_id: each.result.id, output: each.output }];
      return items(each);
    }),
    tools: tools.map((name) => ({ type: 'function', name })),
  }),
  response: (answer, index) => ({
    id: `resp_${index}`,
    model: 'm',
    status: 'completed',
    output: items(answer, index),
    usage: { input_tokens: 10, output_tokens: 2 },
  }),
  events: (answer, index) => [
    ...items(answer, index).map((item, at) => ({
      type: 'response.output_item.done',
      output_index: at,
      item,
    })),
    { type: 'response.completed', response: responses.response(answer, index) },
  ],
};

const blocks = ({ text, calls = [] }: Answer): readonly JsonObject[] => [
  ...(text === undefined ? [] : [{ type: 'text', text }]),
  ...calls.map(({ id, tool, input }) => ({ type: 'tool_use', id, name: tool, input })),
];

const anthropic: Api = {
  path: '/v1/messages',
  request: ({ system, tools = [], said }) => ({
    model: 'm',
    max_tokens: 100,
    system,
    messages: joinRoles(said, (each) => {
      if (isUser(each)) return ['user', { type: 'text', text: each.user }];
      if (isResult(each))
        return ['user', { type: 'tool_result', tool_use_id: each.result.id, content: each.output }];
      return ['assistant', ...blocks(each)];
    }).map(([role, content]) => ({ role, content })),
    tools: tools.map((name) => ({ name })),
  }),
  response: (answer, index) => ({
    id: `msg_${index}`,
    type: 'message',
    model: 'm',
    content: blocks(answer),
    stop_reason: answer.calls ? 'tool_use' : 'end_turn',
    usage: { input_tokens: 10, output_tokens: 2 },
  }),
  events: (answer, index) => [
    {
      type: 'message_start',
      message: { id: `msg_${index}`, model: 'm', content: [], usage: { input_tokens: 10, output_tokens: 1 } },
    },
    ...blocks(answer).flatMap((block, at): readonly Json[] =>
      block['type'] === 'text'
        ? [
            { type: 'content_block_start', index: at, content_block: { type: 'text', text: '' } },
            { type: 'content_block_delta', index: at, delta: { type: 'text_delta', text: block['text']! } },
          ]
        : [
            { type: 'content_block_start', index: at, content_block: { ...block, input: {} } },
            {
              type: 'content_block_delta',
              index: at,
              delta: { type: 'input_json_delta', partial_json: JSON.stringify(block['input']) },
            },
          ],
    ),
    {
      type: 'message_delta',
      delta: { stop_reason: answer.calls ? 'tool_use' : 'end_turn' },
      usage: { output_tokens: 2 },
    },
    { type: 'message_stop' },
  ],
};

/** Without ids, as Gemini sends them. */
const parts = ({ text, calls = [] }: Answer): readonly JsonObject[] => [
  ...(text === undefined ? [] : [{ text }]),
  ...calls.map(({ tool, input }) => ({ functionCall: { name: tool, args: input } })),
];

const gemini: Api = {
  path: '/v1beta/models/m:generateContent',
  request: ({ system, tools = [], said }) => ({
    systemInstruction: { parts: [{ text: system }] },
    contents: joinRoles(said, (each) => {
      if (isUser(each)) return ['user', { text: each.user }];
      if (isResult(each))
        return ['user', { functionResponse: { name: each.result.tool, response: { output: each.output } } }];
      return ['model', ...parts(each)];
    }).map(([role, content]) => ({ role, parts: content })),
    tools: tools.length === 0 ? [] : [{ functionDeclarations: tools.map((name) => ({ name })) }],
  }),
  response: (answer) => ({
    candidates: [{ content: { role: 'model', parts: parts(answer) }, finishReason: 'STOP' }],
    modelVersion: 'm',
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2 },
  }),
  events: (answer) => [
    ...parts(answer).map((part) => ({ candidates: [{ content: { role: 'model', parts: [part] } }] })),
    { ...gemini.response({}, 0) },
  ],
};

/** Results and what follows them in one role are one message. */
function joinRoles(
  said: readonly Said[],
  write: (said: Said) => readonly [role: string, ...content: Json[]],
): readonly (readonly [string, readonly Json[]])[] {
  const joined: [string, Json[]][] = [];
  for (const each of said) {
    const [role, ...content] = write(each);
    const last = joined.at(-1);
    if (last?.[0] === role && isResult(each)) last[1].push(...content);
    else joined.push([role, content]);
  }
  return joined;
}

const APIS = { chat, responses, anthropic, gemini };

const look = (q: string, id = `look_${q}`): Call => ({ id, tool: 'look', input: { q } });
const expert: Call = { id: 'e1', tool: 'expert', input: { task: 'Find the price of Porto' } };
const transfer: Call = { id: 't1', tool: 'transfer_to_Orders', input: {} };

const SCRIPTS: Readonly<Record<string, readonly Asked[]>> = {
  'parallel calls over two steps': (() => {
    const first: readonly Said[] = [
      { user: 'A and B?' },
      { text: 'I look.', calls: [look('A'), look('B')] },
      { result: look('A'), output: 'a' },
      { result: look('B'), output: 'b' },
    ];
    const later: readonly Said[] = [...first, { text: 'They are a and b.' }, { user: 'And C?' }];
    const common = { system: 'You look.', tools: ['look'] };
    return [
      { ...common, said: first.slice(0, 1), answer: { text: 'I look.', calls: [look('A'), look('B')] } },
      { ...common, said: first, answer: { text: 'They are a and b.' } },
      { ...common, step: 2, said: later, answer: { calls: [look('C')] } },
      {
        ...common,
        step: 2,
        said: [...later, { calls: [look('C')] }, { result: look('C'), output: 'c' }],
        answer: { text: 'It is c.' },
      },
    ];
  })(),
  'a sub-agent, a title and a guard': (() => {
    const main = { system: 'You plan.', tools: ['expert'] };
    const sub = { system: 'You know prices.', tools: ['look'] };
    const question: Said = { user: 'Where to go?' };
    const task: Said = { user: 'Find the price of Porto' };
    return [
      { system: 'Is it safe?', said: [question], answer: { text: 'yes' } },
      { ...main, said: [question], answer: { calls: [expert] } },
      { system: 'A title.', said: [question], answer: { text: 'Travel plans' } },
      { ...sub, said: [task], answer: { calls: [look('Porto')] } },
      {
        ...sub,
        said: [task, { calls: [look('Porto')] }, { result: look('Porto'), output: '74' }],
        answer: { text: 'Porto is 74.' },
      },
      {
        ...main,
        said: [question, { calls: [expert] }, { result: expert, output: 'Porto is 74.' }],
        answer: { text: 'Go to Porto.' },
      },
    ];
  })(),
  'a hand-over after a request that failed, and one that broke off': (() => {
    const front = { system: 'Front.', tools: ['transfer_to_Orders'] };
    const orders = { system: 'Orders.', tools: ['look'] };
    const over: readonly Said[] = [
      { user: 'G7?' },
      { calls: [transfer] },
      { result: transfer, output: '{"assistant":"Orders"}' },
    ];
    const looked: readonly Said[] = [
      ...over,
      { calls: [look('G7')] },
      { result: look('G7'), output: 'shipped' },
    ];
    return [
      { ...front, said: over.slice(0, 1), answer: {}, exchange: { status: 503 } },
      { ...front, said: over.slice(0, 1), answer: { calls: [transfer] } },
      { ...orders, said: over, answer: {}, exchange: { response_text: '', aborted: true } },
      { ...orders, said: over, answer: { calls: [look('G7')] } },
      { ...orders, said: looked, answer: { text: 'G7 has shipped.' } },
    ];
  })(),
};

test('the traces show what happened', () => {
  const facts = Object.values(SCRIPTS).map((script) => tracesOf(script, chat, 'whole').map(factsOf));
  expect(facts).toEqual([
    [
      { output: 'They are a and b.', tools: ['look A = a', 'look B = b'], kinds: ['main', 'main'] },
      { output: 'It is c.', tools: ['look C = c'], kinds: ['main', 'main'] },
    ],
    [
      {
        output: 'Go to Porto.',
        tools: ['expert Find the price of Porto = Porto is 74.', 'expert: look Porto = 74'],
        kinds: ['side', 'main', 'side', 'sub expert', 'sub expert', 'main'],
      },
    ],
    [
      {
        output: 'G7 has shipped.',
        tools: ['transfer_to_Orders  = {"assistant":"Orders"}', 'Orders: look G7 = shipped'],
        kinds: ['failed', 'main', 'broken', 'main Orders', 'main Orders'],
      },
    ],
  ]);
});

function factsOf({ output, tool_calls: calls, calls: exchanges }: any): unknown {
  return {
    output,
    tools: calls.map(({ tool, input, output: given, agent }: any) => {
      const call = `${tool} ${Object.values(input).join()} = ${typeof given === 'string' ? given : JSON.stringify(given)}`;
      return agent === undefined ? call : `${agent}: ${call}`;
    }),
    kinds: exchanges.map(({ kind, agent }: any) => (agent === undefined ? kind : `${kind} ${agent}`)),
  };
}

describe.each(Object.entries(SCRIPTS))('%s', (_, script) => {
  const expected = tracesOf(script, chat, 'whole');

  test.each(Object.keys(APIS) as (keyof typeof APIS)[])('over %s', (name) => {
    for (const form of ['whole', 'streamed'] as const) {
      expect(tracesOf(script, APIS[name], form)).toEqual(expected);
    }
  });
});

function tracesOf(script: readonly Asked[], api: Api, form: 'whole' | 'streamed'): readonly unknown[] {
  const exchanges = script.map((asked, index): Exchange => {
    const answered =
      form === 'whole'
        ? { response: api.response(asked.answer, index) }
        : { response_text: eventStream(api.events(asked.answer, index)) };
    const fields = asked.exchange === undefined ? answered : asked.exchange;
    return exchangeAt(index, api.path, { step: asked.step ?? 1, request: api.request(asked), ...fields });
  });
  const steps = [...new Set(exchanges.map(({ step }) => step))];
  return steps.map((step) => comparable(traceOfExchanges(exchanges, step)));
}

/** Without ids, which Gemini does not have. */
function comparable({ tool_calls: calls, messages, ...trace }: ObservedTrace): unknown {
  return {
    output: trace.output,
    tool_calls: calls?.map((call) => ({ ...call, id: undefined })),
    messages: messages?.map(({ role, content }) => [role, content]),
    token_usage: trace.token_usage,
    usage_complete: trace.usage_complete,
    model_calls: trace.model_calls,
    gap: trace.gap,
    calls: trace.calls.map(({ seq, kind, agent, finish, tool_calls: names }) => ({
      seq,
      kind,
      agent,
      finish,
      names,
    })),
  };
}
