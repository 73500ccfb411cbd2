import { expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/base/model/record.ts';
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
    const { stdout } = await runCli(['run', '--agent', agent, '--workers', '1', '--reporter', 'json'], {
      cwd: project.path,
    });
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

test("a function's result without an answer is refused", async () => {
  const REPLIES: Readonly<Record<string, unknown>> = {
    'is an empty object': {},
    'contains only an error: {"error":"boom"}': { error: 'boom' },
    'only `ouput` (did you mean `output` by `ouput`?)': { ouput: 'x' },
    'only `Output` (did you mean `output` by `Output`?)': { Output: 'x' },
    'only `txt`, `memory` (did you mean `text` by `txt`?)': { txt: 'x', memory: {} },
    'only `output_message` (did you mean `output_messages` by `output_message`?)': { output_message: [] },
    'only `answer` (did you mean `output` by `answer`?)': { answer: 'x' },
    'only `memory`, `tools_used`': { memory: {}, tools_used: ['a'] },
    'only `trace_id`': { trace_id: 'x' },
  };
  const project = createProject({
    'agent.mjs': `const replies = ${JSON.stringify(REPLIES)};\nexport const agent = (input) => replies[input];\n`,
    'a.test.json': JSON.stringify(
      Object.keys(REPLIES).map((input) => ({ input, assert: { 'output.includes': '' } })),
    ),
  });
  const { stdout } = await runCli(['run', '--agent', './agent.mjs', '--reporter', 'json'], {
    cwd: project.path,
  });
  project.remove();
  const { results } = JSON.parse(stdout) as { results: AttemptRecord[] };
  for (const [index, problem] of Object.keys(REPLIES).entries()) {
    expect(results[index]).toMatchObject({ verdict: 'error', error: { kind: 'contract' } });
    expect(results[index]!.error!.message).toContain(problem);
  }
});

test.each([{ output: '' }, { text: 'x', ouput: 'y' }])('%j is accepted as it is', async (reply) => {
  expect((await run('./agent.mjs', returning(reply))).findings).toEqual([]);
});

test('missing memory is a warning if an assertion reads it, also inside a composite', async () => {
  const reads = { type: 'memory', path: 'a', exists: false };
  const ASSERTS: Readonly<Record<string, unknown>> = {
    claim: { 'memory.a': null },
    strict: undefined,
    evaluator: [reads],
    inside: [{ type: 'composite', evaluators: [{ type: 'contains', value: 'x' }, reads] }],
    nowhere: [{ type: 'contains', value: 'x' }],
  };
  const project = createProject({
    'agent.mjs': `export const agent = () => ({ output: 'x', tools_used: [] });`,
    'a.test.json': JSON.stringify(
      Object.entries(ASSERTS).map(([id, assert]) => ({
        id,
        input: 'hi',
        ...(assert === undefined ? { expected: { output: 'x' } } : { assert }),
      })),
    ),
  });
  const { stdout } = await runCli(['run', '--agent', './agent.mjs', '--reporter', 'json'], {
    cwd: project.path,
  });
  project.remove();
  const { results } = JSON.parse(stdout) as { results: AttemptRecord[] };
  const doubted = results.filter(({ findings = [] }) => findings.some(({ code }) => code === 'no_memory'));
  expect(results.length).toBe(5);
  expect(doubted.map(({ test: id }) => id)).toEqual(['claim', 'strict', 'evaluator', 'inside']);
});

const REPLY = '{"output": "x", "tools_used": ["rm"]}';

/** What a program prints, what is read, and the warning. */
const PRINTED: readonly (readonly [string, string, string | undefined])[] = [
  [REPLY, 'x', undefined],
  [`Loading model...\\n${REPLY}\\nbye\\n`, 'x', 'mixed_output'],
  [`INFO ${REPLY}`, `INFO ${REPLY}`, 'broken_reply'],
  ['{"ouput": "x"}', '{"ouput": "x"}', 'no_output'],
  ['{name}, hello', '{name}, hello', undefined],
  ['{"temperature": 21}', '{"temperature": 21}', undefined],
];

test.each(['cmd: sh agent.sh', 'template', 'file'])('%s: a warning if a reply is doubtful', async (kind) => {
  const ids = PRINTED.map((_, index) => `t${index}`);
  const project = createProject({
    'agent.sh': 'exec sh "$(sed \'s/^{"input":"\\([a-z0-9]*\\)".*/\\1/\').sh"\n',
    'assay.config.yaml': `targets:
  - { name: template, command_template: "sh {PROMPT}.sh" }
  - { name: file, command_template: "sh {PROMPT}.sh > {OUTPUT_FILE}; echo beside" }
`,
    ...Object.fromEntries(PRINTED.map(([text], index) => [`t${index}.sh`, `printf '${text}'\n`])),
    'a.test.json': JSON.stringify(
      ids.map((input) => ({ input, assert: { 'output.matches': String.raw`\S` } })),
    ),
  });
  const choice = [...(kind.startsWith('cmd:') ? ['--agent', kind] : ['--target', kind]), '--workers', '1'];
  const { stdout } = await runCli(['run', ...choice, '--reporter', 'json'], { cwd: project.path });
  const strict = await runCli(['run', ...choice, '--strict', '--reporter', 'json'], { cwd: project.path });
  project.remove();
  const { results } = JSON.parse(stdout) as { results: AttemptRecord[] };
  const codes = (record: AttemptRecord) => (record.findings ?? []).map(({ code }) => code);
  expect(results.map((record) => [record.steps[0]!.output, ...codes(record)])).toEqual(
    PRINTED.map(([, output, code]) => (code === undefined ? [output] : [output, code])),
  );
  expect(results[1]!.steps[0]).toMatchObject({ tools_used: ['rm'] });
  expect(results[1]!.steps[0]!.printed).toMatch(/^Loading model...\nbye\n/);
  // In doubt, nothing is measured.
  const { results: strictly } = JSON.parse(strict.stdout) as { results: AttemptRecord[] };
  expect(strictly.map(({ verdict }) => verdict)).toEqual(
    PRINTED.map(([, , code]) => (code === undefined ? 'passed' : 'error')),
  );
});

const MISNAMED = `cat > /dev/null; echo '{"ouput": "x"}'`;
const THIRTY = Array.from({ length: 30 }, (_, index) =>
  JSON.stringify({ id: `t${index}`, input: 'hi', assert: [{ type: 'equals', value: 'x' }] }),
);

test('a warning in a dataset has its line and column too', async () => {
  const { findings } = await run('cmd: sh agent.sh', {
    'agent.sh': MISNAMED,
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

test('a warning that repeats in every test is not printed endlessly', async () => {
  const project = createProject({ 'agent.sh': MISNAMED, 'b.eval.jsonl': `${THIRTY.join('\n')}\n` });
  const { stdout, stderr } = await runCli(['run', '--agent', 'cmd: sh agent.sh'], { cwd: project.path });
  project.remove();
  expect(stderr.match(/warning the reply has/g)).toHaveLength(3);
  expect(stderr).toMatch(/b\.eval\.jsonl warning 27 more like this on lines \d+ to \d+ \(no_output\)/);
  expect(stdout).toContain('30 warnings');
});

test('an answer next to an error is a warning, and an error with --strict', async () => {
  const REPLIES: readonly [unknown, string?][] = [
    [{ output: 'x', error: 'boom' }, '`error` is "boom"'],
    [{ text: 'x', errors: [{ code: 5 }] }, '`errors` is [{"code":5}]'],
    [{ output: 'x', success: false }, '`success` is false'],
    [{ output_messages: [{ role: 'assistant', content: 'x' }], status: 'failed' }, '`status` is "failed"'],
    [{ output: 'x', error: null, errors: [], exception: '', success: true, status: 'ok' }],
  ];
  const project = createProject({
    'agent.mjs': `const replies = ${JSON.stringify(REPLIES)};\nexport const agent = (input) => replies[input][0];\n`,
    'a.test.json': JSON.stringify(
      REPLIES.map((_, index) => ({ input: String(index), assert: { 'output.equals': 'x' } })),
    ),
  });
  const args = ['run', '--agent', './agent.mjs', '--reporter', 'json'];
  const [lax, strict] = await Promise.all([
    runCli(args, { cwd: project.path }),
    runCli([...args, '--strict'], { cwd: project.path }),
  ]);
  project.remove();
  type Report = { findings: { code: string; message: string }[]; results: AttemptRecord[] };
  const report = JSON.parse(lax.stdout) as Report;
  const found = report.findings.filter(({ code }) => code === 'error_in_reply');
  const wanted = REPLIES.flatMap(([, part]) => part ?? []);
  expect(found).toMatchObject(wanted.map((part) => ({ message: expect.stringContaining(part) as string })));
  expect([lax.exitCode, strict.exitCode]).toEqual([0, 3]);
  const verdicts = (JSON.parse(strict.stdout) as Report).results.map(({ verdict }) => verdict);
  expect(verdicts).toEqual(['error', 'error', 'error', 'error', 'passed']);
});
