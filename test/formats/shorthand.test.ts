import { describe, expect, test } from 'vitest';
import { CASE_FORMATS, COMPLETE, parseCase, summary } from './parse-case.ts';

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });

interface Row {
  readonly title: string;
  readonly fields: Record<string, unknown>;
  readonly input?: readonly unknown[];
  readonly expected?: readonly unknown[];
  readonly findings?: readonly string[];
}

const NO_INPUT = { input: undefined };

/** Every row of the table of aliases and shorthand in the contract. */
const ROWS: readonly Row[] = [
  { title: 'input: text', fields: { input: 'text' }, input: [user('text')] },
  {
    title: 'input: a text that looks like JSON stays a text',
    fields: { input: '[{"role":"system"}]' },
    input: [user('[{"role":"system"}]')],
  },
  {
    title: 'input: messages',
    fields: { input: [{ role: 'system', content: 's' }, user('u')] },
    input: [{ role: 'system', content: 's' }, user('u')],
  },
  {
    title: 'input: messages keep unknown fields',
    fields: { input: [{ ...user('u'), name: 'bob', meta: { k: [1] } }] },
    input: [{ ...user('u'), name: 'bob', meta: { k: [1] } }],
  },
  { title: 'input: one message', fields: { input: user('u') }, input: [user('u')] },
  {
    title: 'input: structured content',
    fields: { input: [user({ a: [1, null] })] },
    input: [user({ a: [1, null] })],
  },
  {
    title: 'input: parts',
    fields: { input: [user([{ type: 'text', value: 'x' }, 5, 'y'])] },
    input: [user([{ type: 'text', value: 'x' }, 5, 'y'])],
  },
  {
    title: 'input_messages: messages',
    fields: { ...NO_INPUT, input_messages: [user('u')] },
    input: [user('u')],
  },
  {
    title: 'input_messages and input: canonical wins',
    fields: { input: 'alias', input_messages: [user('c')] },
    input: [user('c')],
    findings: ['warning alias_ignored input'],
  },
  {
    title: 'an ignored alias may be wrong',
    fields: { input: 42, input_messages: [user('c')] },
    input: [user('c')],
    findings: ['warning alias_ignored input'],
  },
  {
    title: 'input_messages: null and input: alias used',
    fields: { input_messages: null },
    input: [user('Query')],
    findings: ['warning null_canonical input_messages'],
  },
  {
    title: 'input and input_messages: null',
    fields: { input_messages: null, input: null },
    findings: ['error missing_input input_messages'],
  },
  { title: 'input absent', fields: NO_INPUT, findings: ['error missing_input input'] },
  { title: 'input: null', fields: { input: null }, findings: ['error missing_input input'] },
  { title: 'input: []', fields: { input: [] }, findings: ['error empty_messages input'] },
  { title: 'input: number', fields: { input: 0 }, findings: ['error type input'] },
  { title: 'input: boolean', fields: { input: false }, findings: ['error type input'] },
  {
    title: 'input: object without role',
    fields: { input: { rol: 'user', content: 'x' } },
    findings: ['error type input'],
  },
  { title: 'input: {}', fields: { input: {} }, findings: ['error type input'] },
  {
    title: 'input: list of texts',
    fields: { input: ['a', 'b'] },
    findings: ['error message_type input[0]', 'error message_type input[1]'],
  },
  {
    title: 'input: a message and something else',
    fields: { input: [user('u'), 7] },
    findings: ['error message_type input[1]'],
  },
  {
    title: 'input: a list within the list',
    fields: { input: [[user('u')]] },
    findings: ['error message_type input[0]'],
  },
  {
    title: 'input: null among messages',
    fields: { input: [user('u'), null] },
    findings: ['error message_type input[1]'],
  },
  {
    title: 'input: a message without role',
    fields: { input: [{ content: 'x' }] },
    findings: ['error role input[0]'],
  },
  {
    title: 'input: an unknown role',
    fields: { input: [{ role: 'bot', content: 'x' }] },
    findings: ['error role input[0].role'],
  },
  {
    title: 'input: a role in capitals',
    fields: { input: [{ role: 'User', content: 'x' }] },
    findings: ['error role input[0].role'],
  },
  {
    title: 'input: a role that is no text',
    fields: { input: { role: 5, content: 'x' } },
    findings: ['error role input.role'],
  },
  {
    title: 'input: a message without content',
    fields: { input: [{ role: 'user' }] },
    findings: ['error content input[0]'],
  },
  {
    title: 'input: content null',
    fields: { input: [user(null)] },
    findings: ['error content input[0].content'],
  },
  {
    title: 'input: content number',
    fields: { input: [user(5)] },
    findings: ['error content input[0].content'],
  },
  { title: 'input: ""', fields: { input: '' }, input: [user('')], findings: ['warning empty_input input'] },
  {
    title: 'input: blanks are not trimmed',
    fields: { input: ' \n' },
    input: [user(' \n')],
    findings: ['warning empty_input input'],
  },
  { title: 'input: nothing is trimmed', fields: { input: '  x \n' }, input: [user('  x \n')] },
  {
    title: 'input_messages: text',
    fields: { ...NO_INPUT, input_messages: 'text' },
    findings: ['error type input_messages'],
  },
  {
    title: 'input_messages: text does not fall back to the alias',
    fields: { input_messages: 'text' },
    findings: ['error type input_messages', 'warning alias_ignored input'],
  },
  {
    title: 'input_messages: one message',
    fields: { ...NO_INPUT, input_messages: user('u') },
    findings: ['error type input_messages'],
  },
  {
    title: 'input_messages: []',
    fields: { ...NO_INPUT, input_messages: [] },
    findings: ['error empty_messages input_messages'],
  },
  { title: 'expected absent', fields: {}, expected: [] },
  { title: 'expected_output: null', fields: { expected_output: null }, expected: [] },
  { title: 'expected_output: text', fields: { expected_output: 'text' }, expected: [assistant('text')] },
  {
    title: 'expected_output: ""',
    fields: { expected_output: '' },
    expected: [assistant('')],
    findings: ['warning empty_expected expected_output'],
  },
  {
    title: 'expected_output: object',
    fields: { expected_output: { riskLevel: 'High', n: null } },
    expected: [assistant({ riskLevel: 'High', n: null })],
  },
  { title: 'expected_output: {}', fields: { expected_output: {} }, expected: [assistant({})] },
  {
    title: 'expected_output: an object with a role of its own',
    fields: { expected_output: { role: 'admin', name: 'Bob' } },
    expected: [assistant({ role: 'admin', name: 'Bob' })],
  },
  {
    title: 'expected_output: an object with content but no role',
    fields: { expected_output: { content: 'x' } },
    expected: [assistant({ content: 'x' })],
  },
  {
    title: 'expected_output: one message',
    fields: { expected_output: { ...assistant('x'), name: 'n' } },
    expected: [{ ...assistant('x'), name: 'n' }],
  },
  {
    title: 'expected_output: messages keep everything',
    fields: {
      expected_output: [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ tool: 'R', input: null, output: 'o', id: 'c1', x: 1 }],
        },
        { role: 'tool', content: 'r', tool_call_id: 'c1' },
      ],
    },
    expected: [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ tool: 'R', input: null, output: 'o', id: 'c1', x: 1 }],
      },
      { role: 'tool', content: 'r', tool_call_id: 'c1' },
    ],
  },
  {
    title: 'expected_output: any JSON as the input of a tool',
    fields: { expected_output: [{ role: 'assistant', tool_calls: [{ tool: 'R', input: [1, 'a'] }] }] },
    expected: [{ role: 'assistant', tool_calls: [{ tool: 'R', input: [1, 'a'] }] }],
  },
  {
    title: 'expected_output: a user message',
    fields: { expected_output: [user('x')] },
    expected: [user('x')],
  },
  {
    title: 'expected_output: texts',
    fields: { expected_output: ['a', 'b'] },
    expected: [assistant(['a', 'b'])],
  },
  {
    title: 'expected_output: numbers',
    fields: { expected_output: [1, 2.5] },
    expected: [assistant([1, 2.5])],
  },
  {
    title: 'expected_output: lists',
    fields: { expected_output: [[1], []] },
    expected: [assistant([[1], []])],
  },
  {
    title: 'expected_output: objects',
    fields: { expected_output: [{ item: 1 }, { item: 2 }] },
    expected: [assistant([{ item: 1 }, { item: 2 }])],
  },
  {
    title: 'expected_output: null in a list',
    fields: { expected_output: [null] },
    expected: [assistant([null])],
  },
  {
    title: 'expected_output: []',
    fields: { expected_output: [] },
    expected: [assistant([])],
    findings: ['warning empty_array expected_output'],
  },
  {
    title: 'expected_output: messages, then others',
    fields: { expected_output: [assistant('x'), { item: 2 }] },
    findings: ['error mixed_array expected_output[1]'],
  },
  {
    title: 'expected_output: others, then messages',
    fields: { expected_output: ['x', assistant('x')] },
    findings: ['error mixed_array expected_output[0]'],
  },
  { title: 'expected_output: 4', fields: { expected_output: 4 }, findings: ['error type expected_output'] },
  { title: 'expected_output: 0', fields: { expected_output: 0 }, findings: ['error type expected_output'] },
  {
    title: 'expected_output: false',
    fields: { expected_output: false },
    findings: ['error type expected_output'],
  },
  {
    title: 'expected_messages and expected_output: canonical wins',
    fields: { expected_messages: [assistant('c')], expected_output: 'alias' },
    expected: [assistant('c')],
    findings: ['warning alias_ignored expected_output'],
  },
  {
    title: 'expected_messages: [] and expected_output',
    fields: { expected_messages: [], expected_output: 'alias' },
    expected: [],
    findings: ['warning alias_ignored expected_output'],
  },
  {
    title: 'expected_messages: null and expected_output',
    fields: { expected_messages: null, expected_output: 'alias' },
    expected: [assistant('alias')],
    findings: ['warning null_canonical expected_messages'],
  },
  {
    title: 'expected_messages: text',
    fields: { expected_messages: 'text' },
    findings: ['error type expected_messages'],
  },
  {
    title: 'expected_messages: object',
    fields: { expected_messages: { a: 1 } },
    findings: ['error type expected_messages'],
  },
  {
    title: 'expected_messages: list of texts',
    fields: { expected_messages: ['text'] },
    findings: ['error message_type expected_messages[0]'],
  },
  {
    title: 'an unknown role beside content',
    fields: { expected_output: [{ role: 'robot', content: 'x' }] },
    findings: ['error role expected_output[0].role'],
  },
  {
    title: 'an unknown role beside tool calls',
    fields: { expected_output: { role: 'robot', tool_calls: [{ tool: 'R' }] } },
    findings: ['error role expected_output.role'],
  },
  {
    title: 'a role without content or tool calls',
    fields: { expected_output: { role: 'assistant' } },
    findings: ['error content expected_output'],
  },
  {
    title: 'no tool calls and no content',
    fields: { expected_output: [{ role: 'assistant', tool_calls: [] }] },
    findings: ['error content expected_output[0]'],
  },
  {
    title: 'tool_calls that is no list',
    fields: { expected_output: [{ role: 'assistant', tool_calls: { tool: 'R' } }] },
    findings: ['error tool_calls expected_output[0].tool_calls'],
  },
  {
    title: 'an expected call without a name',
    fields: { expected_output: [{ role: 'assistant', tool_calls: [{ name: 'R' }] }] },
    findings: ['error tool_calls expected_output[0].tool_calls[0]'],
  },
  {
    title: 'a call in the input may have any shape',
    fields: { input: [{ role: 'assistant', tool_calls: [{ function: { name: 'R' } }] }] },
    input: [{ role: 'assistant', tool_calls: [{ function: { name: 'R' } }] }],
    findings: ['warning tool_calls input[0].tool_calls[0]'],
  },
];

