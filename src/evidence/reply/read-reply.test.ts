import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../base/model/json.ts';
import type { TraceGap } from '../../base/model/reply.ts';
import { readReply } from './read-reply.ts';

function read(value: Json | undefined, unreported?: TraceGap) {
  const result = readReply(value, unreported);
  if ('problem' in result) throw new Error(result.problem);
  return result.reply;
}

function problemOf(value: Json | undefined): string {
  const result = readReply(value);
  return 'problem' in result ? result.problem : 'no problem';
}

describe('output', () => {
  test('a plain text is the output', () =>
    expect(read('hi')).toEqual({ output: 'hi', trace_gap: { kind: 'missing' } }));
  test('output wins over text', () => expect(read({ output: 'a', text: 'b' }).output).toBe('a'));
  test('an empty output counts as an output', () => expect(read({ output: '', text: 'b' }).output).toBe(''));
  test('text is used when there is no output', () =>
    expect(read({ text: 'b', output_messages: [] }).output).toBe('b'));
  test('otherwise the last assistant message is the output', () => {
    const output_messages = [
      { role: 'assistant', content: 'first' },
      { role: 'assistant', content: 'last' },
      { role: 'tool', content: 'noise' },
    ];
    expect(read({ output_messages })).toMatchObject({ output: 'last', output_messages });
  });
  test('structured content becomes JSON, indented by two spaces', () => {
    const output_messages = [{ role: 'assistant', content: { n: 12345678901234567890n } }];
    expect(read({ output_messages }).output).toBe('{\n  "n": 12345678901234567890\n}');
  });
  test('an assistant message with calls only has no output', () => {
    expect(read({ output_messages: [{ role: 'assistant', tool_calls: [{ tool: 'a' }] }] }).output).toBe('');
  });
});

/** A reply with an answer, and what is given. */
const say = (value: JsonObject): JsonObject => ({ output: 'x', ...value });
const gapOf = (value: Json, unreported?: TraceGap) => read(value, unreported).trace_gap;
const MISSING = { kind: 'missing' } as const;
const LEFT_OUT = { kind: 'left_out' } as const;

