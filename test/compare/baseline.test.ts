import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { afterEach, describe, expect, test } from 'vitest';
import { parseBaseline } from '../../src/runs/compare/baseline-text.ts';
import type { Baseline } from '../../src/base/model/baseline.ts';
import { RunDirectory, type RunEnding } from '../../src/runs/journal/run-directory.ts';
import type { Comparison } from '../../src/base/model/comparison.ts';
import { factsOf, runRow } from '../../src/show/view/run-row.ts';
import { CompareProject } from './runs.ts';

const projects: CompareProject[] = [];
afterEach(() => {
  for (const project of projects.splice(0)) project.remove();
});
function create(tests: readonly string[]): CompareProject {
  const project = new CompareProject(tests);
  projects.push(project);
  return project;
}
const textOf = (project: CompareProject, file = 'assay-baseline.json'): string =>
  readFileSync(join(project.path, file), 'utf8');
const schema = JSON.parse(
  readFileSync(new URL('../../schema/baseline.schema.json', import.meta.url), 'utf8'),
) as object;

describe('assay baseline update', () => {
  test('writes a line for each test, sorted, in the published format', async () => {
    const project = create(['b', 'a', 'c']);
    await project.run({ b: 'PFP', c: 'EEE' }, ['--repeats', '3', '--workers', '3']);
    const { stdout, exitCode } = await project.cli('baseline', 'update');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^assay-baseline\.json: 3 tests: 3 new \(run \S+\)\n1 failed in this run: later runs may fail them too\n1 could not be measured/,
    );
    const text = textOf(project);
    const baseline = JSON.parse(text) as Baseline;
    expect(new Ajv({ strict: false }).validate(schema, baseline)).toBe(true);
    const lines = text.split('\n').filter((line) => line.startsWith('    {'));
    expect(lines).toHaveLength(3);
    expect(baseline.tests).toMatchObject([
      {
        file: 'evals/all.eval.json',
        test: 'a',
        verdict: 'passed',
        passed: 3,
        measured: 3,
        score: 1,
        cost_usd: 0.25,
      },
      { test: 'b', verdict: 'failed', passed: 2, measured: 3, score: 0.666667 },
      { test: 'c', verdict: 'error', passed: 0, measured: 0 },
    ]);
    expect(baseline.tests[2]).not.toHaveProperty('score');
  });

  test('reports what is new, changed and gone, and the same run gives the same file', async () => {
    const project = create(['a', 'b', 'c']);
    await project.run({}, ['-t', '[ab]']);
    await project.cli('baseline', 'update', '--file', 'evals/base.json');
    const first = textOf(project, 'evals/base.json');
    const again = await project.cli('baseline', 'update', project.runs()[0]!, '--file', 'evals/base.json');
    expect(textOf(project, 'evals/base.json')).toBe(first);
    expect(again.stdout).toContain('2 tests, no changed results');
    await project.run({ b: 'F' }, ['-t', '[bc]']);
    const { stdout } = await project.cli('baseline', 'update', '--file', 'evals/base.json');
    expect(stdout).toContain('2 tests: 1 new, 1 changed, 1 removed (not in this run)');
  });

  test('does not overwrite other files, and refuses an incomplete run', async () => {
    const project = create(['a']);
    expect(await project.cli('baseline', 'update')).toMatchObject({ exitCode: 2 });
    await project.run({});
    const foreign = await project.cli('baseline', 'update', '--file', 'package.json');
    expect(foreign.exitCode).toBe(2);
    expect(foreign.stderr).toContain('package.json exists and is not a baseline');
    expect(textOf(project, 'package.json')).toBe('{}');
    const nowhere = await project.cli('baseline', 'update', '--file', 'no/such/folder.json');
    expect(nowhere).toMatchObject({ exitCode: 2 });
    expect(nowhere.stderr).toContain('cannot be written');
    expect(await project.cli('baseline', 'upgrade')).toMatchObject({ exitCode: 2 });
    rmSync(join(project.path, '.assay', 'runs', project.runs()[0]!, 'summary.json'));
    const half = await project.cli('baseline', 'update');
    expect(half.exitCode).toBe(2);
    expect(half.stderr).toMatch(/did not end.*\n {2}hint: .*--resume/);
    expect(existsSync(join(project.path, 'assay-baseline.json'))).toBe(false);
  });
});

