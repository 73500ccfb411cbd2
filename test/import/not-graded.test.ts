import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import type { Summary } from '../../src/base/model/summary.ts';
import { createProject, runCli, type CliResult, type Project } from '../project.ts';

/** Recordings have no verdict: every reader of a run must say so, and none may count them as passed. */
const CHAT = `${JSON.stringify({
  id: 'hello',
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello' },
  ],
})}\n`;

let project: Project;
let id: string;
const run = (...args: readonly string[]): Promise<CliResult> => runCli(args, { cwd: project.path });
beforeAll(async () => {
  project = createProject({
    'chat.jsonl': CHAT,
    'hello.test.yaml': 'id: hello\ninput: Hi\nassert: { output.includes: Hello }\n',
    'agent.mjs': 'export const agent = () => ({ output: "Hello", tools_used: [] });\n',
  });
  const { stdout, exitCode } = await run('import', 'chat.jsonl', '--reporter', 'json');
  expect(exitCode).toBe(0);
  const report = JSON.parse(stdout) as { readonly run_id: string; readonly summary: Summary };
  expect(report.summary).toMatchObject({
    tests: 1,
    passed: 0,
    failed: 0,
    error: 0,
    skipped: 0,
    not_graded: 1,
  });
  expect(report.summary.pass_rate).toBeUndefined();
  id = report.run_id;
});
afterAll(() => project.remove());

test('the terminal says that nothing is graded', async () => {
  const { stdout } = await run('import', 'chat.jsonl');
  expect(stdout).toContain('1 not graded');
  expect(stdout).not.toMatch(/\bpassed\b/i);
});

test.each([
  ['junit', /<testcase name="hello"[^]*<skipped message="not graded"\/>/],
  ['tap', /ok 1 - chat\.jsonl: hello # SKIP not graded/],
  ['markdown', /1 not graded/],
  ['html', /not_graded/],
])('%s shows it as not graded', async (name, expected) => {
  mkdirSync(join(project.path, 'out'), { recursive: true });
  const file = join(project.path, 'out', `report.${name}`);
  const { exitCode, stderr } = await run('report', id, '--reporter', `${name}=${file}`);
  expect(exitCode, stderr).toBe(0);
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(expected);
  expect(text).not.toMatch(/\b1 (test )?passed\b/);
});

test('a comparison measures nothing of it', async () => {
  const ran = await run('run', 'hello.test.yaml', '--agent', './agent.mjs', '--reporter', 'json');
  const { run_id: other } = JSON.parse(ran.stdout) as { readonly run_id: string };
  for (const pair of [
    [id, other],
    [other, id],
    [id, id],
  ]) {
    const { stdout } = await run('compare', ...pair, '--json');
    const comparison = JSON.parse(stdout) as {
      readonly verdicts: { readonly before: unknown; readonly after: unknown };
      readonly fixes?: readonly unknown[];
    };
    expect(JSON.stringify(comparison)).not.toContain('"passed":1,"measured":1,"verdict":"not_graded"');
    expect(comparison.fixes ?? []).toEqual([]);
  }
});

test('a baseline of it has no passed test', async () => {
  await run('baseline', 'update', id, '--file', 'base.json');
  const text = readFileSync(join(project.path, 'base.json'), 'utf8');
  expect(text).toContain('"not_graded"');
  expect(text).not.toContain('"verdict": "passed"');
});

test('merged with a green run it is not green', async () => {
  const ran = await run('run', 'hello.test.yaml', '--agent', './agent.mjs', '--reporter', 'json');
  const { run_id: green } = JSON.parse(ran.stdout) as { readonly run_id: string };
  expect(ran.exitCode).toBe(0);
  const { exitCode, stdout } = await run('merge', green, id, '--reporter', 'json');
  const { summary } = JSON.parse(stdout) as { readonly summary: Summary };
  expect(summary).toMatchObject({ passed: 1, not_graded: 1 });
  expect(exitCode).toBe(3);
});

test('a suite judges it only when it is asked to', async () => {
  const { stdout, exitCode } = await run('grade', id, '--suite', 'hello.test.yaml', '--reporter', 'json');
  const { results } = JSON.parse(stdout) as { readonly results: readonly AttemptRecord[] };
  expect(results.map(({ verdict }) => verdict)).toEqual(['passed']);
  expect(exitCode).toBe(0);
  // The recording itself stays as it is.
  const again = await run('report', id, '--json', '-');
  expect((JSON.parse(again.stdout) as { readonly summary: Summary }).summary).toMatchObject({
    passed: 0,
    not_graded: 1,
  });
});

test('--last-failed does not take it for a pass', async () => {
  const fresh = createProject({
    'hello.test.yaml': 'id: hello\ninput: Hi\nassert: { output.includes: Hello }\n',
    'agent.mjs': 'export const agent = () => ({ output: "Hello", tools_used: [] });\n',
    'chat.jsonl': CHAT,
  });
  try {
    await runCli(['import', 'chat.jsonl'], { cwd: fresh.path });
    const { stdout } = await runCli(
      ['run', 'hello.test.yaml', '--agent', './agent.mjs', '--last-failed', '--reporter', 'json'],
      { cwd: fresh.path },
    );
    expect((JSON.parse(stdout) as { readonly results: readonly object[] }).results).toHaveLength(1);
  } finally {
    fresh.remove();
  }
});
