import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CompareProject } from './runs.ts';

const TESTS = ['berlin', 'oslo', 'paris', 'rome', 'tallinn', 'zagreb'];
/** Removes what always differs between two runs. */
const withoutNoise = (text: string): string =>
  text
    .replaceAll(/\d{8}T\d{6}-\d{3}-[0-9a-f]{8}/g, '<run>')
    .replaceAll(/[\d.]+ m?s(?: \([+-]\d+%\))?/g, '<time>')
    .replaceAll(/ → <time> \([+-]\d+%\)/g, ' → <time>')
    .replaceAll(/ {2}\S*agent\.mjs$/gm, '  <agent>');

describe('two runs', () => {
  let project: CompareProject;
  let [before, after] = ['', ''];
  beforeAll(async () => {
    project = new CompareProject(TESTS);
    await project.run({ oslo: 'F', rome: 'PF' }, ['--repeats', '2']);
    // Started elsewhere: its files are named from there.
    await project.run({ berlin: 'FF', rome: 'FP', paris: 'HH', zagreb: 'PE' }, ['--repeats', '2'], {
      folder: 'else/where',
    });
    [before = '', after = ''] = project.runs();
  });
  afterAll(() => project.remove());

  test('are compared for people', async () => {
    const { stdout, stderr, exitCode } = await project.cli('compare', before, after);
    // Two repeats prove nothing: it says so.
    expect(exitCode).toBe(0);
    expect(stderr).toBe('');
    expect(withoutNoise(stdout)).toMatchInlineSnapshot(`
      "3 new failures, 2 fixes among 11 paired attempts; the difference of -9.1 points (95% interval -44.5 to 28.9) could be chance (p = 1); about 59 more repeats per test would settle it.
      For tests like these, counting each of the 6 tests once: the difference of -8.3 points (95% interval -59.9 to 43.3) could be chance (p = 1).

      before  <run>  10 of 12 passed  <agent>
      after   <run>  8 of 11 passed  <agent>

      New failures (1 test)
        ✗ evals/all.eval.json:4 berlin  2/2 → 0/2 passed, score 1 → 0 (p = 0.667)

      Fixes (1 test)
        ✓ evals/all.eval.json:18 oslo  1/2 → 2/2 passed, score 0.50 → 1 (p = 1)

      Flips (1 test)
        ~ evals/all.eval.json:46 rome  1/2 → 1/2 passed, score 0.50 → 0.50 (p = 1)

      Scores (1 test)
        · evals/all.eval.json:32 paris  2/2 → 2/2 passed, score 1 → 0.50

      Mean score       0.818 → 0.636, difference -0.182 (95% interval -0.768 to 0.404), could be chance (p = 0.75)
      Cost             $2.75 → $2.75
      Tokens           1,210 → 1,210
      Latency, median  <time> → <time>
      Latency, p95     <time> → <time>

      With so few attempts, no drop of the overall pass rate would be detected 8 times out of 10.
      No single test could show a drop on its own, not even from always passing to never passing: that takes 5 repeats in both runs.
      1 test ran once on one side: a change from passed to failed is a regression, even if it may be chance. With 5 repeats in both runs, a change of a single test can be told from chance.
      1 attempt could not be measured in one of the two runs.
      Tested by an exact test over all measured attempts, by test; Fisher's exact test for each test with repeats, corrected for all of them; paired permutation of 6 tests.
      "
    `);
  });

  test('as JSON, paired although they were started in different folders', async () => {
    const comparison = await project.comparison(before, after);
    expect(comparison).toMatchObject({
      unit: 'attempt',
      pairs: 11,
      tests: { compared: 6, new_failures: 1, fixes: 1, flips: 1, scores: 1 },
      only_before: [],
      only_after: [],
      verdicts: { new_failures: 3, fixes: 2 },
      regression: { rule: 'regression', found: false, whole: false, tests: [] },
      detectable: { power: 0.8, single_tests: 1, repeats_for_a_test: 5 },
    });
    expect(comparison.changes.map((change) => [change.test, change.kind])).toEqual([
      ['berlin', 'new_failure'],
      ['oslo', 'fix'],
      ['rome', 'flip'],
      ['paris', 'score'],
    ]);
    expect(comparison.changes[0]).toMatchObject({ file: 'evals/all.eval.json', line: 4 });
    expect(comparison.cost_usd).toEqual({ before: 2.75, after: 2.75, pairs: 11 });
    expect(comparison.tokens).toEqual({ before: 1210, after: 1210, pairs: 11 });
  });

  test('as Markdown', async () => {
    const { stdout } = await project.cli('compare', before, after, '--markdown');
    expect(stdout).toMatch(/^\*\*3 new failures, 2 fixes among 11 paired attempts; /);
    expect(stdout).toMatch(
      /^\| new failure \| `berlin` \| `.*agent\.mjs` \| `evals\/all\.eval\.json:4` \| 2\/2 → 0\/2 passed, /m,
    );
    expect(stdout).toContain('| Cost | $2.75 → $2.75 |');
    expect(stdout).toContain('No single test could show a drop on its own');
  });

  test.each([
    [[], 0],
    [['--fail-on', 'regression'], 0],
    [['--fail-on', 'significant'], 0],
    [['--fail-on', 'significant', '--alpha', '0.9'], 1],
    [['--fail-on', 'new-failure'], 1],
    [['--fail-on', 'any'], 1],
  ] as const)('%j ends with %d', async (args, exitCode) => {
    expect(await project.cli('compare', before, after, ...args)).toMatchObject({ exitCode });
  });

  test('a run can be named by prefix, by folder and as latest', async () => {
    const folder = join('.assay', 'runs', after);
    for (const [one, other] of [
      [after, folder],
      [folder, after.slice(0, -3)],
      ['latest', 'latest'],
    ] as const) {
      const { stdout, exitCode } = await project.cli('compare', one, other);
      expect(exitCode).toBe(0);
      expect(stdout).toContain(
        'No verdict changed among 11 paired attempts; the pass rates could still differ (',
      );
    }
    expect((await project.comparison(before)).after.run_id).toBe(after);
  });

  test('swapping the runs swaps fixes and failures', async () => {
    const { verdicts, tests } = await project.comparison(after, before);
    expect(verdicts).toMatchObject({ new_failures: 2, fixes: 3 });
    expect(tests).toMatchObject({ new_failures: 1, fixes: 1 });
  });

  test.each([
    [['compare'], /takes two runs/],
    [['compare', 'a', 'b', 'c'], /takes two runs/],
    [['compare', 'nope', 'latest'], /there is no run or baseline file "nope"\n {2}hint: /],
    [['compare', 'latest', ''], /there is no run/],
    [['compare', 'package.json', 'latest'], /package\.json cannot be read as a baseline: .*`assay_baseline`/],
    [
      ['compare', 'latest', '--fail-on', 'worse'],
      /takes regression, significant, new-failure or any, not "worse"/,
    ],
    [['compare', 'latest', '--alpha', '5'], /between 0 and 1, not "5"/],
    [['compare', 'latest', '--json', '--markdown'], /cannot be used together/],
    [['run', '--fail-on', 'any'], /needs a --baseline/],
  ] as const)('%j is wrong usage', async (args, said) => {
    const { stderr, stdout, exitCode } = await project.cli(...args);
    expect(stderr).toMatch(said);
    expect(stdout).toBe('');
    expect(exitCode).toBe(2);
  });
});

