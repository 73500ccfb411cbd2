import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';
import { recordedTests, runFolders } from '../run-folders.ts';

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

/** Repeats its input, so a test passes if the input is what it expects. */
const AGENT = 'export const agent = (input) => input;';
const RED = `- {id: p1, tags: [fine], input: good, assert: {output.equals: good}}
- {id: f1, input: bad, assert: {output.equals: good}}
`;

function project(suite: string, agent = AGENT): string {
  const created = createProject({ 'agent.mjs': agent, 'a.test.yaml': suite });
  cleanUps.push(() => created.remove());
  return created.path;
}

async function run(cwd: string, ...args: string[]) {
  const result = await runCli(['run', '--agent', './agent.mjs', '--reporter', 'json', ...args], { cwd });
  return { ...result, codes: codesOf(result.stdout) };
}

function codesOf(stdout: string): readonly string[] {
  if (stdout === '') return [];
  return (JSON.parse(stdout) as { findings: { code: string }[] }).findings.map(({ code }) => code);
}

function recordedExit(folder: string): number {
  return (JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')) as { exit_code: number }).exit_code;
}

describe('--resume continues only a run of the same tests', () => {
  test.each([
    ['a name', ['-t', 'p1']],
    ['a tag', ['--tag', 'fine']],
    ['a line', ['a.test.yaml:1']],
    ['what failed', ['--last-failed']],
  ])('%s: a new run starts, and the red one stays red', async (_, filter) => {
    const cwd = project(RED);
    expect((await run(cwd)).exitCode).toBe(1);
    expect((await run(cwd, '--resume', ...filter)).codes).toContain('nothing_to_resume');
    expect(runFolders(cwd)).toHaveLength(2);
    expect(recordedExit(runFolders(cwd)[0]!)).toBe(1);
  });

  test('a named run is refused, with what it was started with', async () => {
    const cwd = project(RED);
    await run(cwd, '-t', 'p1');
    const id = basename(runFolders(cwd)[0]!);
    const refused = await run(cwd, `--resume=${id}`);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('to resume with every test: it was started with --grep "p1"');
    expect((await run(cwd, `--resume=${id}`, '-t', 'p1')).exitCode).toBe(0);
    expect(runFolders(cwd)).toHaveLength(1);
  });

  test('`only` that was added later hides nothing', async () => {
    const cwd = project(RED);
    await run(cwd);
    writeFileSync(join(cwd, 'a.test.yaml'), RED.replace('{id: p1,', '{id: p1, only: true,'));
    expect((await run(cwd, '--resume')).codes).toContain('nothing_to_resume');
    expect(recordedExit(runFolders(cwd)[0]!)).toBe(1);
  });

  test('it is refused with --no-record', async () => {
    const cwd = project(RED);
    const refused = await run(cwd, '--resume', '--no-record');
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('--no-record');
  });
});

describe('a resumed run keeps its settings', () => {
  /** Passes, fails, passes, fails. */
  const FLAKY =
    'let calls = 0;\nexport const agent = (input) => (input === "flaky" && ++calls % 2 === 0 ? "bad" : "good");';
  const SUITE = '- {id: t, input: flaky, assert: {output.equals: good}}\n';

  test.each([
    ['--min-pass-rate', ['--repeats', '4', '--min-pass-rate', '99%']],
    ['--max-flaky', ['--repeats', '4', '--min-pass-rate', '10%', '--max-flaky', '0']],
    ['--repeats', ['--repeats', '4']],
    ['--repeats auto', ['--repeats', 'auto', '--max-repeats', '4']],
  ])('%s', async (_, asked) => {
    const cwd = project(SUITE, FLAKY);
    const { exitCode } = await run(cwd, ...asked);
    expect([1, 3]).toContain(exitCode);
    const records = recordedTests(runFolders(cwd)[0]!);
    for (let times = 0; times < 2; times++) expect((await run(cwd, '--resume')).exitCode).toBe(exitCode);
    expect(recordedTests(runFolders(cwd)[0]!)).toEqual(records);
  });

  test('settings given again apply from then on', async () => {
    const cwd = project(SUITE, FLAKY);
    await run(cwd, '--repeats', '4', '--min-pass-rate', '99%');
    expect((await run(cwd, '--resume', '--min-pass-rate', '50%')).exitCode).toBe(0);
    expect((await run(cwd, '--resume')).exitCode).toBe(0);
  });

  test('it keeps its baseline, even if that was the latest run', async () => {
    const cwd = project(SUITE, 'export const agent = () => "good";');
    expect((await run(cwd)).exitCode).toBe(0);
    writeFileSync(join(cwd, 'agent.mjs'), 'export const agent = () => "bad";');
    const compared = await run(cwd, '--baseline', 'latest');
    expect(compared.exitCode).toBe(1);
    const resumed = await run(cwd, '--resume');
    expect(resumed.exitCode).toBe(1);
    expect(resumed.codes).toEqual([]);
    const { baselines } = JSON.parse(resumed.stdout);
    expect(baselines).toHaveLength(1);
    expect(baselines).toEqual(JSON.parse(compared.stdout).baselines);
  });

  test('fewer repeats hide no recorded attempt', async () => {
    const cwd = project(SUITE, FLAKY);
    expect((await run(cwd, '--repeats', '4')).exitCode).toBe(1);
    const fewer = await run(cwd, '--resume', '--repeats', '1');
    expect(fewer.exitCode).toBe(1);
    expect(JSON.parse(fewer.stdout)).toMatchObject({ summary: { tests: 1, attempts: 4 } });
  });

  test('a number of repeats does not become auto', async () => {
    const cwd = project(SUITE, FLAKY);
    await run(cwd, '--repeats', '4');
    const refused = await run(cwd, '--resume', '--repeats', 'auto');
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('it was started with a number of repeats');
    expect(recordedExit(runFolders(cwd)[0]!)).toBe(1);
  });
});

test('the current file decides whether a test is skipped', async () => {
  const skipping = RED.replace('{id: f1,', '{id: f1, skip: later,');
  const cwd = project(skipping);
  expect((await run(cwd)).exitCode).toBe(0);
  writeFileSync(join(cwd, 'a.test.yaml'), RED);
  expect((await run(cwd, '--resume')).exitCode).toBe(1);
  writeFileSync(join(cwd, 'a.test.yaml'), skipping);
  expect(JSON.parse((await run(cwd, '--resume')).stdout)).toMatchObject({
    summary: { passed: 1, skipped: 1, failed: 0 },
  });
});

test('a run without any test is not the latest', async () => {
  const cwd = project(RED);
  await run(cwd);
  expect((await run(cwd, '-t', 'typo')).exitCode).toBe(2);
  const { stdout } = await runCli(['report', 'latest', '--reporter', 'json'], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({ run_id: basename(runFolders(cwd)[0]!) });
});
