import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';
import { recordedTests, runFolders } from '../run-folders.ts';

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

const AGENT = `
export async function agent(input) {
  await new Promise((resolve) => setTimeout(resolve, Number(input)));
  return { output: 'x'.repeat(2000) };
}`;

function project(delays: readonly number[]): string {
  const tests = delays.map(
    (delay, index) => `- id: t${index}\n  input: "${delay}"\n  assert: {output.includes: x}\n`,
  );
  const created = createProject({ 'agent.mjs': AGENT, 'suite.test.yaml': tests.join('') });
  cleanUps.push(() => created.remove());
  return created.path;
}

const RUN = ['run', '--agent', './agent.mjs', '--reporter', 'json'];

describe('resuming', () => {
  test('a finished run starts nothing and gives its exit code again', async () => {
    const cwd = project([1, 1]);
    await runCli(RUN, { cwd });
    writeFileSync(join(cwd, 'agent.mjs'), "export const agent = () => { throw new Error('called again'); };");
    const resumed = await runCli([...RUN, '--resume'], { cwd });
    expect(JSON.parse(resumed.stdout)).toMatchObject({
      exit_code: 0,
      summary: { passed: 2 },
      results: [{ test: 't0' }, { test: 't1' }],
    });
    expect(runFolders(cwd)).toHaveLength(1);
  });

  test('a test whose text changed runs again, and only that one', async () => {
    const cwd = project([1, 1]);
    await runCli(RUN, { cwd });
    writeFileSync(
      join(cwd, 'suite.test.yaml'),
      '- id: t0\n  input: "1"\n  assert: {output.includes: x}\n- id: t1\n  input: "2"\n  assert: {output.includes: x}\n',
    );
    await runCli([...RUN, '--resume'], { cwd });
    expect(recordedTests(runFolders(cwd)[0]!)).toEqual(['t0', 't1', 't1']);
  });

  test('without a run to resume it starts a new one and says so', async () => {
    const cwd = project([1]);
    const result = await runCli([...RUN, '--resume'], { cwd });
    expect(JSON.parse(result.stdout)).toMatchObject({
      exit_code: 0,
      findings: [{ code: 'nothing_to_resume', severity: 'warning' }],
    });
  });
});

test('two runs at once in one project do not disturb each other', async () => {
  const cwd = project(Array.from({ length: 20 }, () => 10));
  const [a, b] = await Promise.all([runCli(RUN, { cwd }), runCli(RUN, { cwd })]);
  expect([a.exitCode, b.exitCode]).toEqual([0, 0]);
  expect(runFolders(cwd).map((run) => recordedTests(run).length)).toEqual([20, 20]);
});
