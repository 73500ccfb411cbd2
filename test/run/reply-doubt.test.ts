import { expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

async function run(
  agent: string,
  files: Record<string, string>,
): Promise<{ readonly findings: readonly unknown[]; readonly outputs: readonly unknown[] }> {
  const project = createProject({
    'a.test.yaml':
      'steps:\n  - input: hi\n    assert: {output.equals: x}\n  - input: again\n    assert: {output.equals: x}\n',
    ...files,
  });
  try {
    const { stdout } = await runCli(['run', '--agent', agent, '--reporter', 'json'], { cwd: project.path });
    const report = JSON.parse(stdout) as {
      findings: unknown[];
      results: { steps: { output: unknown }[] }[];
    };
    return { findings: report.findings, outputs: report.results[0]!.steps.map(({ output }) => output) };
  } finally {
    project.remove();
  }
}

const returning = (reply: unknown) => ({
  'agent.mjs': `export const agent = () => (${JSON.stringify(reply)});`,
});

test.each([
  [{ ouput: 'x' }, '`ouput`', '`output`'],
  [{ Output: 'x' }, '`Output`', '`output`'],
  [{ txt: 'x', memory: {} }, '`txt`', '`text`'],
  [{ output_message: [] }, '`output_message`', '`output_messages`'],
  [{ answer: 'x' }, '`answer`', '`output`'],
])('%j has an empty output, and a warning says why', async (reply, key, meant) => {
  const { findings, outputs } = await run('./agent.mjs', returning(reply));
  expect(outputs).toEqual(['', '']);
  expect(findings).toEqual([
    expect.objectContaining({
      severity: 'warning',
      code: 'no_output',
      message: `the reply has ${key}, but no \`output\`, \`text\` or \`output_messages\`, so its output is empty`,
      hint: `did you mean ${meant}?`,
      line: 2,
    }),
  ]);
});

test.each([
  { output: '' },
  { text: 'x', ouput: 'y' },
  { memory: {}, tools_used: ['a'], cost_usd: 1, duration_ms: 1 },
  { trace_id: 'x' },
])('%j is what it is', async (reply) => {
  expect((await run('./agent.mjs', returning(reply))).findings).toEqual([]);
});

test.each([
  ['{"output": "x", "tools_used": ["a', 'broken_reply'],
  ['{"output": NaN}', 'broken_reply'],
  ['{ "output": "x" } and more', 'broken_reply'],
  ['{"ouput": "x"}', 'no_output'],
])('a program that prints %s is read as plain text, with a warning', async (printed, code) => {
  const { findings, outputs } = await run('cmd: sh agent.sh', {
    'agent.sh': `printf '%s\\n' '${printed}'`,
  });
  expect(outputs).toEqual([printed, printed]);
  expect(findings).toEqual([expect.objectContaining({ severity: 'warning', code, line: 2 })]);
});

test.each(['{name}, hello', '{}', '{"temperature": 21}', 'plain {"output": 1'])(
  'a program that prints %s says what it means',
  async (printed) => {
    const { findings, outputs } = await run('cmd: sh agent.sh', { 'agent.sh': `echo '${printed}'` });
    expect(outputs).toEqual([printed, printed]);
    expect(findings).toEqual([]);
  },
);

const THIRTY = Array.from({ length: 30 }, (_, index) =>
  JSON.stringify({ id: `t${index}`, input: 'hi', assert: [{ type: 'equals', value: 'x' }] }),
);

test('in a dataset a warning has its line and column too', async () => {
  const { findings } = await run('./agent.mjs', {
    ...returning({ ouput: 'x' }),
    'a.test.yaml': 'skip: true\ninput: x\nassert: { output.equals: x }\n',
    'b.eval.jsonl': `${THIRTY.join('\n')}\n`,
  });
  expect(findings).toHaveLength(30);
  expect(findings[1]).toEqual({
    severity: 'warning',
    code: 'no_output',
    message: expect.any(String) as string,
    hint: 'did you mean `output`?',
    file: 'b.eval.jsonl',
    line: 2,
    column: 1,
    path: 'steps[0]',
  });
});

test('an agent that does the same in every test is not said on the terminal for ever', async () => {
  const project = createProject({ ...returning({ ouput: 'x' }), 'b.eval.jsonl': `${THIRTY.join('\n')}\n` });
  const { stdout, stderr } = await runCli(['run', '--agent', './agent.mjs'], { cwd: project.path });
  project.remove();
  expect(stderr.match(/warning the reply has/g)).toHaveLength(20);
  expect(stderr).toContain('more warnings like this (no_output) are not shown');
  expect(stdout).toContain('30 warnings');
});