describe('tools', () => {
  test('a reply without a trace has unknown tools', () => {
    const reply = read(say({ tools_used: null, tool_calls: null, output_messages: null }));
    expect(reply).toMatchObject({ trace_gap: MISSING });
    expect([reply.tools_used, reply.tool_calls]).toEqual([undefined, undefined]);
  });
  test('only a function that returns an object with `output` may omit its tools', () => {
    expect(gapOf(say({}), LEFT_OUT)).toEqual(LEFT_OUT);
    expect(gapOf(say({ tools_used: null }), LEFT_OUT)).toEqual(LEFT_OUT);
    expect(gapOf({ text: 'x' }, LEFT_OUT)).toEqual(MISSING);
    expect(gapOf('x', LEFT_OUT)).toEqual(MISSING);
    expect(gapOf(say({ tools_used: [] }), LEFT_OUT)).toBeUndefined();
  });
  test('tools_used is a list of names', () => {
    expect(read(say({ tools_used: ['a', 'b', 'a'] }))).toEqual({
      output: 'x',
      tools_used: ['a', 'b', 'a'],
      tool_calls: [{ tool: 'a' }, { tool: 'b' }, { tool: 'a' }],
    });
  });
  test('tools_used may be a single name', () =>
    expect(read(say({ tools_used: 'a' })).tools_used).toEqual(['a']));
  test('an empty list of tools differs from a missing one', () =>
    expect(read(say({ tools_used: [] }))).toEqual({ output: 'x', tools_used: [], tool_calls: [] }));
  test('objects with a name keep the details of the call', () => {
    expect(
      read(say({ tools_used: [{ name: 'a', input: null, id: '1', duration_ms: 5, other: 1 }] })),
    ).toMatchObject({
      tools_used: ['a'],
      tool_calls: [{ tool: 'a', input: null, id: '1', duration_ms: 5 }],
    });
  });
  test('tools_used is derived from tool_calls', () => {
    const calls = [{ tool: 'a', input: { x: 1 }, output: [2], status: 'ok' }];
    expect(read(say({ tool_calls: calls }))).toMatchObject({ tools_used: ['a'], tool_calls: calls });
  });
  test.each<[JsonObject]>([
    [{ tool: 'a', input: { q: 1 }, output: 2 }],
    [{ name: 'a', args: { q: 1 }, result: 2 }],
    [{ tool: 'a', args: { q: 1 }, output: 2 }],
    [{ name: 'a', input: null, arguments: '{"q": 1}', output: 2 }],
    [{ tool_name: 'a', parameters: { q: 1 }, output: 2, type: 'tool_call' }],
  ])('%j is read completely', (call) => {
    const wanted = [{ tool: 'a', input: { q: 1 }, output: 2 }];
    expect(read(say({ tool_calls: [call] })).tool_calls).toEqual(wanted);
    expect(read({ output_messages: [{ role: 'assistant', tool_calls: [call] }] }).tool_calls).toEqual(wanted);
  });
  test('arguments that are not JSON stay text', () => {
    expect(read(say({ tool_calls: [{ name: 'a', arguments: 'free text' }] })).tool_calls).toEqual([
      { tool: 'a', input: 'free text' },
    ]);
  });
  test("a tool's name may be listed once although it was called several times", () => {
    const reply = read(say({ tools_used: ['a'], tool_calls: [{ tool: 'a' }, { tool: 'a' }] }));
    expect(reply).toMatchObject({ tools_used: ['a'], tool_calls: [{ tool: 'a' }, { tool: 'a' }] });
    expect(reply.trace_gap).toBeUndefined();
  });
  test('tools_used is derived from messages', () => {
    const output_messages = [
      { role: 'assistant', tool_calls: [{ tool: 'a', input: 1 }] },
      { role: 'tool', content: '1' },
      { role: 'assistant', content: 'done', tool_calls: [{ tool: 'b' }] },
    ];
    expect(read({ output_messages })).toEqual({
      output: 'done',
      output_messages,
      tools_used: ['a', 'b'],
      tool_calls: [{ tool: 'a', input: 1 }, { tool: 'b' }],
    });
    expect(read({ output_messages, tools_used: ['a', 'b'] }).tool_calls).toEqual([
      { tool: 'a', input: 1 },
      { tool: 'b' },
    ]);
  });
  test('messages without tool calls mean that no tool was called', () => {
    expect(read({ output_messages: [{ role: 'assistant', content: 'hi' }] })).toMatchObject({
      tools_used: [],
      tool_calls: [],
    });
  });
});