describe('a regression', () => {
  const ten = 'P'.repeat(10);

  test('is one test that is proven worse even if others got better, in a run and in a baseline file', async () => {
    const project = new CompareProject(['a', 'b', 'c']);
    await project.run({ b: 'FPFPFPFPFP' }, ['--repeats', '10']);
    await project.cli('baseline', 'update');
    const args = ['--repeats', '10', '--min-pass-rate', '0.1'];
    const compared = await project.run({ a: 'FFFFFFFFFF' }, [...args, '--baseline', 'assay-baseline.json']);
    expect(compared.exitCode).toBe(1);
    expect(compared.stdout).toContain(
      'Regression: 1 test passes less often, by more than chance explains (alpha 0.05).',
    );
    const [before = ''] = project.runs();
    for (const rule of ['regression', 'significant', 'new-failure', 'any'])
      expect(await project.cli('compare', before, 'latest', '--fail-on', rule)).toMatchObject({
        exitCode: 1,
      });
    expect((await project.comparison(before)).regression).toEqual({
      rule: 'regression',
      found: true,
      whole: false,
      tests: [{ id: expect.stringMatching(/::a::/) as string, because: 'drop' }],
    });
    // The same agent again, with other luck: not one.
    const lucky = { a: ten, b: 'PPPPPFFFFP', c: 'PPPPPPPPPF' };
    const equal = await project.run(lucky, [...args, '--baseline', 'assay-baseline.json']);
    expect(equal.exitCode).toBe(0);
    expect(equal.stdout).toMatch(
      /The smallest drop of the overall pass rate that would be detected .*: [\d.]+ points\./,
    );
    expect(equal.stdout).toMatch(
      /For a single test that always passed: [\d.]+ points; from 10\/10 to \d\/10 is/,
    );
    project.remove();
  });

  test('is a test with one attempt on each side that now fails; other tests need proof', async () => {
    const project = new CompareProject(['once', 'often'], {
      'evals/often.eval.yaml':
        'repeats: 6\nevalcases: [{ id: six, input: six, evaluators: [{ type: contains, value: "no" }] }]\n',
    });
    await project.run({});
    await project.run({ six: 'FPPPPP' });
    await project.run({ six: 'FPPPPP', once: 'F' });
    const [first = '', second = ''] = project.runs();
    expect(await project.cli('compare', first, second)).toMatchObject({ exitCode: 0 });
    const { stdout, exitCode } = await project.cli('compare', first, 'latest');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('Regression: 1 test went from passed to failed.');
    expect(stdout).toContain(
      '2 tests ran once on one side: a change from passed to failed is a regression, even',
    );
    project.remove();
  });
});

