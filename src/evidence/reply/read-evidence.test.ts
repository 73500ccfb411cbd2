import { describe, expect, test } from 'vitest';
import type { Trace } from '../trace.ts';
import type { Json } from '../../base/model/json.ts';
import { readEvidence } from './read-evidence.ts';
import { LEFT_OUT } from './read-trace.ts';

function read(reply: Json, observed?: Trace) {
  const found = readEvidence(
    { reply, printed: '', unreported: LEFT_OUT },
    {
      input: 'Hi',
      observe: () => observed,
      costOf: (model, { input, output, cached = 0 }) =>
        model === 'm1' ? (input + 10 * output + 0.5 * cached) / 1e6 : undefined,
    },
  );
  if (!('reply' in found)) throw new Error(JSON.stringify(found));
  return found;
}

const CALL = { tool: 'pay', id: 'c1', input: { sum: 7 } };
const OPENAI = { id: 'c1', type: 'function', function: { name: 'pay', arguments: '{"sum":7}' } };
const ANTHROPIC = { type: 'tool_use', id: 'c1', name: 'pay', input: { sum: 7 } };
const AI_SDK = { type: 'tool-call', toolCallId: 'c1', toolName: 'pay', input: { sum: 7 } };
const GEMINI = { functionCall: { id: 'c1', name: 'pay', args: { sum: 7 } } };

describe("Assay's fields in the spelling of other frameworks", () => {
  test.each<[string, Json]>([
    ['calls of OpenAI', { output: 'x', tool_calls: [OPENAI] }],
    ['calls of Anthropic', { output: 'x', tool_calls: [ANTHROPIC] }],
    ['calls of the AI SDK', { output: 'x', tool_calls: [AI_SDK] }],
    ['calls of Gemini', { output: 'x', tool_calls: [GEMINI] }],
    ['name and args', { output: 'x', tool_calls: [{ id: 'c1', name: 'pay', args: { sum: 7 } }] }],
    [
      'messages of OpenAI',
      { output: 'x', output_messages: [{ role: 'assistant', content: null, tool_calls: [OPENAI] }] },
    ],
    [
      'messages of Anthropic',
      { output: 'x', output_messages: [{ role: 'assistant', content: [ANTHROPIC] }] },
    ],
    ['messages of Gemini', { output: 'x', output_messages: [{ role: 'model', parts: [GEMINI] }] }],
  ])('%s', (_, value) => {
    const { reply } = read(value);
    expect(reply.tool_calls).toEqual([CALL]);
    expect(reply).toMatchObject({ output: 'x', tools_used: ['pay'], trace_gap: undefined });
  });

  test("the output is read from messages in a provider's own format", () => {
    const parts = [{ text: 'Paid.' }];
    const messages = [
      { role: 'model', parts: [GEMINI] },
      { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'pay', response: { ok: true } } }] },
      { role: 'model', parts },
    ];
    const { reply } = read({ output_messages: messages });
    expect(reply.output).toBe('Paid.');
    expect(reply.tool_calls).toEqual([{ ...CALL, output: { ok: true } }]);
  });

  test('if two parts disagree, the tool calls are unknown', () => {
    const { reply } = read({
      output: 'x',
      tool_calls: [OPENAI],
      output_messages: [{ role: 'assistant', content: [{ ...ANTHROPIC, name: 'delete' }] }],
    });
    expect(reply.trace_gap).toMatchObject({ kind: 'contradictory' });
  });

  test.each<[string, Json, object]>([
    ['token_usage', { prompt_tokens: 10, completion_tokens: 2 }, { input: 10, output: 2 }],
    [
      'usage',
      { input_tokens: 10, output_tokens: 2, cache_read_input_tokens: 5 },
      { input: 10, output: 2, cached: 5 },
    ],
    [
      'usage',
      { input_tokens: 10, output_tokens: 2, input_tokens_details: { cached_tokens: 4 } },
      { input: 6, output: 2, cached: 4 },
    ],
    ['usage', { promptTokenCount: 10, candidatesTokenCount: 2 }, { input: 10, output: 2 }],
    ['token_usage', { input: 10, output: 2, reasoning: 1 }, { input: 10, output: 2, reasoning: 1 }],
  ])('%s %o', (key, usage, expected) => {
    expect(read({ output: 'x', [key]: usage }).reply.token_usage).toEqual(expected);
  });

  test('the cost is computed from the model and its tokens', () => {
    const reply = { output: 'x', model: 'm1', token_usage: { input: 1e6, output: 1e5, cached: 1e6 } };
    expect(read(reply).reply).toMatchObject({ cost_usd: 2.5, evidence: { cost_usd: 'prices' } });
    expect(read({ ...reply, cost_usd: 9 }).reply).toMatchObject({
      cost_usd: 9,
      evidence: { cost_usd: 'reported' },
    });
    expect(read({ ...reply, model: 'm2' }).reply.cost_usd).toBeUndefined();
  });
});