describe('when two parts of a reply describe the tools', () => {
  const calling = [{ role: 'assistant', content: 'hi', tool_calls: [{ tool: 'rm' }] }];
  test.each<[JsonObject, string]>([
    [{ tools_used: [], tool_calls: [{ tool: 'rm' }] }, '`tools_used` and `tool_calls`'],
    [{ tools_used: ['a'], tool_calls: [] }, '`tools_used` and `tool_calls`'],
    [{ tools_used: ['a'], tool_calls: [{ tool: 'b' }] }, '`tools_used` and `tool_calls`'],
    [{ tools_used: [], output_messages: calling }, '`tools_used` and `output_messages`'],
    [{ tool_calls: [], output_messages: calling }, '`tool_calls` and `output_messages`'],
  ])('%j contradicts itself', (reply, at) => {
    expect(gapOf(say(reply))).toEqual({ kind: 'contradictory', at });
  });

  const pay = (input: Json): JsonObject => ({ tool: 'pay', input });
  const message = (...tool_calls: readonly JsonObject[]): JsonObject => ({ role: 'assistant', tool_calls });
  const [a, b] = [{ tool: 'a' }, { tool: 'b' }];
  test.each<[string, JsonObject]>([
    ['tool_calls', { tool_calls: [pay({ n: 5 })], output_messages: [message(pay({ n: 9 }))] }],
    ['tool_calls', { tool_calls: [pay({ n: 5 })], output_messages: [message(pay({ n: 5 }), pay({ n: 5 }))] }],
    ['tool_calls', { tool_calls: [pay({ n: 5 })], output_messages: [message(pay({}))] }],
    [
      'tool_calls',
      {
        tool_calls: [pay({ n: 1 }), pay({ n: 2 })],
        output_messages: [message(pay({ n: 2 })), message(pay({ n: 1 }))],
      },
    ],
    ['tool_calls', { tool_calls: [b, a], output_messages: [message(a), message(b)] }],
    ['tool_calls', { tool_calls: [a, b, b], output_messages: [message(a), message(b, a)] }],
    ['tools_used', { tools_used: ['b', 'a'], output_messages: [message(a), message(b)] }],
    ['tools_used', { tools_used: ['a', 'b', 'a'], output_messages: [message(a, a, b, a)] }],
    ['tools_used', { tools_used: [pay({ n: 1 })], output_messages: [message(pay({ n: 2 }))] }],
    ['tools_used', { tools_used: [pay({ n: 1 })], output_messages: [message(pay({ n: 2 }), pay({ n: 3 }))] }],
  ])('%s and messages contradict each other: %j', (one, reply) => {
    expect(gapOf(say(reply))).toEqual({ kind: 'contradictory', at: `\`${one}\` and \`output_messages\`` });
  });

  test.each<[JsonObject]>([
    [{ tools_used: ['b', 'a'], tool_calls: [a, b] }],
    [{ tools_used: [pay({ n: 1 })], tool_calls: [pay({ n: 2 })] }],
    [{ tools_used: [pay({ n: 1 })], tool_calls: [pay({ n: 2 }), pay({ n: 3 })] }],
    [{ tools_used: ['a', 'a', 'b'], tool_calls: [a, b, b] }],
  ])('tools_used and tool_calls contradict each other: %j', (reply) => {
    expect(gapOf(say(reply))).toEqual({ kind: 'contradictory', at: '`tools_used` and `tool_calls`' });
  });

  test.each<[JsonObject]>([
    // In one message: made at the same time.
    [{ tool_calls: [b, a], output_messages: [message(a, b)] }],
    [{ tools_used: ['b', 'a'], tool_calls: [a, b], output_messages: [message(a, b)] }],
    [
      {
        tool_calls: [pay({ n: 2 }), pay({ n: 1 }), a],
        output_messages: [message(pay({ n: 1 }), pay({ n: 2 })), message(a)],
      },
    ],
    // The same in other words.
    [{ tool_calls: [pay({ n: 1, m: [1.5] })], output_messages: [message(pay({ m: [1.5], n: 1 }))] }],
    [{ tool_calls: [pay({ n: 1 })], output_messages: [message({ name: 'pay', arguments: '{"n": 1}' })] }],
    [{ tool_calls: [pay('{"n": 1}')], output_messages: [message(pay({ n: 1 }))] }],
    [{ tool_calls: [pay({})], output_messages: [message({ tool: 'pay' })] }],
    [{ tool_calls: [pay({})], output_messages: [message(pay(null))] }],
    [{ tool_calls: [{ tool: 'pay' }], output_messages: [message(pay({ n: 1 }))] }],
    [
      {
        tool_calls: [{ tool: 'pay' }, pay({ n: 1 })],
        output_messages: [message(pay({ n: 1 }), { tool: 'pay' })],
      },
    ],
    // Messages need not show every call.
    [{ tool_calls: [a, b, a], output_messages: [message(b)] }],
    [{ tool_calls: [a, b], output_messages: [{ role: 'assistant', content: 'done' }] }],
    [{ tools_used: ['a', 'b'], output_messages: [message(b), message(a), message(b)] }],
  ])('%j does not contradict itself', (reply) => {
    expect(gapOf(say(reply))).toBeUndefined();
  });

  test('arguments that only the messages contain are used', () => {
    const reply = read(
      say({ tool_calls: [a, pay({ n: 1 })], output_messages: [message({ ...a, input: 2 }, pay({ n: 1 }))] }),
    );
    expect(reply.tool_calls).toEqual([{ tool: 'a', input: 2 }, pay({ n: 1 })]);
  });

  test('names that are listed once leave the number of calls to the messages', () => {
    const reply = read(say({ tools_used: ['a'], output_messages: [message(a), message(a)] }));
    expect(reply).toMatchObject({ tools_used: ['a'], tool_calls: [a, a] });
  });
});

