import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createProject, runCli, type Project } from '../project.ts';

const projects: Project[] = [];
afterEach(() => {
  for (const each of projects.splice(0)) each.remove();
});

function project(): string {
  const made = createProject({
    'shop/cart.js': 'export const total = 1;\n',
    'shop/tests/t.js': 'test\n',
    'shop/solution.js': 'secret\n',
    'suite.eval.yaml': `workspace: { template: ./shop, exclude: solution.js, protect: [tests/**] }
evalcases:
  - id: fix
    input: Fix the total
    evaluators:
      - { type: files, path: cart.js, contains: total = 2 }
      - { type: diff, only: cart.js }
      - { type: command, command: [cat, tests/t.js], stdout: test }
  - id: says
    input: Fix it and say so
    evaluators:
      - { type: contains, value: fixed }
      - { type: diff, max_files: 0 }
`,
  });
  projects.push(made);
  mkdirSync(join(made.path, 'tmp'));
  return made.path;
}

test('a prepared workspace is graded as the agent would be, and stays as it is', async () => {
  const cwd = project();
  const assay = (...args: readonly string[]) => runCli(args, { cwd, env: { TMPDIR: join(cwd, 'tmp') } });
  const prepared = await assay('prepare', 'suite.eval.yaml::fix', 'work');
  expect(prepared.stderr).toBe('');
  expect(prepared.stdout).toContain('Fix the total');
  expect(prepared.exitCode).toBe(0);
  expect(readdirSync(join(cwd, 'work')).toSorted()).toEqual(['.git', 'cart.js', 'tests']);
  expect(execFileSync('git', ['-C', join(cwd, 'work'), 'log', '--oneline'], { encoding: 'utf8' })).toContain(
    'start',
  );
  const grade = ['grade', '--prepared', 'work', '--test', 'suite.eval.yaml::fix', '--allow-scripts'];
  const before = await assay(...grade);
  expect(before.stdout).toContain('✗ files: cart.js does not contain');
  expect(before.exitCode).toBe(1);
  writeFileSync(join(cwd, 'work/cart.js'), 'export const total = 2;\n');
  writeFileSync(join(cwd, 'work/tests/t.js'), 'hacked\n');
  const after = await assay(...grade);
  expect(after.stdout).toContain('+export const total = 2;');
  expect(after.stderr).toContain('protected_changed');
  expect(after.exitCode).toBe(0);
  expect(readFileSync(join(cwd, 'work/tests/t.js'), 'utf8')).toBe('hacked\n');
  expect((await assay(...grade.slice(0, -1))).exitCode).toBe(3);
  expect(readdirSync(join(cwd, 'tmp')).flatMap((name) => readdirSync(join(cwd, 'tmp', name)))).toEqual([]);
});

test('an evaluator of the answer needs one', async () => {
  const cwd = project();
  const assay = (...args: readonly string[]) => runCli(args, { cwd, env: { TMPDIR: join(cwd, 'tmp') } });
  await assay('prepare', 'suite.eval.yaml::says', 'work');
  const refused = await assay('grade', '--prepared', 'work', '--test', 'suite.eval.yaml::says');
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain('--answer');
  writeFileSync(join(cwd, 'answer.txt'), 'it is fixed');
  expect(
    (await assay('grade', '--prepared', 'work', '--test', 'suite.eval.yaml::says', '--answer', 'answer.txt'))
      .exitCode,
  ).toBe(0);
});

test('what is wrong is an error: no test, several, a folder that is not empty, an option that is missing', async () => {
  const cwd = project();
  const assay = (...args: readonly string[]) => runCli(args, { cwd, env: { TMPDIR: join(cwd, 'tmp') } });
  for (const [args, message] of [
    [['prepare', 'suite.eval.yaml::none', 'work'], 'there is no test'],
    [['prepare', 'suite.eval.yaml', 'work'], 'names 2 tests'],
    [['prepare', 'suite.eval.yaml::fix', 'shop'], 'is not empty'],
    [['prepare', 'suite.eval.yaml::fix'], 'takes a test and a folder'],
    [['prepare', 'suite.eval.yaml::fix', 'suite.eval.yaml'], 'is not a folder'],
    [['prepare', 'suite.eval.yaml::fix', '/proc/none/work'], '/proc/none'],
    [['grade', '--prepared', 'shop'], '--test'],
    [['grade', '--prepared', 'none', '--test', 'suite.eval.yaml::fix'], 'is not a folder'],
  ] as const) {
    const { exitCode, stderr } = await assay(...args);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  }
  expect(existsSync(join(cwd, 'work'))).toBe(false);
});