describe('observed evidence', () => {
  const observed: Trace = {
    model_calls: 2,
    tool_calls: [{ ...CALL, output: 'ok', duration_ms: 5, duration_bound: 'alone' }],
    token_usage: { input: 3, output: 4 },
    models: ['m1'],
    messages: [{ role: 'assistant', content: 'x' }],
  };

  test('fills in what the agent leaves out', () => {
    for (const value of ['x', { output: 'x' }])
      expect(read(value, observed).reply).toMatchObject({
        output: 'x',
        tools_used: ['pay'],
        tool_calls: observed.tool_calls,
        token_usage: { input: 3, output: 4 },
        trace_gap: undefined,
        evidence: { output: 'reported', tool_calls: 'observed', token_usage: 'observed', cost_usd: 'prices' },
      });
  });

  test('does not replace what the agent reports, and adds missing details of a call', () => {
    const { reply, warnings } = read(
      { output: 'x', tools_used: ['pay'], token_usage: { input: 5, output: 4 } },
      observed,
    );
    expect(reply.token_usage).toEqual({ input: 5, output: 4 });
    expect(reply.tool_calls).toEqual(observed.tool_calls);
    expect(reply.evidence).toMatchObject({ tool_calls: 'reported', token_usage: 'reported' });
    expect(warnings).toEqual([]);
  });

  test('shows calls that the agent did not report', () => {
    const { reply, warnings } = read({ output: 'x', tools_used: [] }, observed);
    expect(reply.tools_used).toEqual([]);
    expect(reply.unreported_calls).toEqual(observed.tool_calls);
    expect(warnings).toMatchObject([{ code: 'calls_disagree' }]);
  });

  test('a call that was reported but not observed is a disagreement and stays visible', () => {
    const { reply, warnings } = read({ output: 'x', tools_used: ['pay', 'log'] }, observed);
    expect(reply.unreported_calls).toBeUndefined();
    expect(warnings).toMatchObject([{ code: 'calls_disagree' }]);
  });

  test('fewer tokens than were observed are a contradiction', () => {
    const { reply, warnings } = read(
      { output: 'x', tools_used: ['pay'], token_usage: { input: 1, output: 1 } },
      observed,
    );
    expect(reply).toMatchObject({ token_usage: { input: 1, output: 1 }, doubts: [{ about: 'tokens' }] });
    expect(warnings).toMatchObject([{ code: 'usage_disagrees' }]);
  });

  test('different arguments for the same call are a disagreement', () => {
    const value = { output: 'x', tool_calls: [{ tool: 'pay', input: { sum: 8 } }] };
    expect(read(value, observed).warnings).toMatchObject([{ code: 'calls_disagree' }]);
  });

  test("a tool with and without its server's name is the same tool", () => {
    const full = { ...observed, tool_calls: [{ ...CALL, id: 'c9', tool: 'mcp__bank__pay' }] };
    const { reply, warnings } = read({ output: 'x', tools_used: ['pay'] }, full);
    expect(warnings).toEqual([]);
    expect(reply.unreported_calls).toBeUndefined();
  });

  test("covers more than the model's last response or last message", () => {
    const message = { role: 'assistant', content: 'x', refusal: null };
    const completion = {
      object: 'chat.completion',
      model: 'm9',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    };
    for (const value of [completion, message]) {
      const { reply, warnings } = read(value, observed);
      expect(warnings).toEqual([]);
      expect(reply).toMatchObject({
        output: 'x',
        tools_used: ['pay'],
        token_usage: { input: 3, output: 4 },
        models: ['m1'],
        trace_gap: undefined,
        evidence: { output: 'recognised', tool_calls: 'observed', token_usage: 'observed' },
      });
    }
    expect(read(completion).reply).toMatchObject({ tool_calls: [], token_usage: { input: 1, output: 1 } });
    for (const value of [completion, message])
      expect(read(value).reply.trace_gap).toMatchObject({ kind: 'incomplete', at: 'the reply' });
  });

  test('without an observed model call, the tool calls are unknown', () => {
    expect(read({ output: 'x' }, { model_calls: 0, tool_calls: [] }).reply.trace_gap).toEqual(LEFT_OUT);
  });

  test('a model call that broke off leaves the tool calls unknown', () => {
    const broken = { ...observed, gap: { at: 'model call 2', form: 'it broke off' } };
    expect(read('x', broken).reply.trace_gap).toMatchObject({ kind: 'incomplete', at: 'model call 2' });
  });

  test("a model call that broke off does not confirm the agent's report", () => {
    const broken = { ...observed, gap: { at: 'model call 2', form: 'it broke off' } };
    const { reply } = read({ output: 'x', tools_used: [] }, broken);
    expect(reply.trace_gap).toMatchObject({ kind: 'incomplete', at: 'model call 2' });
  });

  test('a model call that belongs to no known attempt leaves the tool calls of all attempts unknown', () => {
    const { reply } = read({ output: 'x', tools_used: [] }, { ...observed, is_unattributed: true });
    expect(reply.trace_gap).toEqual({ kind: 'unattributed' });
  });

  test('a sum over incomplete data is a lower bound', () => {
    expect(read('x', { ...observed, usage_complete: false }).reply).toMatchObject({ usage_complete: false });
  });
});

test('an answer from a stream that ended early, or failed behind it, is a warning', () => {
  const chunk = (fields: object): Json =>
    ({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, ...fields }] }) as Json;
  const said = chunk({ delta: { content: 'I will' } });
  const codes = (events: Json): readonly string[] => read(events).warnings.map(({ code }) => code);
  expect(codes([said])).toEqual(['answer_cut']);
  expect(codes([said, { error: { message: 'overloaded' } }])).toEqual(['answer_cut']);
  expect(codes([said, chunk({ delta: {}, finish_reason: 'stop' })])).toEqual([]);
  expect(codes([{ type: 'start' }, { type: 'text-delta', id: '1', delta: 'I will' }])).toEqual([
    'answer_cut',
  ]);
});
