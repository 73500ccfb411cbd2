import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli, startCli } from '../project.ts';
import { repeatingProject, suiteOf, type Report } from './repeating-agent.ts';

const AUTO = ['--repeats', 'auto', '--max-repeats', '30'];

/** Attempts of each test, and what became of its gate. */
function made({ tests }: Report): Readonly<Record<string, string>> {
  return Object.fromEntries(
    tests.map(({ test: id, attempts, gate }) => [id, `${attempts} ${gate?.outcome ?? 'no gate'}`]),
  );
}

// As the oracle says: of 30, 17 passes in a row show 80% with 95% confidence, 4 failures in a row refute it.
const SUITE = suiteOf(
  'y',
  'n',
  'yn',
  'yyyyyyyyyyyyyyn; pass_at_least: 0.5',
  'ny; repeats: 7',
  'y; skip: later',
  'nny',
);

test('a test is repeated exactly until its gate is decided', async () => {
  const project = repeatingProject({ 'a.eval.yaml': SUITE });
  const report = await project.report(...AUTO);
  expect(made(report)).toEqual({
    a: '17 held',
    b: '4 broken',
    // One pass is few enough from the fifth attempt on.
    c: '5 broken',
    d: '7 held',
    // With one failure in 25, the gate holds.
    e: '25 held',
    // Two failures are too many for it to hold, and twenty passes too many for it to break.
    g: '22 undecided',
  });
  expect(report.summary).toMatchObject({
    passed: 3,
    failed: 2,
    error: 1,
    undecided: 1,
    skipped: 1,
    saved_attempts: 13 + 26 + 25 + 23 + 5 + 8,
    // The number of repeats followed the results: they would be biased.
    pass_at_k: [],
    pass_hat_k: [],
    rules: { adaptive: { confidence: 0.95, max_repeats: 30, pass_at_least: 0.8 } },
  });
  expect(report.tests.at(-1)!.gate!.message).toBe('passed 20 of 22: too close to 80% to tell in 30 attempts');
  expect(report.exit_code).toBe(1);
});

test('undecided at the cap is exit code 3; --min-pass-rate and --confidence set the gate', async () => {
  const project = repeatingProject({ 'a.eval.yaml': suiteOf('y') });
  expect((await project.report(...AUTO)).exit_code).toBe(0);
  const strict = await project.report(...AUTO, '--min-pass-rate', '0.95');
  // After 26 passes not even four failures would break it.
  expect([made(strict), strict.exit_code]).toEqual([{ a: '26 undecided' }, 3]);
  expect(strict.tests[0]!.gate!.message).toContain('it takes 59 attempts to see that it passes 95%');
  expect(strict.findings).toMatchObject([
    { code: 'too_few_repeats', hint: expect.stringContaining('it takes 59') as string },
  ]);
  const easy = await project.report(...AUTO, '--min-pass-rate', '50%', '--confidence', '0.9');
  expect([made(easy), easy.exit_code]).toEqual([{ a: '6 held' }, 0]);
  // A rate of 0 asks for nothing: the default is asked.
  expect(made(await project.report(...AUTO, '--min-pass-rate', '0'))).toEqual({ a: '17 held' });
});

test('errors decide nothing and lower the coverage', async () => {
  const project = repeatingProject({
    'a.eval.yaml': suiteOf('e', 'yeyyyyyyyyyyyyyyyyyyy', 'eyyyeeyyyeyyyyyyyyyyyyyyy'),
  });
  const report = await project.report(...AUTO);
  expect(made(report)).toEqual({ a: '30 undecided', b: '18 held', c: '21 undecided' });
  expect(report.exit_code).toBe(3);
});

test('the same attempts run with any number of workers and on resume, and grading decides the same', async () => {
  const project = repeatingProject({ 'a.eval.yaml': SUITE });
  const alone = await project.report(...AUTO, '--workers', '1');
  const together = await project.report(...AUTO, '--workers', '8');
  expect(together.tests).toEqual(alone.tests);
  const calls = readFileSync(join(project.path, 'calls.txt'), 'utf8');
  const again = await project.report(...AUTO, '--resume');
  expect(again.tests).toEqual(alone.tests);
  expect(readFileSync(join(project.path, 'calls.txt'), 'utf8')).toBe(calls);
  for (const command of ['grade', 'merge']) {
    const { stdout } = await runCli([command, 'latest', '--reporter', 'json'], { cwd: project.path });
    expect((JSON.parse(stdout) as Report).summary.gates).toEqual(alone.summary.gates);
  }
});

test('a killed run continues to the same result and runs no attempt twice', async () => {
  const whole = await repeatingProject({ 'a.eval.yaml': SUITE }).report(...AUTO);
  const killed = repeatingProject({ 'a.eval.yaml': SUITE, 'die.mjs': DYING_AGENT });
  const dying = await startCli(['run', '--agent', './die.mjs', ...AUTO, '--workers', '4'], {
    cwd: killed.path,
  });
  expect(dying.exitCode).not.toBe(0);
  const first = readRecords(killed.path);
  expect(first.length).toBeGreaterThan(5);
  const { stdout } = await runCli(
    ['run', '--agent', './die.mjs', ...AUTO, '--resume', '--reporter', 'json'],
    {
      cwd: killed.path,
      env: { GO_ON: '1' },
    },
  );
  const resumed = JSON.parse(stdout) as Report;
  expect(made(resumed)).toEqual(made(whole));
  const ids = readRecords(killed.path);
  expect(new Set(ids).size).toBe(ids.length);
});

/** The agent of the other tests, which kills Assay, the parent of its process, in the 12th call. */
const DYING_AGENT = `
import { agent as answer } from './agent.mjs';
let calls = 0;
export async function agent(input, memory, context) {
  if (++calls === 12 && process.env.GO_ON === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 400));
    process.kill(process.ppid, 'SIGKILL');
  }
  return answer(input, memory, context);
}`;

/** The ids in the journal of the only run. */
function readRecords(cwd: string): readonly string[] {
  const runs = join(cwd, '.assay', 'runs');
  return readFileSync(join(runs, readdirSync(runs)[0]!, 'results.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('"verdict"'))
    .map((line) => (JSON.parse(line) as { readonly id: string }).id);
}
