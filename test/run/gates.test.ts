import { describe, expect, test } from 'vitest';
import { runCli } from '../project.ts';
import { repeatingProject, suiteOf, type Report } from './repeating-agent.ts';

/** The gates of a run as `gate outcome`, and its exit code. */
async function outcome(suite: string, ...args: string[]): Promise<readonly (string | number)[]> {
  const { summary, exit_code } = await repeatingProject({ 'a.eval.yaml': suite }).report(...args);
  return [...summary.gates.map((gate) => `${gate.gate} ${gate.outcome}`), exit_code];
}

const PER_TEST = [
  ['8 of 10 hold 8/10', 'yyyynyyyny; pass_at_least: 8/10', 'held'],
  ['7 of 10 do not', 'nyyynyyyny; pass_at_least: 8/10', 'broken'],
  ['the same as a share', 'yyyynyyyny; repeats: 10; pass_at_least: 0.8', 'held'],
  ['an error is in no denominator: 8 of 9', 'yyyynyyyey; pass_at_least: 8/9; repeats: 10', 'held'],
  ['too many errors decide nothing', 'yyyyyyyyee; pass_at_least: 8/10', 'undecided'],
  ['not even with failures', 'nnnnnnnnee; pass_at_least: 8/10', 'undecided'],
  ['1 means every time', 'yyyn; repeats: 4; pass_at_least: 1', 'broken'],
] as const;

describe('pass_at_least', () => {
  test('applies to each test separately', async () => {
    const suite = suiteOf(...PER_TEST.map(([, line]) => line));
    const { tests, summary, exit_code } = await repeatingProject({ 'a.eval.yaml': suite }).report();
    expect(tests.map(({ gate }, index) => [PER_TEST[index]![0], gate?.outcome])).toEqual(
      PER_TEST.map(([title, , wanted]) => [title, wanted]),
    );
    expect(summary).toMatchObject({ passed: 3, failed: 2, error: 2, undecided: 2 });
    expect(summary.gates).toMatchObject([{ gate: 'pass_at_least', wanted: 7, actual: 3, outcome: 'broken' }]);
    expect(exit_code).toBe(1);
  });

  test('gives exit code 3 if it is undecided', async () => {
    expect(await outcome(suiteOf('yyyyyyyyee; pass_at_least: 8/10'))).toEqual(['pass_at_least undecided', 3]);
  });

  test('decides only with the coverage that --min-coverage requires', async () => {
    const suite = suiteOf('yyyyyyyyee; pass_at_least: 8/10');
    expect(await outcome(suite, '--min-coverage', '80%')).toEqual(['pass_at_least held', 0]);
  });

  test('is absent: every repeat must pass, and a flaky test fails', async () => {
    expect(await outcome(suiteOf('yyyn'), '--repeats', '4')).toEqual([1]);
    expect(await outcome(suiteOf('yyye'), '--repeats', '4')).toEqual([3]);
  });
});

describe('--min-pass-rate', () => {
  const rate = (wanted: string, ...tests: string[]) => outcome(suiteOf(...tests), '--min-pass-rate', wanted);

  test('decides instead of single tests', async () => {
    expect(await rate('0.5', 'y', 'n')).toEqual(['min_pass_rate held', 0]);
    expect(await rate('51%', 'y', 'n')).toEqual(['min_pass_rate broken', 1]);
  });

  test('does not override tests with their own gate', async () => {
    expect(await rate('0.5', 'y', 'y', 'n; pass_at_least: 1')).toEqual([
      'min_pass_rate held',
      'pass_at_least broken',
      1,
    ]);
  });

  test('is undecided if errors lower the coverage too much', async () => {
    expect(await rate('0.5', 'y', 'e')).toEqual(['min_pass_rate undecided', 3]);
    expect(await rate('0.5', 'n', 'e')).toEqual(['min_pass_rate undecided', 3]);
    expect(await rate('0.5', ...Array<string>(9).fill('y'), 'e')).toEqual(['min_pass_rate held', 0]);
  });

  test('counts what --bail left out as not measured', async () => {
    expect(await outcome(suiteOf('n', 'y', 'y', 'y'), '--min-pass-rate', '0.5', '--bail')).toEqual([
      'min_pass_rate undecided',
      3,
    ]);
  });
});

describe('--max-flaky', () => {
  const suite = suiteOf('yn; pass_at_least: 1/2', 'yy', 'yy', 'yy');

  test.each([
    ['1', 'held', 0],
    ['0', 'broken', 1],
    ['25%', 'held', 0],
    ['0.2', 'broken', 1],
  ])('%s', async (wanted, came, exitCode) => {
    expect(await outcome(suite, '--repeats', '2', '--max-flaky', wanted)).toEqual([
      'pass_at_least held',
      `max_flaky ${came}`,
      exitCode,
    ]);
  });

  test('is undecided without repeats', async () => {
    expect(await outcome(suiteOf('y'), '--max-flaky', '0')).toEqual(['max_flaky undecided', 3]);
  });
});

