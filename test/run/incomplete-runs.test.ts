import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Comparison } from '../../src/base/model/comparison.ts';
import { createProject, runCli, type CliResult, startCli } from '../project.ts';
import { repeatingProject, suiteOf, type Report } from './repeating-agent.ts';

const NINE_PASS_ONE_FAILS = ['y', 'y', 'y', 'y', 'y', 'y', 'y', 'y', 'y', 'n'];

test('a test with a gate that never started leaves its gate undecided', async () => {
  const project = repeatingProject({
    'a.eval.yaml': suiteOf(...NINE_PASS_ONE_FAILS, 'y; pass_at_least: 1/1'),
  });
  const { exit_code, summary, tests } = await project.report('--bail', '--min-pass-rate', '50%');
  expect(summary.gates).toMatchObject([
    { gate: 'min_pass_rate', outcome: 'held' },
    { gate: 'pass_at_least', wanted: 1, actual: 0, outcome: 'undecided' },
  ]);
  expect(tests).toMatchObject([{ test: 'k', verdict: 'error', attempts: 0, not_started: 1 }]);
  expect(exit_code).toBe(3);
});

describe('assay grade', () => {
  test('of a run that stopped at its cost limit is no greener than the run', async () => {
    const project = repeatingProject({
      'a.eval.yaml': suiteOf('y 0.1; pass_at_least: 4/4', 'y 0.1', 'y 0.1'),
    });
    const live = await project.report('--max-cost', '0.2');
    const graded = read(await cli(project, 'grade', '--reporter', 'json'));
    expect(live.exit_code).toBe(3);
    expect(graded.exit_code).toBe(3);
    expect(graded.tests).toEqual(live.tests);
    expect(graded.summary).toMatchObject({ not_started: 4, gates: live.summary.gates });
  });

  test('knows what was left out, even from another folder', async () => {
    const project = repeatingProject({ 'sub/a.eval.yaml': suiteOf('y 0.1; pass_at_least: 4/4') });
    await project.report('--max-cost', '0.2');
    const { stdout } = await runCli(['grade', '--reporter', 'json'], { cwd: join(project.path, 'sub') });
    expect((JSON.parse(stdout) as Report).tests).toMatchObject([
      { file: 'a.eval.yaml', passed: 2, not_started: 2, verdict: 'error' },
    ]);
  });

  test('of an interrupted or killed run exits with 130', async () => {
    const project = createProject({ 'agent.mjs': SLOW_AGENT, 'a.eval.yaml': suiteOf('y', 'y', 'slow', 'y') });
    const live = await startCli(['run', '--agent', './agent.mjs', '--workers', '1'], {
      cwd: project.path,
      onStart: (child) => void whenSlow(project.path).then(() => child.kill('SIGINT')),
    });
    expect(live.exitCode).toBe(130);
    expect((await cli(project, 'grade')).exitCode).toBe(130);
    rmSync(join(project.path, '.assay/runs', runsOf(project)[0]!, 'summary.json'));
    expect((await cli(project, 'grade')).exitCode).toBe(130);
    project.remove();
  });
});

test('report and merge show the attempts that were not started, as the run did', async () => {
  const project = repeatingProject({ 'a.eval.yaml': suiteOf('y 0.1; pass_at_least: 4/4', 'y 0.1', 'y 0.1') });
  const live = await project.report('--max-cost', '0.2');
  expect(live.tests).toMatchObject([{ verdict: 'error', passed: 2, not_started: 2 }]);
  const [run] = runsOf(project);
  const reported = read(await cli(project, 'report', run!, '--reporter', 'json'));
  expect(reported.tests).toEqual(live.tests);
  expect(reported.summary).toEqual(live.summary);
  const merged = read(await cli(project, 'merge', run!, '--reporter', 'json'));
  expect(merged.tests).toEqual(live.tests);
  expect(merged.summary).toEqual(live.summary);
  expect(merged.exit_code).toBe(3);
  const again = read(await cli(project, 'report', 'latest', '--reporter', 'json'));
  expect(again.tests).toEqual(live.tests);
});