/** A call as other frameworks write it: in a message, and where it is found. */
const UNREAD: readonly (readonly [JsonObject, string, string])[] = [
  [
    {
      content: [
        { type: 'text', text: 'x' },
        { type: 'tool_use', id: '1', name: 'rm', input: {} },
      ],
    },
    '.content[1]',
    'tool_use',
  ],
  [
    { content: [{ type: 'tool-call', toolCallId: '1', toolName: 'rm', input: {} }] },
    '.content[0]',
    'tool-call',
  ],
  [
    { content: 'x', parts: [{ functionCall: { name: 'rm', args: {} } }] },
    '.parts[0].functionCall',
    'functionCall',
  ],
  [
    { content: null, tool_calls: [{ id: '1', type: 'function', function: { name: 'rm', arguments: '{}' } }] },
    '.tool_calls[0]',
    'function',
  ],
  [{ content: null, function_call: { name: 'rm', arguments: '{}' } }, '.function_call', 'function_call'],
  [{ content: [{ toolUse: { toolUseId: '1', name: 'rm', input: {} } }] }, '.content[0].toolUse', 'toolUse'],
  [{ content: '', toolCalls: [{ toolName: 'rm', args: {} }] }, '.toolCalls', 'toolCalls'],
  [
    { content: '', parts: [{ type: 'tool-invocation', toolInvocation: { toolName: 'rm' } }] },
    '.parts[0]',
    'tool-invocation',
  ],
  [
    { content: '', parts: [{ type: 'tool-rm', toolCallId: '1', state: 'output-available' }] },
    '.parts[0]',
    'tool-rm',
  ],
  [
    { content: '', additional_kwargs: { tool_calls: [{ function: { name: 'rm' } }] } },
    '.additional_kwargs.tool_calls',
    'tool_calls',
  ],
  [
    { content: [{ type: 'function_call', name: 'rm', arguments: '{}', call_id: '1' }] },
    '.content[0]',
    'function_call',
  ],
  [
    { content: [{ type: 'server_tool_use', name: 'web_search', input: {} }] },
    '.content[0]',
    'server_tool_use',
  ],
  [{ content: [{ type: 'web_search_call', id: '1' }] }, '.content[0]', 'web_search_call'],
  [{ content: [{ type: 'function', function: { name: 'rm' } }] }, '.content[0]', 'function'],
  [{ content: [{ type: 'tool', name: 'rm' }] }, '.content[0]', 'tool'],
  [{ content: [{ toolRequest: { name: 'rm' } }] }, '.content[0].toolRequest', 'toolRequest'],
  [{ content: [{ type: 'command_execution', command: 'rm' }] }, '.content[0]', 'command_execution'],
  [{ content: [{ kind: 'tool-call', name: 'rm' }] }, '.content[0]', 'tool-call'],
  [{ content: [{ type: 'bash_call', id: '1' }] }, '.content[0]', 'bash_call'],
  [{ content: [{ type: 'tool_execution_start' }] }, '.content[0]', 'tool_execution_start'],
  [{ content: [{ type: 'computer_use_20250124' }] }, '.content[0]', 'computer_use_20250124'],
  [{ content: [{ part_kind: 'tool-call', tool_name: 'rm', args: {} }] }, '.content[0]', 'tool-call'],
  [{ content: '', tool_calls: [{ toolName: 'rm', args: {} }] }, '.tool_calls[0]', 'toolName'],
  [{ content: 'x', tool_calls: [{ tool: 'a' }, { function: { name: 'rm' } }] }, '.tool_calls[1]', 'function'],
  [{ content: [{ type: 'tool_use', name: 'rm' }], tool_calls: [{ tool: 'a' }] }, '.content[0]', 'tool_use'],
];