test('a suite named by its whole path is the same suite, here and in a copy of the run', async () => {
  const project = new CompareProject(['a']);
  await project.run({});
  const evals = join(project.path, 'evals');
  await project.cli('run', evals, '--agent', join(project.path, 'agent.mjs'));
  cpSync(join(project.path, '.assay', 'runs', project.runs()[1]!), join(project.path, 'copy'), {
    recursive: true,
  });
  expect((await project.comparison(project.runs()[0]!, 'latest')).pairs).toBe(1);
  expect((await project.comparison('copy', project.runs()[0]!)).pairs).toBe(1);
  expect(await project.cli('grade')).toMatchObject({ exitCode: 0 });
  project.remove();
});

describe('what cannot be compared', () => {
  let project: CompareProject;
  beforeAll(() => {
    project = new CompareProject(['a', 'b']);
  });
  afterAll(() => project.remove());

  test('is not green: no common tests, nothing measured, or only errors now', async () => {
    await project.run({}, ['-t', 'a']);
    await project.run({}, ['-t', 'b']);
    const apart = await project.cli('compare', project.runs()[0]!, 'latest');
    expect(apart.exitCode).toBe(3);
    expect(apart.stdout).toContain('Nothing could be compared: no attempt was measured in both.');
    expect(apart.stdout).toContain('1 attempt is only in the first.');

    await project.run({ a: 'E', b: 'E' });
    const errors = await project.cli('compare', 'latest', 'latest');
    expect(errors.exitCode).toBe(3);

    await project.run({});
    const all = project.runs().at(-1)!;
    await project.run({ b: 'E' });
    const lost = await project.cli('compare', all, 'latest');
    expect(lost.exitCode).toBe(3);
    expect(lost.stdout).toMatch(/No result now \(1 test\)\n {2}! evals\/all\.eval\.json::b::/);
    expect(lost.stdout).toContain(
      'Inconclusive: 1 test could be measured before and had no result now (errors, skipped or gone).',
    );
  });

  test('a run that did not end is reported', async () => {
    await project.run({});
    const run = join(project.path, '.assay', 'runs', project.runs().at(-1)!);
    rmSync(join(run, 'summary.json'));
    const { stderr, exitCode } = await project.cli('compare', 'latest', 'latest');
    expect(stderr).toMatch(/the run \S+ did not end; only its recorded attempts are compared/);
    expect(exitCode).toBe(3);
  });

  test('a journal of another version gives exit code 2', async () => {
    await project.run({});
    const journal = join(project.path, '.assay', 'runs', project.runs().at(-1)!, 'results.jsonl');
    writeFileSync(journal, '{"assay_journal":9,"run_id":"x"}\n');
    const { stderr, exitCode } = await project.cli('compare', 'latest', 'latest');
    expect(stderr).toContain('journal of version 9');
    expect(exitCode).toBe(2);
  });
});

test('test names stay text in the terminal and in Markdown', async () => {
  const hostile = '::error::x\u001b[2J|`a``b`<img src=x>\n**@admin** \u202e';
  const project = new CompareProject([hostile, 'other']);
  await project.run({});
  await project.run({ [hostile]: 'F' });
  const [before = ''] = project.runs();
  const terminal = await project.cli('compare', before, 'latest');
  const markdown = await project.cli('compare', before, 'latest', '--markdown');
  project.remove();
  for (const { stdout } of [terminal, markdown]) {
    expect(stdout).not.toContain('\u001b');
    expect(stdout).not.toContain('\u202e');
    expect(stdout).not.toMatch(/^(?:::|\*\*@)/m);
  }
  const row = markdown.stdout.split('\n').find((line) => line.startsWith('| new failure'))!;
  // In a fence of three, as the name holds two; its bar does not end the cell.
  expect(row).toMatch(/\| ``` .*\\\|`a``b`<img src=x>\\n\*\*@admin\*\* .* ``` \| /);
  expect(row.replaceAll('\\|', '').split('|')).toHaveLength(7);
});
