import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { REPORTERS } from '../../src/show/reporters/registry.ts';
import type { Summary } from '../../src/base/model/summary.ts';
import { createProject, runCli, startCli } from '../project.ts';
import { until } from '../run-folders.ts';

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

function project(files: Readonly<Record<string, string>>): string {
  const created = createProject({ 'agent.mjs': 'export const agent = (input) => input;', ...files });
  cleanUps.push(() => created.remove());
  return created.path;
}

const one = (id: string, more = ''): string =>
  `- {id: ${id}, input: good, assert: {output.equals: good}${more}}\n`;

/** Runs a command with every reporter, and answers with what each wrote; `summary` is that of the GitHub step. */
async function everyReport(cwd: string, command: readonly string[], names = Object.keys(REPORTERS)) {
  const env = { GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') };
  writeFileSync(env.GITHUB_STEP_SUMMARY, '');
  const args = names.flatMap((name) => ['--reporter', `${name}=${command[0]}/${name}.out`]);
  await runCli([...command, ...args], { cwd, env });
  const read = (file: string): string => readFileSync(join(cwd, file), 'utf8');
  const reports = names.map((name) => [name, read(`${command[0]}/${name}.out`)] as const);
  return [...reports, ['summary', read('summary.md')] as const];
}

const summaryIn = (text: string): Summary =>
  (JSON.parse(text.trim().split('\n').at(-1)!.replace(/^\],/, '{')) as { summary: Summary }).summary;
const SENTENCE = /(\d+) tests left out because other tests are marked only/;

test('every report says how many tests `only` left out, live and from the journal', async () => {
  const cwd = project({
    'a.test.yaml': one('first', ', only: true') + one('second') + one('third'),
    'b.test.yaml': one('fourth'),
  });
  const withoutPage = Object.keys(REPORTERS).filter((name) => name !== 'html');
  const reports = [
    ...(await everyReport(cwd, ['run', '--agent', './agent.mjs'])),
    ...(await everyReport(cwd, ['report'])),
    ...(await everyReport(cwd, ['merge', 'latest'])),
    ...(await everyReport(cwd, ['grade'], withoutPage)),
  ];
  expect(reports).toHaveLength(4 * Object.keys(REPORTERS).length - 1 + 4);
  for (const [name, text] of reports) {
    // It has a row for each attempt, and nothing about the run.
    if (name === 'csv') continue;
    const isData = name === 'json' || name === 'jsonl';
    const seen = isData ? summaryIn(text).selection?.left_out.only : SENTENCE.exec(text)?.[1];
    expect({ name, seen: Number(seen) }).toEqual({ name, seen: 3 });
  }
  const list = await runCli(['run', '--list'], { cwd });
  expect(list).toMatchObject({ exitCode: 0, stdout: 'a.test.yaml:1 first\n' });
  expect(list.stderr).toMatch(SENTENCE);
});

test('reports say what filters and shards leave out, and nothing for a complete run', async () => {
  const cwd = project({
    'a.test.yaml': one('first', ', tags: [x]') + one('second', ', tags: [x]') + one('third'),
  });
  const run = async (...args: string[]): Promise<string> =>
    (await runCli(['run', '--agent', './agent.mjs', '--no-record', ...args], { cwd })).stdout;
  expect(await run()).not.toContain('Selection');
  expect(await run('-t', 'i', '--tag', 'x')).toContain('Selection  2 tests left out by --grep "i" --tag x\n');
  expect(await run('a.test.yaml:2')).toContain('Selection  2 tests left out by a.test.yaml:2\n');
  expect(await run('--shard', '1/2', '-t', 's')).toMatch(
    /Selection {2}1 test left out by --grep "s"\n +shard 1\/2: \d of 2 attempts of the whole run\n/,
  );
});

test('systems that do not set CI are recognised as CI, and CI=false is not CI', async () => {
  const cwd = project({ 'a.test.yaml': one('first', ', only: true') + one('second') });
  const run = async (env: Readonly<Record<string, string | undefined>>) => {
    const args = ['run', '--agent', './agent.mjs', '--no-record'];
    const { exitCode, stderr } = await runCli(args, { cwd, env: { CI: undefined, ...env } });
    return { exitCode, isRefused: stderr.includes('only_in_ci') };
  };
  expect(await run({ JENKINS_URL: 'http://jenkins' })).toEqual({ exitCode: 2, isRefused: true });
  expect(await run({ TF_BUILD: 'True' })).toEqual({ exitCode: 2, isRefused: true });
  expect(await run({ CI: 'false', TF_BUILD: 'True' })).toEqual({ exitCode: 0, isRefused: false });
});

test('a file with unfinished tests does not look done, live and from the journal', async () => {
  const cwd = project({
    'agent.mjs': `import { writeFileSync } from 'node:fs';
export async function agent(input) {
  if (input === 'wait') {
    writeFileSync('started', '');
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  }
  return input;
}`,
    'a.test.yaml': one('first'),
    'b.test.yaml': `${one('second')}${one('third').replace('input: good', 'input: wait')}${one('fourth')}`,
    'c.test.yaml': one('fifth'),
  });
  const { stdout, exitCode } = await startCli(['run', '--agent', './agent.mjs', '--workers', '1'], {
    cwd,
    onStart: (child) => void until(() => existsSync(join(cwd, 'started'))).then(() => child.kill('SIGINT')),
  });
  expect(exitCode).toBe(130);
  expect(stdout).toContain('✓ a.test.yaml (1 test)\n… b.test.yaml (not finished: 1 of 3 tests done)\n');
  expect(stdout).toContain('Tests  2 passed, 2 tests not started (2)');
  const reported = await runCli(['report'], { cwd });
  expect(reported.stdout).toContain('… b.test.yaml (not finished: 1 of 3 tests done)\n');
  const merged = await runCli(['merge', 'latest'], { cwd });
  expect(merged.stdout).toContain('… b.test.yaml (not finished: 1 of 3 tests done)\n');

  // The same of a filtered run that stops by itself.
  writeFileSync(join(cwd, 'b.test.yaml'), one('second').replace('input: good', 'input: bad') + one('third'));
  const bail = await runCli(['run', '--agent', './agent.mjs', '--bail', '-t', 'd'], { cwd });
  expect(bail.stdout).toContain('… b.test.yaml (not finished: 1 of 2 tests done) 1 failed\n');
  expect(bail.stdout).toContain('1 failed, 1 test not started');
});