describe('a tool call in an unknown format never counts as "no tools"', () => {
  test.each(UNREAD)('%j', (message, place, form) => {
    const gap = { kind: 'unreadable', at: `output_messages[0]${place}`, form };
    const last = { role: 'assistant', content: 'done' };
    const output_messages = [{ role: 'assistant', ...message }, last];
    expect(gapOf({ output_messages })).toEqual(gap);
    expect(gapOf(say({ output_messages }), LEFT_OUT)).toEqual(gap);
    expect(gapOf(say({ output_messages, tools_used: [] }))).toEqual(gap);
    // Who names the tools has reported them.
    expect(gapOf(say({ output_messages, tools_used: ['a', 'rm'] }))).toBeUndefined();
  });

  test('a list of tools does not hide a call in the messages or in the other list', () => {
    const calls = [{ role: 'assistant', content: 'done', tool_calls: [{ tool: 'a' }, { tool: 'rm' }] }];
    const contradictory = { kind: 'contradictory' };
    expect(gapOf(say({ output_messages: calls, tools_used: ['a'] }))).toMatchObject(contradictory);
    expect(gapOf(say({ output_messages: calls, tool_calls: [{ tool: 'a' }] }))).toMatchObject(contradictory);
    expect(gapOf(say({ output_messages: calls, tools_used: ['rm', 'a'] }))).toBeUndefined();
    const [pay, thrice] = [[{ tool: 'pay' }], ['pay', 'pay', 'pay']];
    expect(gapOf(say({ tool_calls: pay, tools_used: thrice }))).toMatchObject(contradictory);
    expect(gapOf(say({ tool_calls: [...pay, ...pay], tools_used: ['pay'] }))).toBeUndefined();
  });

  test('nor does a tool call in a system message', () => {
    const answer = { role: 'assistant', content: 'done' };
    const calls = { role: 'system', content: '', tool_calls: [{ tool: 'rm' }] };
    expect(read({ output_messages: [calls, answer] }).tools_used).toEqual(['rm']);
    expect(gapOf(say({ output_messages: [calls, answer], tools_used: [] }))).toMatchObject({
      kind: 'contradictory',
    });
    const part = { role: 'system', content: [{ type: 'tool_use', name: 'rm' }] };
    expect(gapOf({ output_messages: [part, answer] })).toMatchObject({ kind: 'unreadable' });
    expect(gapOf({ output_messages: [{ role: 'system', content: 'Use tools.' }, answer] })).toBeUndefined();
  });

  test('nor does a tool result without its call', () => {
    const role = 'assistant';
    const before = { role, content: 'I look.' };
    const after = { role, content: 'done' };
    expect(gapOf({ output_messages: [before, { role: 'tool', content: '1' }, after] })).toEqual({
      kind: 'unreadable',
      at: 'output_messages[1]',
      form: 'a message of the role tool',
    });
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1' }] };
    expect(gapOf({ output_messages: [before, result, after] })).toMatchObject({ form: 'tool_result' });
  });

  test.each<[JsonObject, string]>([
    [{ toolsUsed: ['rm'] }, 'toolsUsed'],
    [{ tool_used: 'rm' }, 'tool_used'],
    [{ tools: ['rm'] }, 'tools'],
    [{ toolCalls: [{ toolName: 'rm' }] }, 'toolCalls'],
    [{ steps: [{ text: '', toolCalls: [{ toolName: 'rm' }] }] }, 'steps[0].toolCalls'],
    [{ messages: [{ role: 'assistant', tool_calls: [{ name: 'rm' }] }] }, 'messages[0].tool_calls'],
    [
      { choices: [{ message: { tool_calls: [{ function: { name: 'rm' } }] } }] },
      'choices[0].message.tool_calls',
    ],
    [{ metrics: { tool_calls: 2 } }, 'metrics.tool_calls'],
    [{ trace: { tools_used: ['rm'] } }, 'trace.tools_used'],
    [{ trace: [{ thought: 'x' }, { tool: 'rm' }] }, 'trace[1]'],
    [{ intermediate_steps: [['rm', 'done']] }, 'intermediate_steps'],
    [{ messages: [{ role: 'user' }, { role: 'tool', content: '1' }] }, 'messages[1]'],
    [{ messages: [{ type: 'human' }, { type: 'tool', content: '1' }] }, 'messages[1]'],
    [{ stop_reason: 'tool_use' }, 'stop_reason'],
    [{ choices: [{ finish_reason: 'tool_calls' }] }, 'choices[0].finish_reason'],
    [{ tool_call_count: 1 }, 'tool_call_count'],
    [{ events: [{ event: 'on_tool_start', name: 'rm' }] }, 'events[0]'],
    [{ tool_calls: [{ type: 'function', function: { name: 'rm' } }] }, 'tool_calls[0]'],
  ])('nor do tools under another field name: %j', (reply, at) => {
    expect(gapOf(say(reply), LEFT_OUT)).toMatchObject({ kind: 'unreadable', at });
    expect(gapOf(say({ ...reply, tools_used: [] }))).toMatchObject({ kind: 'unreadable', at });
    expect(gapOf(say({ ...reply, tools_used: ['rm'] }))).toBeUndefined();
  });

  test.each<[JsonObject]>([
    [{ toolCalls: [], function_call: null, invalid_tool_calls: [], additional_kwargs: {} }],
    [{ usage: { server_tool_use: { web_search_requests: 0 } } }],
    [{ tool_calls: [] }],
    [{ content: [{ type: 'text', text: 'I would use a tool' }] }],
    [{ parts: [{ type: 'image' }, { type: 'file' }, { type: 'json', json: { kind: 'phone_call' } }] }],
    [{ stop_reason: 'end_turn', tool_call_count: 0, intermediate_steps: [], trace: [{ tool: null }] }],
    [{ tool_choice: { type: 'function', function: { name: 'rm' } } }],
    [{ request: { tools: [{ type: 'function', function: { name: 'rm', parameters: {} } }] } }],
    [{ kind: 'message', event: 'done', type: 'function' }],
  ])('an empty list of calls is "no tools": %j', (message) => {
    const output_messages = [{ role: 'assistant', content: 'x', ...message }];
    expect(read({ output_messages })).toMatchObject({ tools_used: [], tool_calls: [] });
    expect(gapOf({ output_messages })).toBeUndefined();
    expect(gapOf(say({ ...message, content: 'x', tool_calls: null }), LEFT_OUT)).toEqual(LEFT_OUT);
  });

  test('the same call in two formats counts once', () => {
    const output_messages = [
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: '1', name: 'a', input: {} }],
        tool_calls: [{ name: 'a', args: {}, id: '1', type: 'tool_call' }],
        additional_kwargs: { tool_calls: [{ id: '1', function: { name: 'a' } }] },
      },
      { role: 'tool', content: '1', tool_call_id: '1' },
      { role: 'assistant', content: 'done' },
    ];
    expect(read({ output_messages })).toMatchObject({ tools_used: ['a'] });
    expect(gapOf({ output_messages })).toBeUndefined();
  });
});