test('the config may set gates, and the command line overrides them', async () => {
  const config = 'repeats: 2\ngates: { min_pass_rate: 0.9, max_flaky: 0, min_coverage: 1 }\n';
  const project = repeatingProject({ 'a.eval.yaml': suiteOf('yn'), 'assay.config.yaml': config });
  const { summary, exit_code } = await project.report();
  expect(summary.rules).toEqual({ min_pass_rate: 0.9, max_flaky: 0, min_coverage: 1 });
  expect(summary.gates.map((gate) => gate.outcome)).toEqual(['broken', 'broken']);
  expect(exit_code).toBe(1);
  const other = await project.report('--min-pass-rate', '0.5', '--max-flaky', '1');
  expect(other.summary.gates.map((gate) => gate.outcome)).toEqual(['held', 'held']);
  expect(other.exit_code).toBe(0);
});

test('gates of a second config are not dropped silently', async () => {
  const project = repeatingProject({
    'a/a.eval.yaml': suiteOf('y'),
    'a/assay.config.yaml': 'repeats: 1\n',
    'b/b.eval.yaml': suiteOf('yn'),
    'b/assay.config.yaml': 'repeats: 2\ngates: { max_flaky: 0 }\n',
  });
  const { findings, exit_code } = await project.report();
  expect(findings).toMatchObject([{ severity: 'error', code: 'other_config', file: 'b/b.eval.yaml' }]);
  expect(exit_code).toBe(2);
});

test('grading and merging use the gates of the run', async () => {
  const project = repeatingProject({ 'a.eval.yaml': suiteOf('y', 'n', 'yyyn; pass_at_least: 3/4') });
  const live = await project.report('--min-pass-rate', '80%');
  expect(live.exit_code).toBe(1);
  for (const command of ['grade', 'merge']) {
    const { stdout, exitCode } = await runCli([command, 'latest', '--reporter', 'json'], {
      cwd: project.path,
    });
    const report = JSON.parse(stdout) as Report;
    expect(report.summary.gates).toEqual(live.summary.gates);
    expect(report.tests).toEqual(live.tests);
    expect(exitCode).toBe(1);
  }
});

test('contradictory gates are refused before anything runs', async () => {
  const { stderr, exitCode } = await repeatingProject({ 'a.eval.yaml': suiteOf('y') }).run('--repeats', '0');
  expect(stderr).toContain('--repeats takes an integer of at least 1, or auto, not "0"');
  expect(exitCode).toBe(2);
});

test('the terminal explains the gates', async () => {
  const suite = suiteOf(
    'yyyynyyyny 0.01; pass_at_least: 7/10',
    'nnyynyyynn 0.01; pass_at_least: 7/10',
    'yyyyyyyyyy 0.01',
    'yeeyyyyyyy 0.01; pass_at_least: 7/10',
  );
  const { stdout, exitCode } = await repeatingProject({ 'a.eval.yaml': suite }).run(
    '--repeats',
    '10',
    '--max-flaky',
    '3',
  );
  expect(exitCode).toBe(1);
  expect(stdout.replace(/Time .*\n(?:Slow .*\n)?Run .*/, 'Time')).toMatchInlineSnapshot(`
    "~ a.eval.yaml (4 tests, 40 attempts) attempts: 7 failed, 2 errored

    FAIL b
      passed 5 of 10; attempt 1 of 10:

      a.eval.yaml:9:18
         7 |     input: nnyynyyynn 0.01
         8 |     pass_at_least: 7/10
      >  9 |     evaluators: [{ type: equals, value: "yes" }]
           |                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        10 |   - id: c
      equals: expected "yes", got "no"

      input:  nnyynyyynn 0.01
      output: no

      score: 0, threshold 0.8
        ✗ equals  0  weight 1

      rerun: assay run a.eval.yaml:6 --agent ./agent.mjs --repeats 10

    ERROR d
      passed 8 of 8, 2 could not be measured; attempt 2 of 10:

      a.eval.yaml:13:5
        11 |     input: yyyyyyyyyy 0.01
        12 |     evaluators: [{ type: equals, value: "yes" }]
      > 13 |   - id: d
           |     ^^^^^
        14 |     input: yeeyyyyyyy 0.01
      agent error: the agent threw Error: not today
            at agent (agent.mjs:8:29)

      input:  yeeyyyyyyy 0.01

      rerun: assay run a.eval.yaml:13 --agent ./agent.mjs --repeats 10

    Tests       1 failed, 1 inconclusive, 2 passed, 2 flaky (4)
    Pass rate   81.6% of the 38 attempts that could be measured; 2 errored (95% confidence interval: 66.6% to 90.8%)
    In 8 tries  at least one passes 100% (pass@8), all pass 50.6% (pass^8)
    Flaky       b 5/10, a 8/10
    Gates       ✗ 1 of 3 tests pass as often as required, 1 does not, 1 is inconclusive
                  ✗ b: passed 5 of 10, 7/10 required
                  ? d: only 8 of 10 attempts were measured
                ✓ 2 of 4 tests are flaky, at most 3 allowed
    Cost        $0.38
    Time
    "
  `);
});
