import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../src/evidence/exchange.ts';
import { traceOfExchanges, type ObservedTrace } from '../../src/evidence/wire/trace-of-exchanges.ts';
import type { Json, JsonObject } from '../../src/base/model/json.ts';
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
  /** How events are written. Default: as server-sent events. */
  stream?(events: readonly Json[]): string;
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

const ollamaMessage = ({ text, calls = [] }: Answer): JsonObject => ({
  role: 'assistant',
  content: text ?? '',
  ...(calls.length === 0
    ? {}
    : { tool_calls: calls.map(({ tool, input }) => ({ function: { name: tool, arguments: input } })) }),
});

const ollama: Api = {
  path: '/api/chat',
  request: ({ system, tools = [], said }) => ({
    model: 'm',
    messages: [
      { role: 'system', content: system },
      ...said.map((each) => {
        if (isUser(each)) return { role: 'user', content: each.user };
        if (isResult(each)) return { role: 'tool', tool_name: each.result.tool, content: each.output };
        return ollamaMessage(each);
      }),
    ],
    tools: tools.map((name) => ({ type: 'function', function: { name } })),
  }),
  response: (answer) => ({
    model: 'm',
    message: ollamaMessage(answer),
    done: true,
    done_reason: 'stop',
    prompt_eval_count: 10,
    eval_count: 2,
  }),
  events: ({ text, calls }) => [
    ...[...(text ?? '')].map((letter) => ({
      model: 'm',
      message: ollamaMessage({ text: letter }),
      done: false,
    })),
    ...(calls === undefined ? [] : [{ model: 'm', message: ollamaMessage({ calls }), done: false }]),
    { ...ollama.response({}, 0) },
  ],
  stream: (events) => events.map((event) => `${JSON.stringify(event)}\n`).join(''),
};

const cohere: Api = {
  path: '/v2/chat',
  request: (asked) => chat.request(asked),
  response: (answer, index) => ({
    id: `c${index}`,
    finish_reason: answer.calls ? 'TOOL_CALL' : 'COMPLETE',
    message: { ...chatMessage(answer), content: answer.text ? [{ type: 'text', text: answer.text }] : [] },
    usage: { tokens: { input_tokens: 10, output_tokens: 2 } },
  }),
  events: ({ text, calls = [] }, index) => [
    { type: 'message-start', id: `c${index}`, delta: { message: { role: 'assistant' } } },
    ...(text === undefined
      ? []
      : [
          { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
          { type: 'content-delta', index: 0, delta: { message: { content: { text } } } },
        ]),
    ...calls.flatMap(({ id, tool, input }, at) => {
      const called = { id, type: 'function', function: { name: tool, arguments: '' } };
      const rest = { function: { arguments: JSON.stringify(input) } };
      return [
        { type: 'tool-call-start', index: at, delta: { message: { tool_calls: called } } },
        { type: 'tool-call-delta', index: at, delta: { message: { tool_calls: rest } } },
      ];
    }),
    {
      type: 'message-end',
      delta: {
        finish_reason: calls.length > 0 ? 'TOOL_CALL' : 'COMPLETE',
        usage: { tokens: { input_tokens: 10, output_tokens: 2 } },
      },
    },
  ],
};

const converseBlocks = ({ text, calls = [] }: Answer): readonly JsonObject[] => [
  ...(text === undefined ? [] : [{ text }]),
  ...calls.map(({ id, tool, input }) => ({ toolUse: { toolUseId: id, name: tool, input } })),
];

const bedrock: Api = {
  path: '/model/us.example.m-v1%3A0/converse-stream',
  request: ({ system, tools = [], said }) => ({
    system: [{ text: system }],
    messages: joinRoles(said, (each) => {
      if (isUser(each)) return ['user', { text: each.user }];
      if (isResult(each))
        return ['user', { toolResult: { toolUseId: each.result.id, content: [{ text: each.output }] } }];
      return ['assistant', ...converseBlocks(each)];
    }).map(([role, content]) => ({ role, content })),
    toolConfig: { tools: tools.map((name) => ({ toolSpec: { name } })) },
  }),
  response: (answer) => ({
    output: { message: { role: 'assistant', content: converseBlocks(answer) } },
    stopReason: answer.calls ? 'tool_use' : 'end_turn',
    usage: { inputTokens: 10, outputTokens: 2, totalTokens: 12 },
  }),
  events: (answer) => [
    { type: 'messageStart', role: 'assistant' },
    ...converseBlocks(answer).flatMap(({ text, toolUse }, contentBlockIndex): readonly JsonObject[] => {
      if (typeof text === 'string')
        return [{ type: 'contentBlockDelta', contentBlockIndex, delta: { text } }];
      const { input, ...start } = toolUse as JsonObject;
      const delta = { toolUse: { input: JSON.stringify(input) } };
      return [
        { type: 'contentBlockStart', contentBlockIndex, start: { toolUse: start } },
        { type: 'contentBlockDelta', contentBlockIndex, delta },
      ];
    }),
    { type: 'messageStop', stopReason: answer.calls ? 'tool_use' : 'end_turn' },
    { type: 'metadata', usage: { inputTokens: 10, outputTokens: 2, totalTokens: 12 }, metrics: {} },
  ],
};

const interactionSteps = ({ text, calls = [] }: Answer): readonly JsonObject[] => [
  ...(text === undefined ? [] : [{ type: 'model_output', content: [{ type: 'text', text }] }]),
  ...calls.map(({ id, tool, input }) => ({ type: 'function_call', id, name: tool, arguments: input })),
];

const interactions: Api = {
  path: '/v1beta/interactions',
  request: ({ system, tools = [], said }) => ({
    model: 'm',
    store: false,
    system_instruction: system,
    input: said.flatMap((each): readonly JsonObject[] => {
      if (isUser(each)) return [{ type: 'user_input', content: [{ type: 'text', text: each.user }] }];
      if (isResult(each))
        return [
          { type: 'function_result', call_id: each.result.id, name: each.result.tool, result: each.output },
        ];
      return interactionSteps(each);
    }),
    tools: tools.map((name) => ({ type: 'function', name })),
  }),
  response: (answer, index) => ({
    id: `i${index}`,
    model: 'm',
    status: answer.calls ? 'requires_action' : 'completed',
    steps: interactionSteps(answer),
    usage: { total_input_tokens: 10, total_output_tokens: 2 },
  }),
  events: (answer, index) => [
    { event_type: 'interaction.created', interaction: { id: `i${index}`, status: 'in_progress' } },
    ...interactionSteps(answer).flatMap((step, at): readonly JsonObject[] => {
      const begun = { event_type: 'step.start', index: at };
      const delta = { event_type: 'step.delta', index: at };
      if (step['type'] === 'model_output')
        return [
          { ...begun, step: { type: 'model_output' } },
          { ...delta, delta: { type: 'text', text: answer.text! } },
        ];
      const text = JSON.stringify(step['arguments']);
      return [
        { ...begun, step: { ...step, arguments: {} } },
        { ...delta, delta: { type: 'arguments_delta', arguments: text.slice(0, 3) } },
        { ...delta, delta: { type: 'arguments_delta', arguments: text.slice(3) } },
      ];
    }),
    {
      event_type: 'interaction.completed',
      interaction: { ...interactions.response(answer, index), steps: [] },
    },
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

const APIS = { chat, responses, anthropic, gemini, ollama, cohere, bedrock, interactions };

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
        : { response_text: (api.stream ?? eventStream)(api.events(asked.answer, index)) };
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