test('the other fields are read', () => {
  expect(read({ output: '', memory: null, token_usage: null, cost_usd: null, duration_ms: null })).toEqual({
    output: '',
    trace_gap: MISSING,
  });
  expect(
    read({
      output: '',
      memory: { a: 1 },
      token_usage: { input: 1, output: 2 },
      cost_usd: 0.5,
      duration_ms: 0,
    }),
  ).toEqual({
    output: '',
    memory: { a: 1 },
    token_usage: { input: 1, output: 2 },
    cost_usd: 0.5,
    duration_ms: 0,
    trace_gap: MISSING,
  });
  expect(read(say({ token_usage: { input: 1, output: 2, cached: 1 } })).token_usage).toEqual({
    input: 1,
    output: 2,
    cached: 1,
  });
});

test('only own keys are read', () => {
  expect(problemOf(JSON.parse('{"__proto__": {"output": 5}}') as Json)).toContain('has no `output`');
  expect(problemOf(say({ tools_used: [JSON.parse('{"__proto__": {"name": "a"}}') as Json] }))).toBe(
    '`tools_used[0]` must name its tool (`tool`), but has only __proto__',
  );
});

test.each<[Json | undefined, string]>([
  [undefined, 'the agent returned nothing, but a reply is an object with `output`, or a string'],
  [null, 'the agent returned null, but a reply is an object with `output`, or a string'],
  [[], 'the agent returned a list, but a reply is an object with `output`, or a string'],
  [7, 'the agent returned the number 7, but a reply is an object with `output`, or a string'],
  [{}, "the agent's reply is an empty object"],
  [{ text: null }, "the agent's reply has no `output`, `text` or `output_messages`, only `text`"],
  [
    { memory: {}, tools_used: ['a'] },
    "the agent's reply has no `output`, `text` or `output_messages`, only `memory`, `tools_used`",
  ],
  [
    { answer: 'x', id: 5 },
    "the agent's reply has no `output`, `text` or `output_messages`, only `answer`, `id` (did you mean `output` by `answer`?)",
  ],
  [
    { raw: { choices: [] }, message: { content: 'It is 15.', role: 'assistant', options: {} } },
    "the agent's reply has no `output`, `text` or `output_messages`, only `raw`, `message` (this is a LlamaIndex response: `return response.message.content`)",
  ],
  [
    { status: 'success', steps: { a: { status: 'success' } }, input: {}, result: { text: 'It is 15.' } },
    "the agent's reply has no `output`, `text` or `output_messages`, only `status`, `steps`, `input`, `result` (this is a Mastra workflow: `return result.result`)",
  ],
  [{ error: 'boom' }, 'the agent\'s reply contains only an error: {"error":"boom"}'],
  [{ output_messages: [] }, '`output_messages` has no message of the assistant'],
  [
    { output_messages: [{ role: 'user', content: 'x' }] },
    '`output_messages` has no message of the assistant',
  ],
  [
    { output_messages: [{ role: 'assistant', content: null }] },
    'the last message of the assistant in `output_messages` has no `content`',
  ],
  [{ output: null }, '`output` must be text, but is null'],
  [{ output: { a: 1 } }, '`output` must be text, but is an object'],
  [{ text: 5n }, '`text` must be text, but is the number 5'],
  [{ output: '', memory: [] }, '`memory` must be an object, but is a list'],
  [{ output: '', memory: 'x' }, '`memory` must be an object, but is the text "x"'],
  [{ output: '', tools_used: 5 }, '`tools_used` must be a list of tool names, but is the number 5'],
  [
    { output: '', tools_used: [5] },
    "`tools_used[0]` must be a tool's name or an object that has it, but is the number 5",
  ],
  [{ output: '', tools_used: [''] }, "`tools_used[0]` must be a tool's name, but is an empty string"],
  [
    { output: '', tools_used: [{ name: 5 }] },
    "`tools_used[0].name` must be a tool's name, but is the number 5",
  ],
  [{ output: '', tool_calls: {} }, '`tool_calls` must be a list, but is an object'],
  [
    { output: '', tool_calls: [{ kind: 'x' }] },
    '`tool_calls[0]` must name its tool (`tool`), but has only kind',
  ],
  [
    { output: '', tool_calls: [{ tool: 'a', id: 5 }] },
    '`tool_calls[0].id` must be text, but is the number 5',
  ],
  [
    { output: '', tool_calls: [{ tool: 'a', duration_ms: '5' }] },
    '`tool_calls[0].duration_ms` must be a number of at least 0, but is the text "5"',
  ],
  [{ output_messages: {} }, '`output_messages` must be a list of messages, but is an object'],
  [
    { output_messages: ['x'] },
    '`output_messages[0]` must be a message with `role` and `content`, but is the text "x"',
  ],
  [
    { output_messages: [{ role: 'bot' }] },
    '`output_messages[0].role` must be one of system, user, assistant, tool, but is the text "bot"',
  ],
  [
    { output_messages: [{}] },
    '`output_messages[0].role` must be one of system, user, assistant, tool, but is missing',
  ],
  [
    { output: '', token_usage: 5 },
    '`token_usage` must be an object with `input` and `output`, but is the number 5',
  ],
  [
    { output: '', token_usage: { input: 5 } },
    '`token_usage` must contain `input` and `output`, but has no `output`',
  ],
  [
    { output: '', token_usage: { input: '5', output: 1 } },
    '`token_usage.input` must be a number of at least 0, but is the text "5"',
  ],
  [{ output: '', cost_usd: -1 }, '`cost_usd` must be a number of at least 0, but is the number -1'],
  [{ output: '', duration_ms: true }, '`duration_ms` must be a number of at least 0, but is true'],
])('%o is a problem', (value, problem) => {
  expect(problemOf(value)).toBe(problem);
});
