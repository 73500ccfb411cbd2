import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/model/json.ts';
import type { EvaluationTools } from '../../src/checks/contract/evaluation-tools.ts';
import type { ScriptRequest } from '../../src/checks/contract/script.ts';
import { errorOf, evaluate, type Given, measure } from './evidence.ts';

/** A judge that runs this JavaScript; `input` is what came on stdin. */
function judge(body: string, more: JsonObject = {}): JsonObject {
  const program = `let text = ''; process.stdin.on('data', (d) => (text += d)).on('end', () => { const input = JSON.parse(text); ${body} });`;
  return { type: 'code_judge', script: [process.execPath, '-e', program], ...more };
}

/** What the script would get on stdin, byte for byte. */
async function stdinOf(given: Given, more: JsonObject = {}): Promise<string> {
  const asked: ScriptRequest[] = [];
  const tools: Partial<EvaluationTools> = {
    runScript(request) {
      asked.push(request);
      return Promise.resolve({ exitCode: 0, stdout: '{"score":1}', stderr: '' });
    },
  };
  await evaluate({ type: 'code_judge', script: ['x'], ...more }, given, tools);
  return asked[0]!.stdin;
}

const payloadOf = async (given: Given, more: JsonObject = {}): Promise<JsonObject> =>
  JSON.parse(await stdinOf(given, more)) as JsonObject;

describe('code_judge', () => {
  it('reads the score that the script prints', async () => {
    const body = `console.log(JSON.stringify({ score: 0.5, hits: ['h'], misses: ['m'], reasoning: 'so so', details: { seen: input.candidate_answer } }))`;
    const outcome = await measure(judge(body), { reply: { output: 'the answer' } });
    expect(outcome).toEqual({
      score: 0.5,
      message: 'so so',
      hits: ['h'],
      misses: ['m'],
      details: { seen: 'the answer' },
    });
  });

  it('runs a line of text in a shell', async () => {
    expect(
      (await measure({ type: 'code_judge', script: `cat > /dev/null; echo '{"score": 1}'` })).score,
    ).toBe(1);
  });

  it('accepts a sum that floating point made slightly more than 1', async () => {
    expect((await measure(judge('console.log(JSON.stringify({ score: 0.1 * 3 + 0.7 }))'))).score).toBe(1);
  });

  it.each([
    [
      'an exit code',
      `console.error('one'); console.error('it broke'); console.log('{"score":1}'); process.exitCode = 3`,
      /exit code 3; the end of its stderr:\none\nit broke$/,
    ],
    ['no output', `console.error('silent')`, /printed nothing; the end of its stderr:\nsilent$/],
    ['no JSON', `console.log('score: 1')`, /did not print one JSON object/],
    ['half a JSON', `process.stdout.write('{"score": 1')`, /did not print one JSON object/],
    ['two JSON objects', `console.log('{"score":1}\\n{"score":0}')`, /did not print one JSON object/],
    ['no score', `console.log('{}')`, /has no `score`/],
    ['a score that is text', `console.log('{"score":"1"}')`, /`score` must be a number/],
    ['a score that is null', `console.log('{"score":null}')`, /`score` must be a number/],
    ['a score that is not finite', `console.log('{"score":NaN}')`, /did not print one JSON object/],
    ['a score too large to hold', `console.log('{"score":1e999}')`, /too large/],
    [
      'a score on another scale',
      `console.log('{"score":3}')`,
      /`score` must be from 0 to 1, but is 3; the end of its stdout:\n\{"score":3\}$/,
    ],
    ['a score just above 1', `console.log('{"score":1.000001}')`, /must be from 0 to 1/],
    ['a score below 0', `console.log('{"score":-1}')`, /must be from 0 to 1/],
    ['two scores', `console.log('{"score":0.1,"score":1}')`, /has the key "score" twice/],
    ['hits that are no list', `console.log('{"score":1,"hits":"x"}')`, /`hits` must be a list/],
    ['a list', `console.log('[1]')`, /must be an object/],
    [
      'a score beside a failure',
      `console.log('{"score":0.9,"passed":false}')`,
      /`passed: false` contradicts `score: 0.9`/,
    ],
    ['a failure in words', `console.log('{"score":1,"verdict":"fail"}')`, /`verdict: fail` contradicts/],
    ['a pass with no score', `console.log('{"score":0,"pass":true}')`, /`pass: true` contradicts `score: 0`/],
    [
      'a score beside an error',
      `console.log('{"score":1,"error":"no key"}')`,
      /both `score: 1` and `error: "no key"`/,
    ],
  ])('is an error for %s', async (_what, body, message) => {
    expect(await errorOf(judge(body))).toMatch(message);
  });

  it.each(['"passed":true', '"error":null', '"error":""', '"verdict":"pass"'])(
    'accepts a score of 1 beside %s',
    async (field) => {
      expect(await evaluate(judge(`console.log('{"score":1,${field}}')`))).toMatchObject({ score: 1 });
    },
  );

  it('is an error when it takes too long or cannot be started', async () => {
    expect(await errorOf(judge('setTimeout(() => {}, 20_000)', { timeout_ms: 200 }))).toContain(
      'took longer than 200 ms',
    );
    expect(await errorOf({ type: 'code_judge', script: ['/nowhere/at-all'] })).toContain('could not run');
    const outcome = await evaluate({ type: 'code_judge', script: ['/nowhere/at-all'] });
    expect(outcome).toMatchObject({ error: { kind: 'judge' } });
  });
});

