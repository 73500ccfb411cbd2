import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { writeSealed } from '../../src/runs/journal/sealed-file.ts';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import type { Summary } from '../../src/base/model/summary.ts';
import { createProject, runCli } from '../project.ts';

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

const AGENT = `export const agent = (input, memory) => {
  if (input === 'break') throw new Error('broken');
  return { output: 'good', tools_used: [], memory };
};`;

function project(files: Readonly<Record<string, string>>): string {
  const created = createProject({ 'agent.mjs': AGENT, ...files });
  cleanUps.push(() => created.remove());
  return created.path;
}

const run = (cwd: string, ...args: string[]) => runCli(['run', '--agent', './agent.mjs', ...args], { cwd });

async function grade(cwd: string) {
  const { stdout, exitCode } = await runCli(['grade', '--reporter', 'json'], { cwd });
  const { results, summary, findings } = JSON.parse(stdout) as {
    results: readonly AttemptRecord[];
    summary: Summary;
    findings: readonly { code: string }[];
  };
  const said = results.map(({ test: id, verdict, error }) => [id, error?.message ?? verdict] as const);
  return { exitCode, summary, codes: findings.map(({ code }) => code), said: Object.fromEntries(said) };
}

const CASES = {
  same: 'input: hi\n    evaluators: [{type: contains, value: good}]',
  input: 'input: hi\n    evaluators: [{type: contains, value: good}]',
  system:
    'input: [{role: system, content: Be kind.}, {role: user, content: hi}]\n    evaluators: [{type: contains, value: good}]',
  file: 'input: [{role: user, content: [{type: file, value: note.txt}]}]\n    evaluators: [{type: contains, value: good}]',
  memory: 'memory: {a: 1}\n    steps: [{input: hi, assert: {output.equals: good}}]',
  longer: 'steps: [{input: hi, assert: {output.equals: good}}]',
  shorter: 'steps: [{input: hi, assert: {output.equals: good}}, {input: hi, assert: {output.equals: good}}]',
  second: 'steps: [{input: hi, assert: {output.equals: good}}, {input: hi, assert: {output.equals: good}}]',
  broken: 'steps: [{input: break, assert: {output.equals: good}}, {input: hi}]',
  skipped: 'skip: later\n    input: hi\n    evaluators: [{type: contains, value: good}]',
};
const suite = (cases: Readonly<Record<string, string>>): string =>
  `evalcases:\n${Object.entries(cases)
    .map(([id, body]) => `  - id: ${id}\n    ${body}\n`)
    .join('')}`;

test('grade does not judge replies to a changed question, and reports what changed', async () => {
  const cwd = project({ 'a.eval.yaml': suite(CASES), 'note.txt': 'one' });
  expect((await run(cwd)).exitCode).toBe(3);
  const before = await grade(cwd);
  expect(before).toMatchObject({ exitCode: 3, summary: { passed: 8, error: 1, skipped: 1 } });

  writeFileSync(join(cwd, 'note.txt'), 'two');
  const { same, ...others } = CASES;
  writeFileSync(
    join(cwd, 'a.eval.yaml'),
    suite({
      ...others,
      input: CASES.input.replace('hi', 'hello'),
      system: CASES.system.replace('kind', 'rude'),
      memory: CASES.memory.replace('a: 1', 'a: 2'),
      longer: CASES.longer.replace(']', ', {input: hi}]'),
      shorter: CASES.longer,
      second: CASES.second.replace(/hi(?!.*hi)/, 'ho'),
      broken: CASES.broken.replace('input: hi', 'input: ho'),
      skipped: CASES.skipped.replace('skip: later\n    ', ''),
      added: 'input: hi\n    evaluators: [{type: contains, value: good}]',
      // Moved in its file, with other things to expect, which is what a grade is for.
      same: same.replace('good', 'bad'),
    }),
  );
  const after = await grade(cwd);
  expect(after.exitCode).toBe(1);
  expect(after.said).toEqual({
    same: 'failed',
    input: 'the input changed after the agent replied',
    system: 'the input changed after the agent replied',
    file: 'the input changed after the agent replied',
    memory: 'the memory that the test starts with changed after the agent replied',
    longer: 'the number of steps (1 then, 2 now) changed after the agent replied',
    shorter: 'the number of steps (2 then, 1 now) changed after the agent replied',
    second: 'the input of step 2 changed after the agent replied',
    broken: expect.stringContaining('the agent threw Error: broken') as string,
    skipped: 'the test was skipped, so there is no reply to grade',
    added: 'the run has no reply for this test: it was added later, or its record is damaged',
  });
  expect(after.summary).toMatchObject({ failed: 1, error: 10, passed: 0, errors: { outdated: 9, agent: 1 } });
});