describe.each(CASE_FORMATS)('aliases and shorthand in %s', (format) => {
  test.each(ROWS)('$title', ({ fields, input, expected, findings = [] }) => {
    const parsed = parseCase({ ...COMPLETE, ...fields }, format);
    expect(parsed.findings.map(summary).toSorted()).toEqual(findings.toSorted());
    const hasErrors = findings.some((finding) => finding.startsWith('error'));
    if (hasErrors) expect(parsed.test).toBeUndefined();
    else {
      expect(parsed.test?.input_messages).toEqual(input ?? [user('Query')]);
      expect(parsed.test?.expected_messages).toEqual(expected ?? []);
      expect(parsed.test?.steps).toHaveLength(1);
      expect(parsed.test?.steps[0]).toMatchObject({
        input_messages: parsed.test?.input_messages,
        expected_messages: parsed.test?.expected_messages,
      });
    }
  });

  test.each(['input', 'expected_output'])('a number as %s gets the hint to quote it', (field) => {
    expect(parseCase({ ...COMPLETE, [field]: 4 }, format).errors[0]!.hint).toBe('put it in quotes');
  });

  test('a misspelled role gets a hint', () => {
    expect(
      parseCase({ ...COMPLETE, input: [{ role: 'asistant', content: 'x' }] }, format).errors[0]!.hint,
    ).toBe('did you mean `assistant`?');
  });
});
