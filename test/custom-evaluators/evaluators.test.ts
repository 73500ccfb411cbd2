import { expect, test } from 'vitest';
import { runCli } from '../project.ts';
import { assertionsOf, createUserProject, evalFile, run } from './records.ts';

const TYPESCRIPT = `
import { defineEvaluator } from 'assay';
enum Unit { Word = 'word', Letter = 'letter' }
export const length = defineEvaluator({
  name: 'max_length',
  schema: {
    type: 'object',
    properties: { limit: { type: 'integer' }, unit: { enum: ['word', 'letter'], default: 'word' } },
    required: ['limit'],
  },
  evaluate({ limit, unit }, { output }) {
    const size = unit === Unit.Word ? output.split(' ').length : output.length;
    return { score: size <= limit ? 1 : 0, hits: ['h'], misses: ['m'], reasoning: \`\${size} \${unit}s\`, details: { size } };
  },
});
export const waits = defineEvaluator({ evaluate: async (_config, { output }) => (output === 'You said hi' ? 0.9 : 0) });
export const sees = defineEvaluator({ evaluate: (_config, evidence) => ({ score: 1, details: evidence }) });
export const throws = defineEvaluator({ evaluate() { throw new Error('boom'); } });
export const rejects = defineEvaluator({ evaluate: () => Promise.reject(new Error('later')) });
export const hangs = defineEvaluator({ timeout_ms: 100, evaluate: () => new Promise<number>(() => {}) });
export const returns_nothing = defineEvaluator({ evaluate: () => undefined as never });
export const returns_nan = defineEvaluator({ evaluate: () => NaN });
export const returns_nan_score = defineEvaluator({ evaluate: async () => ({ score: NaN }) });
export const returns_two = defineEvaluator({ evaluate: () => 2 });
export const returns_text = defineEvaluator({ evaluate: () => 'good' as never });
export const returns_shape = defineEvaluator({ evaluate: () => ({ pass: true }) as never });
export const returns_cycle = defineEvaluator({
  evaluate() { const details: Record<string, unknown> = {}; details.self = details; return { score: 1, details }; },
});
export const mutates = defineEvaluator({
  evaluate(_config, evidence) { (evidence.memory as Record<string, unknown>)['x'] = 1; return 1; },
});
`;
const COMMON_JS = `
exports.sloppy = { evaluate(config, evidence) { evidence.output = 'changed'; evidence.tools_used.length = 0; return true; } };
exports.after = { evaluate: (config, evidence) => evidence.output === 'You said hi' };
`;
const PYTHON = `
def starts(evidence, config):
    "Whether the output starts so."
    print("noise")
    return evidence["output"].startswith(config["prefix"])

starts.schema = {"type": "object", "properties": {"prefix": {"type": "string"}}, "required": ["prefix"]}

async def later(evidence):
    return {"score": 0.9, "hits": ["h"]}

def py_nan(evidence):
    return float("nan")

def py_raises(config, evidence):
    raise ValueError("no " + config["what"])

def py_dies(evidence):
    import os
    os._exit(3)

def py_loops(evidence):
    while True:
        pass

py_loops.timeout_ms = 300

def py_none(evidence):
    pass

def py_forks(evidence):
    import os
    child = os.fork()
    if child: os.waitpid(child, 0)
    return child != 0

def py_writes(evidence):
    import os, time
    os.write(4, b'{"call":1,"reply":true}\\n')
    time.sleep(0.3)
    return True

def _helper(evidence):
    return 1
`;

