import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isClose, oracle } from '../stats/oracle.ts';
import { runCli } from '../project.ts';
import { repeatingProject, suiteOf, type Report } from './repeating-agent.ts';

describe('how often a test runs', () => {
  const files = {
    'a.eval.yaml':
      'repeats: 2\nevalcases:\n  - {id: shared, input: y, evaluators: [{type: equals, value: "yes"}]}\n  - {id: own, repeats: 3, input: y, evaluators: [{type: equals, value: "yes"}]}\n  - {id: fraction, pass_at_least: 3/4, input: y, evaluators: [{type: equals, value: "yes"}]}\n  - {id: skipped, skip: later, input: y, evaluators: [{type: equals, value: "yes"}]}\n',
    'b.jsonl':
      '{"id":"line","input":"y","evaluators":[{"type":"equals","value":"yes"}]}\n{"id":"line-own","repeats":1,"input":"y","evaluators":[{"type":"equals","value":"yes"}]}\n',
    'b.yaml': 'pass_at_least: 2/5\n',
    'c.test.yaml':
      '- {id: step, repeats: 2, input: y, assert: {output.equals: "yes"}}\n- {id: once, input: y, assert: {output.equals: "yes"}}\n',
  };
  const counts = ({ results }: Report): Record<string, number> => {
    const made: Record<string, number> = {};
    for (const result of results) made[result.test] = (made[result.test] ?? 0) + 1;
    return made;
  };

  test('the test decides, else its file; a fraction decides too; a skipped test is listed once', async () => {
    const report = await repeatingProject(files).report('a.eval.yaml', 'b.jsonl', 'c.test.yaml');
    expect(counts(report)).toEqual({
      shared: 2,
      own: 3,
      fraction: 4,
      skipped: 1,
      line: 5,
      'line-own': 1,
      step: 2,
      once: 1,
    });
    expect(report.exit_code).toBe(0);
    expect(report.results.find((result) => result.test === 'fraction')?.pass_at_least).toBe('3/4');
  });

  test('the command line overrides files, and files override the config', async () => {
    const project = repeatingProject({ ...files, 'assay.config.yaml': 'repeats: 3\n' });
    expect(counts(await project.report('a.eval.yaml', 'c.test.yaml', '--repeats', '2'))).toEqual({
      shared: 2,
      own: 2,
      fraction: 2,
      skipped: 1,
      step: 2,
      once: 2,
    });
    expect(counts(await project.report('c.test.yaml'))).toEqual({ step: 2, once: 3 });
  });

  test('more repeats on resume run only the missing attempts', async () => {
    const project = repeatingProject({ 'a.eval.yaml': suiteOf('yyn', 'y') });
    await project.report('--repeats', '2');
    const more = await project.report('--repeats', '3', '--resume');
    expect(more.results).toHaveLength(6);
    expect(more.summary).toMatchObject({ attempts: 6, flaky: 1, failed: 1, passed: 1 });
    const calls = readFileSync(join(project.path, 'calls.txt'), 'utf8').trim().split('\n').toSorted();
    expect(calls).toEqual(['a 1', 'a 2', 'a 3', 'b 1', 'b 2', 'b 3']);
  });

  test('a changed pass_at_least on resume runs nothing again, and the current file decides', async () => {
    const project = repeatingProject({ 'a.eval.yaml': suiteOf('ynyn; pass_at_least: 3/4') });
    expect((await project.report()).exit_code).toBe(1);
    const calls = readFileSync(join(project.path, 'calls.txt'), 'utf8');
    writeFileSync(join(project.path, 'a.eval.yaml'), suiteOf('ynyn; pass_at_least: 2/4'));
    const again = await project.report('--resume');
    expect(again.exit_code).toBe(0);
    expect(again.tests[0]?.gate).toMatchObject({ pass_at_least: '2/4', outcome: 'held' });
    expect(readFileSync(join(project.path, 'calls.txt'), 'utf8')).toBe(calls);
  });
});

describe('the numbers of a run', () => {
  interface Case {
    readonly name: string;
    readonly tests: readonly (readonly number[])[];
    readonly clustered_error: number;
    readonly pass_at_k: readonly Report['summary']['pass_at_k'][number][];
    readonly pass_hat_k: readonly Report['summary']['pass_hat_k'][number][];
  }

  test('200 attempts: rate, pass@k, pass^k and their errors match the oracle, live and merged', async () => {
    const fromOracle = oracle<readonly Case[]>('clustered-error')[0]!;
    const lines = fromOracle.tests.map((attempts, index) =>
      JSON.stringify({
        id: `t${index}`,
        input: attempts.map((attempt) => (attempt === 1 ? 'y' : 'n')).join(''),
        evaluators: [{ type: 'equals', value: 'yes' }],
      }),
    );
    const project = repeatingProject({ 'bench.jsonl': `${lines.join('\n')}\n` });
    const live = await project.report('bench.jsonl', '--repeats', '4');
    const { stdout } = await runCli(['merge', 'latest', '--reporter', 'json'], { cwd: project.path });
    const merged = JSON.parse(stdout) as Report;
    for (const { summary } of [live, merged]) {
      const passed = fromOracle.tests.flat().filter((attempt) => attempt === 1).length;
      expect(summary.pass_rate).toMatchObject({ passed, measured: 200, rate: passed / 200 });
      expect(isClose(summary.pass_rate!.standard_error!, fromOracle.clustered_error)).toBe(true);
      for (const name of ['pass_at_k', 'pass_hat_k'] as const) {
        expect(summary[name].map(({ k }) => k)).toEqual([1, 2, 3, 4]);
        for (const [index, { value, tests, standard_error }] of summary[name].entries()) {
          expect(isClose(value, fromOracle[name][index]!.value)).toBe(true);
          expect(isClose(standard_error!, fromOracle[name][index]!.standard_error!)).toBe(true);
          expect(tests).toBe(50);
        }
      }
    }
    expect(merged.tests).toEqual(live.tests);
  });

  test('errors count in no denominator', async () => {
    const { summary, tests } = await repeatingProject({ 'a.eval.yaml': suiteOf('yeen', 'yyyy') }).report(
      '--repeats',
      '4',
    );
    expect(summary).toMatchObject({ attempts: 8, errors: { agent: 2 }, flaky: 1, failed: 1 });
    expect(summary.pass_rate).toMatchObject({ passed: 5, measured: 6 });
    expect(tests[0]).toMatchObject({
      passed: 1,
      failed: 1,
      error: 2,
      is_flaky: true,
      pass_rate: { rate: 0.5 },
    });
    // pass^3 and pass^4 would be numbers of one of the two tests.
    expect(summary.pass_hat_k).toMatchObject([
      { k: 1, value: 0.75, tests: 2 },
      { k: 2, value: 0.5, tests: 2 },
    ]);
  });

  test('without repeats there is a rate with its interval, k is 1, and no test is listed', async () => {
    const project = repeatingProject({ 'a.eval.yaml': suiteOf('y', 'y', 'n') });
    const { summary, tests } = await project.report();
    const merged = await runCli(['merge', 'latest', '--reporter', 'json'], { cwd: project.path });
    expect((JSON.parse(merged.stdout) as Report).tests).toEqual([]);
    expect(summary.pass_at_k).toHaveLength(1);
    expect(summary.pass_rate?.rate).toBe(2 / 3);
    // One attempt each: the error is that of independent samples.
    expect(isClose(summary.pass_rate!.standard_error!, Math.sqrt(2 / 9 / 2))).toBe(true);
    expect(tests).toEqual([]);
    expect(summary.gates).toEqual([]);
  });
});