describe('assay run --baseline', () => {
  test('exits with 1 if a test that passed now fails, whatever the run alone would give', async () => {
    const project = create(['a', 'b']);
    await project.run({ b: 'F' });
    await project.cli('baseline', 'update');
    const better = await project.run({}, ['--baseline', 'assay-baseline.json']);
    expect(better.exitCode).toBe(0);
    const summary = JSON.parse(textOf(project, `.assay/runs/${project.runs()[1]}/summary.json`)) as RunEnding;
    expect(summary.baselines).toEqual([
      {
        baseline: 'assay-baseline.json',
        outcome: 'held',
        message: 'No regression in 2 tests: no new failures, 1 fixed.',
        new_failures: 0,
        fixed: 1,
      },
    ]);
    expect(better.stdout).toContain('1 fix among 2 paired tests; ');
    expect(better.stdout).toContain('Tests are paired, not attempts: a baseline file contains no attempts.');
    const worse = await project.run({ a: 'F', b: 'F' }, ['--baseline', 'assay-baseline.json']);
    expect(worse.exitCode).toBe(1);
    expect(worse.stdout).toMatch(
      /Tests {2}2 failed[\s\S]*1 new failure among 2 paired tests[\s\S]*Regression: /,
    );
  });

  test('compares with the previous run, and the journal has the final exit code', async () => {
    const project = create(['a', 'b']);
    await project.run({}, ['--repeats', '2']);
    // No test fails alone: `b` only scores lower.
    const args = ['--repeats', '2', '--baseline', 'latest', '--fail-on', 'any', '--reporter', 'json'];
    const { stdout, exitCode } = await project.run({ b: 'HH' }, args);
    expect(exitCode).toBe(1);
    const report = JSON.parse(stdout) as { run_id: string; exit_code: number; comparison: Comparison };
    const [first, second] = project.runs();
    expect(report.exit_code).toBe(1);
    expect(report.comparison).toMatchObject({
      unit: 'attempt',
      pairs: 4,
      before: { run_id: first },
      after: { run_id: second },
      changes: [{ test: 'b', kind: 'score' }],
      regression: { rule: 'any', found: true },
    });
    const ending = JSON.parse(textOf(project, `.assay/runs/${second}/summary.json`)) as RunEnding;
    expect(ending.exit_code).toBe(1);
    const baselines = [
      {
        baseline: first,
        outcome: 'broken',
        message: 'Regression: 1 test got worse in attempts or score.',
        new_failures: 0,
        fixed: 0,
      },
    ];
    expect(ending.baselines).toEqual(baselines);
    expect(report).toMatchObject({ baselines });
    const directory = new RunDirectory(join(project.path, '.assay/runs', second!));
    expect(runRow(factsOf(directory), undefined)).toMatchObject({ baselines });
    // Runs of older versions have none.
    directory.end({ ...ending, baselines: undefined });
    const old = runRow(factsOf(directory), undefined);
    expect(old).toMatchObject({ exit_code: 1, baselines: undefined });
  });

  test('works without a record, and from another folder', async () => {
    const project = create(['a']);
    await project.run({});
    await project.cli('baseline', 'update');
    const { exitCode, stdout } = await project.run(
      { a: 'F' },
      ['--baseline', '../assay-baseline.json', '--no-record'],
      { folder: 'sub' },
    );
    expect(stdout).toContain('1 new failure among 1 paired test;');
    expect(exitCode).toBe(1);
  });

  test('a baseline that shares no test is not green', async () => {
    const project = create(['a', 'b']);
    await project.run({}, ['-t', 'a']);
    await project.cli('baseline', 'update');
    const { exitCode, stdout } = await project.run({}, ['-t', 'b', '--baseline', 'assay-baseline.json']);
    expect(stdout).toContain('Nothing could be compared');
    expect(exitCode).toBe(3);
  });

  test('a test that is gone or skipped makes the comparison undecided, but not one that a filter left out', async () => {
    const project = create(['a', 'b', 'c']);
    const file = join(project.path, 'evals/all.eval.json');
    await project.run({});
    await project.cli('baseline', 'update');
    const compare = async (...more: string[]): Promise<number | null> =>
      (await project.run({}, ['--baseline', 'assay-baseline.json', ...more])).exitCode;
    expect(await compare()).toBe(0);
    expect(await compare('-t', 'a')).toBe(0);
    const suite = JSON.parse(readFileSync(file, 'utf8')) as { evalcases: object[] };
    writeFileSync(file, JSON.stringify({ ...suite, evalcases: suite.evalcases.slice(0, 2) }));
    expect(await compare()).toBe(3);
    const skipped = suite.evalcases.with(1, { ...suite.evalcases[1], skip: 'later' });
    writeFileSync(file, JSON.stringify({ ...suite, evalcases: skipped }));
    expect(await compare()).toBe(3);
  });

  test('a file of tests that is gone makes the comparison undecided, where the run would have found it', async () => {
    const cases = (id: string): string =>
      JSON.stringify({ evalcases: [{ id, input: id, evaluators: [{ type: 'contains', value: 'yes' }] }] });
    const project = new CompareProject(['a'], {
      'evals/deep/gone.eval.json': cases('gone'),
      'other/left.eval.json': cases('left'),
    });
    projects.push(project);
    const run = (...words: string[]) => project.cli('run', '--agent', 'agent.mjs', ...words);
    await run();
    await project.cli('baseline', 'update');
    rmSync(join(project.path, 'evals/deep'), { recursive: true });
    const compare = async (...words: string[]): Promise<number | null> =>
      (await run(...words, '--baseline', 'assay-baseline.json')).exitCode;
    // What would have run the file, by folder, part of the name, or as all there is.
    expect(await compare()).toBe(3);
    expect(await compare('evals')).toBe(3);
    expect(await compare('eval.json')).toBe(3);
    expect((await run('--baseline', 'assay-baseline.json')).stdout).toContain('evals/deep/gone.eval.json');
    // What would not.
    expect(await compare('other')).toBe(0);
    expect(await compare('evals/all.eval.json')).toBe(0);
    expect(await compare('-t', 'a')).toBe(0);
  });

  test('a missing baseline stops the run before it starts', async () => {
    const project = create(['a']);
    const { exitCode, stderr } = await project.run({}, ['--baseline', 'nope.json']);
    expect(stderr).toContain('there is no run or baseline file "nope.json"');
    expect(exitCode).toBe(2);
    expect(existsSync(join(project.path, '.assay', 'runs'))).toBe(false);
  });

  test('a run cannot be its own baseline when it is resumed', async () => {
    const project = create(['a']);
    await project.run({});
    const { exitCode, stderr, stdout } = await project.run({}, ['--resume', '--baseline', 'latest']);
    expect(stderr).toContain('own_baseline');
    expect(stdout).not.toContain('paired');
    expect(exitCode).toBe(2);
  });
});