describe('assay merge', () => {
  test('does not compare a single shard with a baseline, and says what to compare', async () => {
    const project = repeatingProject({ 'a.eval.yaml': suiteOf('y', 'y') });
    await project.run();
    const [before] = runsOf(project);
    const refused = await project.run('--shard', '1/2', '--baseline', before!);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('hint: remove --baseline here, and use `assay merge');
    expect(runsOf(project)).toEqual([before]);
  });

  test('reports a regression in a shard as one of the merged run', async () => {
    const files = (letters: string) => ({ 'a.eval.yaml': suiteOf('y', letters, 'y', 'y') });
    const project = repeatingProject(files('y'));
    await project.run();
    const [before] = runsOf(project);
    const worse = repeatingProject({ ...files('n'), 'assay.config.yaml': 'gates: { min_pass_rate: 0.5 }\n' });
    for (const shard of ['1/2', '2/2']) await worse.run('--shard', shard);
    const shards = runsOf(worse);
    const baseline = join(project.path, '.assay/runs', before!);
    expect((await cli(worse, 'merge', ...shards)).exitCode).toBe(0);
    const merged = await cli(worse, 'merge', ...shards, '--baseline', baseline, '--reporter', 'json');
    expect(merged.exitCode).toBe(1);
    const { comparison } = JSON.parse(merged.stdout) as { readonly comparison: Comparison };
    expect(comparison).toMatchObject({ pairs: 4, changes: [{ test: 'b', kind: 'new_failure' }] });
    const own = await cli(worse, 'merge', ...shards, '--baseline', shards[0]!);
    expect(own.exitCode).toBe(2);
    expect(own.stdout + own.stderr).toContain('own_baseline');
    expect((await cli(worse, 'merge', ...shards, '--baseline', 'nothing')).exitCode).toBe(2);
    const alone = await cli(worse, 'merge', ...shards, '--fail-on', 'any');
    expect(alone).toMatchObject({ exitCode: 2 });
    expect(alone.stderr).toContain('--fail-on needs a --baseline');
  });

  test('of runs with different gates is exit 2, in any order', async () => {
    const project = repeatingProject({ 'a.eval.yaml': suiteOf('y', 'n', 'y', 'y') });
    await project.run('--shard', '1/2', '--min-pass-rate', '50%');
    await project.run('--shard', '2/2', '--min-pass-rate', '90%');
    const shards = runsOf(project);
    for (const runs of [shards, shards.toReversed()]) {
      const merged = read(await cli(project, 'merge', ...runs, '--reporter', 'json'));
      expect(merged.findings.map(({ code }) => code)).toEqual(['rules_differ']);
      expect(merged.exit_code).toBe(2);
    }
  });

  test('counts the attempts of a missing shard, so gates are undecided', async () => {
    const project = repeatingProject({ 'a.eval.yaml': suiteOf(...'yyyyyyyyyy') });
    const shard = await project.report('--shard', '1/2', '--min-pass-rate', '50%');
    expect(shard.exit_code).toBe(0);
    const args = ['merge', 'latest', '--allow-missing', '--reporter', 'json'] as const;
    const merged = read(await cli(project, ...args));
    expect(merged.summary.not_started).toBe(10 - shard.results.length);
    expect(merged.summary.gates).toMatchObject([{ gate: 'min_pass_rate', outcome: 'undecided' }]);
    expect(merged.findings).toMatchObject([{ code: 'shard_missing', severity: 'warning' }]);
    expect(merged.findings[0]!.hint).not.toContain('--allow-missing');
    expect(merged.exit_code).toBe(3);
  });
});

describe('a comparison with an incomplete run is not green', () => {
  test('assay compare', async () => {
    const project = repeatingProject({ 'a.eval.yaml': suiteOf('y 0.1', 'y 0.1', 'y 0.1') });
    await project.run();
    await project.run('--max-cost', '0.1');
    const [whole, part] = runsOf(project) as [string, string];
    const compared = await cli(project, 'compare', whole, part);
    expect(compared.exitCode).toBe(3);
    expect(compared.stderr).toContain(`the run ${part} was stopped before 2 of its attempts`);
    // What is unknown about the earlier run is not a regression of the later one.
    expect((await cli(project, 'compare', part, whole)).exitCode).toBe(0);
    rmSync(join(project.path, '.assay/runs', part, 'summary.json'));
    expect((await cli(project, 'compare', whole, part)).exitCode).toBe(3);
  });

  test('assay run --baseline', async () => {
    const project = repeatingProject({ 'a.eval.yaml': suiteOf('y', 'n', 'y', 'y') });
    await project.run();
    const args = ['--bail', '--min-pass-rate', '40%', '--min-coverage', '0%'];
    expect((await project.run(...args)).exitCode).toBe(0);
    expect((await project.run(...args, '--baseline', runsOf(project)[0]!)).exitCode).toBe(3);
  });
});

const SLOW_AGENT = `
import { writeFileSync } from 'node:fs';
export async function agent(input) {
  if (input === 'slow') {
    writeFileSync(new URL('slow.txt', import.meta.url), '');
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  }
  return { output: 'yes' };
}`;

async function whenSlow(path: string): Promise<void> {
  while (!existsSync(join(path, 'slow.txt'))) await sleep(20);
}

function cli({ path }: { readonly path: string }, ...args: readonly string[]): Promise<CliResult> {
  return runCli(args, { cwd: path });
}

function read({ stdout, stderr }: CliResult): Report {
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Report;
}

function runsOf({ path }: { readonly path: string }): readonly string[] {
  return readdirSync(join(path, '.assay/runs')).sort();
}