describe('the input of a code_judge', () => {
  it('is always complete', async () => {
    expect(await payloadOf({ input_messages: [], reply: {} })).toEqual({
      question: '',
      expected_outcome: '',
      expected_messages: [],
      reference_answer: '',
      candidate_answer: '',
      output_messages: null,
      input_messages: [],
      input_files: [],
      guideline_files: [],
      memory: {},
      trace_summary: null,
      config: null,
    });
  });

  it('has texts for everything that was said', async () => {
    const payload = await payloadOf({
      expected_outcome: 'be kind',
      input_messages: [
        { role: 'system', content: 'sys' },
        { role: 'user', content: { riskLevel: 1 } },
        { role: 'user', content: 'later' },
      ],
      expected_messages: [
        { role: 'assistant', content: 'first' },
        { role: 'assistant', tool_calls: [{ tool: 'x' }] },
      ],
      reply: {
        output: 'ignored',
        output_messages: [
          { role: 'assistant', content: [1] },
          { role: 'tool', content: 'no' },
        ],
      },
    });
    expect(payload).toMatchObject({
      question: '@[System]:\nsys\n\n@[User]:\n{\n  "riskLevel": 1\n}\n\n@[User]:\nlater',
      expected_outcome: 'be kind',
      reference_answer: '[\n  {\n    "tool": "x"\n  }\n]',
      candidate_answer: '[\n  1\n]',
    });
  });

  it('has the messages unchanged, except for absent and renamed fields', async () => {
    const calls = [
      { tool: 'a', input: null, output: null, id: null, cost: null },
      { name: 'b', arguments: '{"x":1}' },
      { type: 'function', function: { name: 'c', arguments: '{}' } },
    ];
    const output_messages = [{ role: 'assistant', content: null, tool_calls: calls, mood: null } as const];
    expect((await payloadOf({ reply: { output_messages } }))['output_messages']).toEqual([
      {
        role: 'assistant',
        mood: null,
        tool_calls: [
          { tool: 'a', input: null, output: null, cost: null },
          { name: 'b', arguments: '{"x":1}', tool: 'b', input: { x: 1 } },
          { type: 'function', function: { name: 'c', arguments: '{}' }, tool: 'c', input: {} },
        ],
      },
    ]);
  });

  it('has the answer even if the messages only call tools', async () => {
    const output_messages = [{ role: 'assistant', tool_calls: [{ tool: 'x' }] } as const];
    expect(await payloadOf({ reply: { output: 'final', output_messages } })).toMatchObject({
      candidate_answer: 'final',
    });
    expect(await payloadOf({ reply: { output: '', output_messages } })).toMatchObject({
      candidate_answer: '[\n  {\n    "tool": "x"\n  }\n]',
    });
  });

  it('summarises the trace and leaves out what is unknown', async () => {
    const reply = {
      tool_calls: [
        { tool: 'b', duration_ms: 5, status: 'ok' },
        { tool: '__proto__', status: 'error' },
        { tool: 'b' },
      ],
      token_usage: { input: 1, output: 2 },
      cost_usd: 0.5,
    };
    const { trace_summary } = await payloadOf({ reply, durationMs: 42 });
    expect(JSON.stringify(trace_summary)).toBe(
      '{"event_count":3,"tool_names":["__proto__","b"],"tool_calls_by_name":{"b":2,"__proto__":1},"error_count":1,' +
        '"tool_durations":{"b":[5]},"token_usage":{"input":1,"output":2},"cost_usd":0.5,"duration_ms":42}',
    );
    const names = await payloadOf({ reply: { tools_used: ['a'] }, durationMs: 1 });
    expect(names['trace_summary']).toEqual({
      event_count: 1,
      tool_names: ['a'],
      tool_calls_by_name: { a: 1 },
      error_count: 0,
      duration_ms: 1,
    });
  });

  it('has counters of 0 if the calls are unknown, with a warning', async () => {
    const gaps = [undefined, { kind: 'missing' }, { kind: 'left_out' }] as const;
    for (const trace_gap of gaps) {
      const given = { reply: { cost_usd: 1, trace_gap }, durationMs: 5 };
      expect((await payloadOf(given))['trace_summary']).toEqual({
        event_count: 0,
        tool_names: [],
        tool_calls_by_name: {},
        error_count: 0,
        cost_usd: 1,
        duration_ms: 5,
      });
      expect(await measure(judge('console.log(`{"score":1}`)'), given)).toMatchObject({
        warnings: [{ code: 'no_trace', isAboutEvidence: true }],
      });
    }
    const known = await measure(judge('console.log(`{"score":1}`)'), {
      reply: { tools_used: [], cost_usd: 1 },
    });
    expect(known.warnings).toBeUndefined();
    // Nothing is known of anything: it is null, which claims nothing.
    expect((await measure(judge('console.log(`{"score":1}`)'), { reply: {} })).warnings).toBeUndefined();
  });

  it('has a null trace, with a warning, if the reply has calls that cannot be counted', async () => {
    const gaps = [
      { kind: 'unreadable', at: 'output_messages[0]', form: 'tool_use' },
      { kind: 'contradictory', at: '`tool_calls` and `output_messages`' },
      { kind: 'incomplete', at: 'the model calls', form: 'a response broke off' },
      { kind: 'unattributed' },
    ] as const;
    for (const trace_gap of gaps) {
      expect((await payloadOf({ reply: { trace_gap } }))['trace_summary']).toBeNull();
      const { warnings } = await measure(judge('console.log(`{"score":1}`)'), { reply: { trace_gap } });
      expect(warnings).toMatchObject([{ code: 'no_trace', isAboutEvidence: true }]);
      expect(warnings![0]!.message).toContain('`trace_summary` is null although calls may have been made');
    }
  });

  it('has files, memory and config', async () => {
    const content = [
      { type: 'file', value: 'data/a.csv' },
      { type: 'text', value: 'x' },
      { type: 'file', value: 'rules/x.instructions.md' },
    ];
    const payload = await payloadOf(
      { input_messages: [{ role: 'user', content }], memoryAfter: { fetchData: 1 } },
      { strictness: 3 },
    );
    expect(payload).toMatchObject({
      input_files: ['data/a.csv'],
      guideline_files: ['rules/x.instructions.md'],
      memory: { fetchData: 1 },
      config: { strictness: 3 },
    });
  });

  it('keeps every key and number unchanged', async () => {
    const memoryAfter = {
      ...(JSON.parse('{"a.b":1,"riskLevel":{"__proto__":2}}') as JsonObject),
      id: 9007199254740993n,
    };
    expect(await stdinOf({ memoryAfter })).toContain(
      '"memory":{"a.b":1,"riskLevel":{"__proto__":2},"id":9007199254740993}',
    );
  });
});