test('a changed question is never green, and a missing test is an error', async () => {
  const one = 'evaluators: [{type: contains, value: good}]';
  const cwd = project({ 'a.eval.yaml': suite({ a: `input: hi\n    ${one}`, b: `input: hi\n    ${one}` }) });
  expect((await run(cwd)).exitCode).toBe(0);
  const write = (cases: Readonly<Record<string, string>>): void =>
    writeFileSync(join(cwd, 'a.eval.yaml'), suite(cases));
  write({ a: `input: ho\n    ${one}`, b: `input: hi\n    ${one}` });
  expect(await grade(cwd)).toMatchObject({ exitCode: 3, summary: { passed: 1, error: 1 } });
  const { stdout } = await runCli(['grade'], { cwd });
  expect(stdout).toContain('the input changed after the agent replied');
  // Another id is a test that is gone and one that was added.
  write({ a: `input: hi\n    ${one}`, c: `input: hi\n    ${one}` });
  expect(await grade(cwd)).toMatchObject({
    exitCode: 2,
    codes: ['test_gone'],
    summary: { passed: 1, error: 1 },
  });
  // Parts of a message in another order, or written in another way, say the same.
  write({ a: `input: [{content: "hi", role: user}]\n    ${one}`, b: `input: hi\n    ${one}` });
  expect(await grade(cwd)).toMatchObject({ exitCode: 0, summary: { passed: 2 } });
});

test('a target with changed settings is a warning, since its replies may differ now', async () => {
  const cwd = project({
    'a.eval.yaml': suite({ a: 'input: hi\n    evaluators: [{type: contains, value: good}]' }),
    'targets.yaml': 'targets:\n  - {name: default, provider: mock, response: good}\n',
  });
  expect((await runCli(['run'], { cwd })).exitCode).toBe(0);
  expect(await grade(cwd)).toMatchObject({ exitCode: 0, codes: [] });
  writeFileSync(join(cwd, 'targets.yaml'), 'targets:\n  - {name: default, provider: mock, response: bad}\n');
  expect(await grade(cwd)).toMatchObject({ exitCode: 0, codes: ['target_changed'] });
  writeFileSync(join(cwd, 'targets.yaml'), 'targets:\n  - {name: x, provider: mock, response: bad}\n');
  expect(await grade(cwd)).toMatchObject({ exitCode: 0, codes: ['target_changed'] });
});

test('tests that the run did not select do not count as new', async () => {
  const one = 'evaluators: [{type: contains, value: good}]';
  const cases = { a: `input: hi\n    ${one}`, ab: `input: hi\n    ${one}`, b: `input: hi\n    ${one}` };
  const cwd = project({ 'a.eval.yaml': suite(cases) });
  await run(cwd, '-t', 'a');
  expect(await grade(cwd)).toMatchObject({ exitCode: 0, summary: { passed: 2, error: 0 } });
  writeFileSync(join(cwd, 'a.eval.yaml'), suite({ ...cases, ac: cases.a }));
  expect(await grade(cwd)).toMatchObject({ exitCode: 3, summary: { passed: 2, error: 1 } });
  rmSync(join(cwd, '.assay'), { recursive: true });
  await run(cwd, 'a.eval.yaml:5');
  expect(await grade(cwd)).toMatchObject({ exitCode: 0, summary: { tests: 1 } });
  await run(cwd, '--shard', '1/2');
  expect((await grade(cwd)).exitCode).toBe(0);
});

test('a new file counts as one without replies if the run would have included it', async () => {
  const one = suite({ a: 'input: hi\n    evaluators: [{type: contains, value: good}]' });
  const cwd = project({ 'evals/a.eval.yaml': one, 'other/x.txt': '' });
  const asked: readonly (readonly string[])[] = [
    [],
    ['evals'],
    ['evals/*.yaml'],
    ['evals/a.eval.yaml'],
    ['-t', 'a'],
  ];
  for (const args of asked) {
    rmSync(join(cwd, '.assay'), { recursive: true, force: true });
    rmSync(join(cwd, 'evals/b.eval.yaml'), { force: true });
    await run(cwd, ...args);
    expect(await grade(cwd)).toMatchObject({ exitCode: 0, summary: { passed: 1, error: 0 } });
    writeFileSync(join(cwd, 'evals/b.eval.yaml'), one);
    const isAsked = args[0] !== 'evals/a.eval.yaml';
    const wanted = isAsked ? { exitCode: 3, summary: { passed: 1, error: 1 } } : { exitCode: 0 };
    expect([args, await grade(cwd)]).toMatchObject([args, wanted]);
    if (args[0] === 'evals') expect(await grade(join(cwd, 'other'))).toMatchObject(wanted);
  }
});

test('replies that another version recorded may lack what this one sees: a warning', async () => {
  const cwd = project({ 'a.test.yaml': '- { id: a, input: x, assert: { tools_used: [] } }' });
  await run(cwd);
  expect((await grade(cwd)).codes).toEqual([]);
  const [folder] = readdirSync(join(cwd, '.assay', 'runs'));
  const file = join(cwd, '.assay', 'runs', folder!, 'run.json');
  const { crc32: _, ...description } = JSON.parse(readFileSync(file, 'utf8'));
  writeSealed(file, { ...description, versions: { assay: '0.0.1', node: 'v20.0.0' } });
  expect((await grade(cwd)).codes).toEqual(['other_version']);
});
