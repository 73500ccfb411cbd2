import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';
import { recordedTests, runFolders } from '../run-folders.ts';

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

function project(): string {
  const created = createProject({
    'agent.mjs': 'export const agent = (input) => input;',
    'tests/a.test.yaml':
      '- {id: good, input: good, assert: {output.equals: good}}\n- {id: bad, input: bad, assert: {output.equals: good}}\n',
  });
  cleanUps.push(() => created.remove());
  return created.path;
}

const mend = (cwd: string): void =>
  writeFileSync(join(cwd, 'agent.mjs'), 'export const agent = () => "good";');

async function run(cwd: string, ...args: string[]) {
  const result = await runCli(['run', '--agent', './agent.mjs', '--reporter', 'json', ...args], { cwd });
  const { findings, results } = JSON.parse(result.stdout) as {
    findings: { code: string; severity: string; message: string }[];
    results: { test: string }[];
  };
  return { exitCode: result.exitCode, findings, tests: results.map((record) => record.test) };
}

describe('--last-failed', () => {
  test('runs what failed', async () => {
    const cwd = project();
    await run(cwd);
    expect(await run(cwd, '--last-failed')).toMatchObject({ exitCode: 1, tests: ['bad'], findings: [] });
  });

  test('knows what failed when it is started in another folder', async () => {
    const cwd = project();
    await run(cwd);
    mkdirSync(join(cwd, 'tests', 'deep'));
    const { stdout } = await runCli(
      ['run', '..', '--agent', '../../agent.mjs', '--reporter', 'json', '--last-failed'],
      { cwd: join(cwd, 'tests', 'deep') },
    );
    expect(JSON.parse(stdout)).toMatchObject({ exit_code: 1, results: [{ test: 'bad' }] });
  });

  test('without an earlier run runs everything, and says so', async () => {
    const cwd = project();
    expect(await run(cwd, '--last-failed')).toMatchObject({
      exitCode: 1,
      tests: ['good', 'bad'],
      findings: [{ severity: 'warning', code: 'no_earlier_run' }],
    });
  });

  test('after a run in which nothing failed runs nothing, says so, ends with 0 and records no run', async () => {
    const cwd = project();
    mend(cwd);
    await run(cwd);
    for (let times = 0; times < 2; times++) {
      const again = await run(cwd, '--last-failed');
      expect(again).toMatchObject({
        exitCode: 0,
        tests: [],
        findings: [{ severity: 'warning', code: 'nothing_failed' }],
      });
      expect(again.findings[0]!.message).toContain(runFolders(cwd)[0]!.split('/').at(-1));
    }
    expect(runFolders(cwd)).toHaveLength(1);
  });

  test('after a run that broke off before anything failed ends with 2', async () => {
    const cwd = project();
    mend(cwd);
    await run(cwd);
    rmSync(join(runFolders(cwd)[0]!, 'summary.json'));
    expect(await run(cwd, '--last-failed')).toMatchObject({
      exitCode: 2,
      findings: [{ severity: 'error', code: 'nothing_failed' }],
    });
  });
});

describe('--last-failed is green only when nothing is open', () => {
  const GOOD = '- {id: good, input: good, assert: {output.equals: good}}\n';

  test('a run of a part says nothing about the other tests', async () => {
    const cwd = project();
    writeFileSync(
      join(cwd, 'tests/b.test.yaml'),
      '- {id: other, input: bad, assert: {output.equals: good}}\n',
    );
    expect((await run(cwd)).exitCode).toBe(1);
    writeFileSync(join(cwd, 'tests/b.test.yaml'), GOOD.replace('id: good', 'id: other'));
    expect(await run(cwd, 'b.test', '--last-failed')).toMatchObject({ exitCode: 0, tests: ['other'] });
    expect(await run(cwd, 'b.test', '--last-failed')).toMatchObject({ exitCode: 0, tests: [] });
    expect(await run(cwd, '--last-failed')).toMatchObject({ exitCode: 1, tests: ['bad'] });
    await run(cwd, '-t', 'good');
    expect(await run(cwd, '--last-failed')).toMatchObject({ exitCode: 1, tests: ['bad'] });
    mend(cwd);
    expect(await run(cwd, '--last-failed')).toMatchObject({ exitCode: 0, tests: ['bad'] });
    expect(await run(cwd, '--last-failed')).toMatchObject({ exitCode: 0, tests: [] });
  });

  test('a test that is gone is forgotten once its file was run as a whole', async () => {
    const cwd = project();
    await run(cwd, 'tests');
    writeFileSync(join(cwd, 'tests/a.test.yaml'), GOOD);
    await run(cwd, 'tests');
    expect(await run(cwd, 'tests', '--last-failed')).toMatchObject({ exitCode: 0, tests: [] });
  });

  test('money that ran out left attempts out', async () => {
    const cwd = project();
    writeFileSync(join(cwd, 'agent.mjs'), 'export const agent = () => ({ output: "good", cost_usd: 1 });');
    expect((await run(cwd, '--max-cost', '0.5', '--workers', '1')).exitCode).toBe(3);
    const again = await run(cwd, '--last-failed');
    expect(again).toMatchObject({ exitCode: 2, findings: [{ severity: 'error', code: 'nothing_failed' }] });
    expect(again.findings[0]!.message).toContain('left 1 attempts out');
  });

  test('a gate was undecided', async () => {
    const cwd = project();
    mend(cwd);
    expect((await run(cwd, '--repeats', 'auto', '--max-repeats', '2')).exitCode).toBe(3);
    expect(await run(cwd, '--last-failed')).toMatchObject({
      exitCode: 2,
      findings: [{ severity: 'error', code: 'nothing_failed' }],
    });
  });

  test('a file was invalid, and no run of it came since', async () => {
    const cwd = project();
    mend(cwd);
    writeFileSync(join(cwd, 'tests/b.test.yaml'), '- {id: other, inptu: [}\n');
    expect((await run(cwd)).exitCode).toBe(2);
    writeFileSync(join(cwd, 'tests/b.test.yaml'), GOOD);
    expect(await run(cwd, '--last-failed')).toMatchObject({
      exitCode: 2,
      findings: [{ severity: 'error', code: 'nothing_failed' }],
    });
    expect((await run(cwd)).exitCode).toBe(0);
    expect((await run(cwd, '--last-failed')).exitCode).toBe(0);
  });
});

describe('a damaged run.json', () => {
  test.each([
    ['half of it', '{"run_id": "x", "fi'],
    ['none', undefined],
  ])('%s: --resume says that it passes the run over, and --resume=RUN continues it', async (_, text) => {
    const cwd = project();
    await run(cwd);
    const [damaged] = runFolders(cwd);
    if (text === undefined) rmSync(join(damaged!, 'run.json'));
    else writeFileSync(join(damaged!, 'run.json'), text);
    const resumed = await run(cwd, '--resume');
    expect(resumed.findings.map(({ code }) => code).sort()).toEqual(['damaged_run', 'nothing_to_resume']);
    expect(runFolders(cwd)).toHaveLength(2);
    const id = damaged!.split('/').at(-1)!;
    expect(await run(cwd, `--resume=${id}`)).toMatchObject({
      exitCode: 1,
      findings: [{ code: 'damaged_run', severity: 'warning' }],
    });
    // Its run.json is whole again.
    expect(await run(cwd, `--resume=${id}`)).toMatchObject({ exitCode: 1, findings: [] });
    expect(recordedTests(damaged!)).toEqual(['good', 'bad']);
  });
});