test('evaluators in TypeScript, JavaScript and Python give scores; any failure in one is an error at its place', async () => {
  const errors = [
    'throws',
    'rejects',
    'hangs',
    'returns_nothing',
    'returns_nan',
    'returns_nan_score',
    'returns_two',
    'returns_text',
    'returns_shape',
    'returns_cycle',
    'mutates',
    'py_nan',
    'py_dies',
    'py_loops',
    'py_none',
    'py_writes',
  ];
  const project = createUserProject({
    'assay.config.yaml': 'agent: ./agent.mjs\nevaluators: [./checks.ts, ./old.cjs, ./more.py]\n',
    'checks.ts': TYPESCRIPT,
    'old.cjs': COMMON_JS,
    'more.py': PYTHON,
    'a.eval.yaml': evalFile({
      passes: [
        { type: 'max_length', limit: 3 },
        { type: 'max_length', limit: 3, unit: 'letter', negate: true, name: 'long enough' },
        { type: 'waits', weight: 2 },
        { type: 'starts', prefix: 'You' },
        { type: 'later', required: 0.9 },
        { type: 'py_forks' },
        { type: 'composite', evaluators: [{ type: 'waits' }], aggregator: { type: 'weighted_average' } },
      ],
      fails: [{ type: 'max_length', limit: 2 }],
      shared: [{ type: 'sloppy' }, { type: 'after' }],
      sees: [{ type: 'sees' }],
      py_raises: [{ type: 'py_raises', what: 'way' }],
      ...Object.fromEntries(errors.map((type) => [type, [{ type }]])),
      // Its python was stopped before: another one is started.
      again: [{ type: 'starts', prefix: 'You' }],
    }),
  });
  const { exitCode, verdicts, records, findings } = await run(project.path, '--workers', '1');
  project.remove();
  expect(findings).toEqual([]);
  expect(exitCode).toBe(1);
  const { passes, fails, shared, sees, again, ...failed } = verdicts;
  expect({ passes, fails, shared, sees, again }).toEqual({
    passes: 'passed',
    fails: 'failed',
    shared: 'passed',
    sees: 'passed',
    again: 'passed',
  });
  expect(failed).toEqual({
    throws: expect.stringMatching(/^error: the evaluator `throws` threw Error: boom\n\s+at .*checks\.ts:/),
    rejects: expect.stringContaining('threw Error: later'),
    hangs: expect.stringContaining('took longer than 100 ms'),
    returns_nothing: expect.stringContaining('cannot be used: undefined'),
    returns_nan: expect.stringContaining('cannot be used: NaN'),
    returns_nan_score: expect.stringContaining('`score` must be a number, but is NaN'),
    returns_two: expect.stringContaining('`score` must be from 0 to 1, but is 2'),
    returns_text: expect.stringContaining('the text "good"'),
    returns_shape: expect.stringContaining('the answer has no `score`'),
    returns_cycle: expect.stringContaining('it is not plain data'),
    mutates: expect.stringContaining('TypeError'),
    py_nan: expect.stringContaining('cannot be written as JSON'),
    py_raises: expect.stringContaining('raised ValueError: no way'),
    py_dies: expect.stringContaining('exited with code 3 before it returned'),
    py_loops: expect.stringContaining('took longer than 300 ms'),
    py_none: expect.stringContaining('cannot be used: null'),
    py_writes: expect.stringContaining('wrote to the pipe that is reserved for its replies'),
  });
  const ofPasses = assertionsOf(records, 'passes');
  expect(ofPasses.map(({ kind, name, score, message }) => [kind, name, score, message])).toEqual([
    ['max_length', 'max_length', 1, '3 words'],
    ['max_length', 'long enough', 1, '11 letters'],
    ['waits', 'waits', 0.9, 'the evaluator `waits` gave 0.9'],
    ['starts', 'starts', 1, 'the evaluator `starts` gave 1'],
    ['later', 'later', 0.9, 'the evaluator `later` gave 0.9'],
    ['py_forks', 'py_forks', 1, 'the evaluator `py_forks` gave 1'],
    ['composite', 'composite', 0.9, expect.any(String)],
  ]);
  expect(ofPasses[0]).toMatchObject({ hits: ['h'], misses: ['m'], details: { size: 3 } });
  expect(assertionsOf(records, 'sees')[0]!.details).toMatchObject({
    test: { id: 'sees', file: 'a.eval.yaml' },
    question: 'hi',
    output: 'You said hi',
    candidate_answer: 'You said hi',
    tool_calls: [],
    tools_used: [],
    memory_before: {},
    memory: {},
    token_usage: null,
    cost_usd: null,
    duration_ms: expect.any(Number) as number,
  });
});

test.each(['./agent.mjs', `cmd: sh -c "cat > /dev/null; echo hi"`])(
  'a promise that an evaluator did not await is an error of the run (%s)',
  async (agent) => {
    const project = createUserProject({
      'assay.config.yaml': `agent: '${agent}'\nevaluators: [./checks.mjs, ./later.mjs]\n`,
      'checks.mjs': `
const check = async (output) => { throw new Error('not ' + output); };
export const forgets = { evaluate(_config, { output }) { check(output); return 1; } };
`,
      'later.mjs': `
const check = async () => { await null; throw new Error('too late'); };
export const forgets_async = { async evaluate() { check(); await new Promise((done) => setTimeout(done, 50)); return 1; } };
`,
      'a.eval.yaml': evalFile({ forgets: [{ type: 'forgets' }], forgets_async: [{ type: 'forgets_async' }] }),
    });
    const { exitCode, verdicts, findings } = await run(project.path, '--workers', '1');
    const graded = await runCli(['grade', '--reporter', 'json'], { cwd: project.path });
    project.remove();
    expect(verdicts).toEqual({ forgets: 'passed', forgets_async: 'passed' });
    const found = (error: string) => ({
      severity: 'error',
      code: 'uncaught_error',
      message: expect.stringMatching(
        `^an evaluator, a config or a reporter caused an uncaught error: ${error}`,
      ),
    });
    expect(findings).toMatchObject([found('Error: not '), found('Error: too late')]);
    expect(exitCode).toBe(2);
    expect(graded.exitCode).toBe(2);
    expect(graded.stdout).toContain('uncaught_error');
  },
);
