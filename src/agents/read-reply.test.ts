import { describe, expect, test } from 'vitest';
import type { Json } from '../model/json.ts';
import { readReply } from './read-reply.ts';

function read(value: Json | undefined) {
  const result = readReply(value);
  if ('problem' in result) throw new Error(result.problem);
  return result.reply;
}

function problemOf(value: Json | undefined): string {
  const result = readReply(value);
  return 'problem' in result ? result.problem : 'no problem';
}

describe('output', () => {
  test('a plain text is the output', () => expect(read('hi')).toEqual({ output: 'hi' }));
  test('output wins over text', () => expect(read({ output: 'a', text: 'b' }).output).toBe('a'));
  test('an empty output is an output', () => expect(read({ output: '', text: 'b' }).output).toBe(''));
  test('text when there is no output', () =>
    expect(read({ text: 'b', output_messages: [] }).output).toBe('b'));
  test('null text is absent', () => expect(read({ text: null }).output).toBe(''));
  test('nothing at all is an empty output', () => expect(read({}).output).toBe(''));
  test('the last assistant message', () => {
    const output_messages = [
      { role: 'assistant', content: 'first' },
      { role: 'assistant', content: 'last' },
      { role: 'tool', content: 'noise' },
    ];
    expect(read({ output_messages })).toMatchObject({ output: 'last', output_messages });
  });
  test('structured content as JSON with two blanks', () => {
    const output_messages = [{ role: 'assistant', content: { n: 12345678901234567890n } }];
    expect(read({ output_messages }).output).toBe('{\n  "n": 12345678901234567890\n}');
  });
  test('an assistant message with calls only has no output', () => {
    expect(read({ output_messages: [{ role: 'assistant', tool_calls: [{ tool: 'a' }] }] }).output).toBe('');
  });
});

describe('tools', () => {
  test('no trace came', () => {
    const reply = read({ output: '', tools_used: null, tool_calls: null, output_messages: null });
    expect([reply.tools_used, reply.tool_calls]).toEqual([undefined, undefined]);
  });
  test('names', () => {
    expect(read({ tools_used: ['a', 'b', 'a'] })).toMatchObject({
      tools_used: ['a', 'b', 'a'],
      tool_calls: [{ tool: 'a' }, { tool: 'b' }, { tool: 'a' }],
    });
  });
  test('one name', () => expect(read({ tools_used: 'a' }).tools_used).toEqual(['a']));
  test('none is not missing', () =>
    expect(read({ tools_used: [] })).toMatchObject({ tools_used: [], tool_calls: [] }));
  test('objects with a name keep what is known of the call', () => {
    expect(
      read({ tools_used: [{ name: 'a', input: null, id: '1', duration_ms: 5, other: 1 }] }),
    ).toMatchObject({
      tools_used: ['a'],
      tool_calls: [{ tool: 'a', input: null, id: '1', duration_ms: 5 }],
    });
  });
  test('from calls', () => {
    const calls = [{ tool: 'a', input: { x: 1 }, output: [2], status: 'ok' }];
    expect(read({ tool_calls: calls })).toMatchObject({ tools_used: ['a'], tool_calls: calls });
  });
  test('both are kept as they came', () => {
    expect(read({ tools_used: ['x'], tool_calls: [{ tool: 'a' }] })).toMatchObject({
      tools_used: ['x'],
      tool_calls: [{ tool: 'a' }],
    });
  });
  test('from messages', () => {
    const output_messages = [
      { role: 'assistant', tool_calls: [{ tool: 'a', input: 1 }] },
      { role: 'tool', content: '1' },
      { role: 'assistant', content: 'done', tool_calls: [{ tool: 'b' }] },
    ];
    expect(read({ output_messages })).toMatchObject({
      tools_used: ['a', 'b'],
      tool_calls: [{ tool: 'a', input: 1 }, { tool: 'b' }],
    });
    expect(read({ output_messages, tools_used: ['a', 'b'] }).tool_calls).toEqual([
      { tool: 'a', input: 1 },
      { tool: 'b' },
    ]);
    expect(read({ output_messages, tools_used: [] }).tool_calls).toEqual([]);
  });
  test('messages without calls say that there were none', () => {
    expect(read({ output_messages: [{ role: 'assistant', content: 'hi' }] })).toMatchObject({
      tools_used: [],
      tool_calls: [],
    });
  });
});

test('the rest', () => {
  expect(read({ output: '', memory: null, token_usage: null, cost_usd: null, duration_ms: null })).toEqual({
    output: '',
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
  });
  expect(read({ token_usage: { input: 1, output: 2, cached: 1 } }).token_usage).toEqual({
    input: 1,
    output: 2,
    cached: 1,
  });
});

test('only own keys are read', () => {
  expect(read(JSON.parse('{"__proto__": {"output": 5}}') as Json).output).toBe('');
  expect(problemOf({ tools_used: [JSON.parse('{"__proto__": {"name": "a"}}') as Json] })).toBe(
    '`tools_used[0]` must name its tool (`tool`), but has only __proto__',
  );
});

test.each<[Json | undefined, string]>([
  [undefined, 'the agent returned nothing, but a reply is an object with `output`, or a text'],
  [null, 'the agent returned null, but a reply is an object with `output`, or a text'],
  [[], 'the agent returned a list, but a reply is an object with `output`, or a text'],
  [7, 'the agent returned the number 7, but a reply is an object with `output`, or a text'],
  [{ output: null }, '`output` must be text, but is null'],
  [{ output: { a: 1 } }, '`output` must be text, but is an object'],
  [{ text: 5n }, '`text` must be text, but is the number 5'],
  [{ memory: [] }, '`memory` must be an object, but is a list'],
  [{ memory: 'x' }, '`memory` must be an object, but is the text "x"'],
  [{ tools_used: 5 }, '`tools_used` must be a list of tool names, but is the number 5'],
  [
    { tools_used: [5] },
    "`tools_used[0]` must be a tool's name or an object that has it, but is the number 5",
  ],
  [{ tools_used: [''] }, "`tools_used[0]` must be a tool's name, but is an empty text"],
  [{ tools_used: [{ name: 5 }] }, "`tools_used[0].name` must be a tool's name, but is the number 5"],
  [{ tool_calls: {} }, '`tool_calls` must be a list, but is an object'],
  [{ tool_calls: [{ function: {} }] }, '`tool_calls[0]` must name its tool (`tool`), but has only function'],
  [{ tool_calls: [{ tool: 'a', id: 5 }] }, '`tool_calls[0].id` must be text, but is the number 5'],
  [
    { tool_calls: [{ tool: 'a', duration_ms: '5' }] },
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
  [{ token_usage: 5 }, '`token_usage` must be an object with `input` and `output`, but is the number 5'],
  [{ token_usage: { input: 5 } }, '`token_usage` must hold `input` and `output`, but has no `output`'],
  [
    { token_usage: { input: '5', output: 1 } },
    '`token_usage.input` must be a number of at least 0, but is the text "5"',
  ],
  [{ cost_usd: -1 }, '`cost_usd` must be a number of at least 0, but is the number -1'],
  [{ duration_ms: true }, '`duration_ms` must be a number of at least 0, but is true'],
])('%o is a problem', (value, problem) => {
  expect(problemOf(value)).toBe(problem);
});