describe('a baseline file', () => {
  const sample = { file: 'a', test: 't', target: 'x', verdict: 'passed', passed: 1, measured: 1 };
  const file = (changes: object): string =>
    JSON.stringify({ assay_baseline: 1, run_id: 'r', tests: [sample], ...changes });

  test.each([
    ['<<<<<<< HEAD', /not JSON/],
    ['[]', /`assay_baseline` is missing/],
    [file({ assay_baseline: 2 }), /version 2; this program reads version 1/],
    [file({ run_id: 5 }), /`run_id`/],
    [file({ tests: {} }), /must be a list/],
    [file({ tests: [null] }), /`tests\[0\]` must be an object/],
    [file({ tests: [{ ...sample, file: undefined }] }), /`file`/],
    [file({ tests: [{ ...sample, verdict: 'ok' }] }), /`verdict`/],
    [file({ tests: [{ ...sample, passed: 2 }] }), /not above/],
    [file({ tests: [{ ...sample, measured: 1.5 }] }), /integers/],
    [file({ tests: [{ ...sample, score: 2 }] }), /`score`/],
    [file({ tests: [{ ...sample, cost_usd: '1' }] }), /`cost_usd`/],
    [file({ tests: [sample, sample] }), /twice/],
  ])('%s is refused', (text, said) => {
    const read = parseBaseline(text) as { problem: string };
    expect(read.problem).toMatch(said);
  });

  test('that is damaged or of a newer version is reported, with exit 2', async () => {
    const project = create(['a']);
    await project.run({});
    mkdirSync(join(project.path, 'old'));
    writeFileSync(join(project.path, 'old', 'base.json'), file({ assay_baseline: 7 }));
    const { stderr, exitCode } = await project.cli('compare', 'old/base.json');
    expect(stderr).toContain('old/base.json cannot be read as a baseline: it is a baseline of version 7');
    expect(exitCode).toBe(2);
  });
});
