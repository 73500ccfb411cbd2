import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { listTests } from '../../src/api/list/list-tests.ts';
import { mergeRuns } from '../../src/api/shards/merge.ts';
import { run } from '../../src/api/run/run.ts';
import { resumeOptions } from '../../src/api/resume/resume-options.ts';
import type { RunOptions, RunResult } from '../../src/api/basics/run-options.ts';
import { RunDirectory } from '../../src/runs/journal/run-directory.ts';
import type { AgentFunction } from '../../src/agents/function-agent.ts';
import { createTempFolder } from '../formats/temp-folder.ts';

const home = process.cwd();
let folder: string;
beforeEach(() => {
  folder = createTempFolder({ 'package.json': '{}' });
  process.chdir(folder);
});
afterAll(() => process.chdir(home));

const echo: AgentFunction = (input) => ({ output: `you said ${input}` });

/** `passes, fails` are tests that pass or fail by their names. */
function suite(...names: readonly string[]): string {
  return names
    .map(
      (name) =>
        `- id: ${name}\n  input: hi\n  assert: { output.includes: ${name.startsWith('fail') ? 'never' : 'hi'} }\n`,
    )
    .join('');
}

async function runHere(text: string, options: RunOptions = {}): Promise<RunResult> {
  writeFileSync('a.test.yaml', text);
  return run({ paths: ['a.test.yaml'], agent: echo, record: false, workers: 1, ...options });
}

const verdicts = ({ records }: RunResult) => records.map((record) => `${record.test} ${record.verdict}`);

describe('one test', () => {
  const STEPS = `- id: books
  description: Two steps
  tags: [smoke]
  memory: { user: Ann }
  steps:
    - input: one
      assert: { output.includes: one, memory.seen: 1 }
    - input: two
      assert: { output.equals: nothing, tools_used: [search] }
`;
  const agent: AgentFunction = (input, memory) => ({
    output: `said ${input}`,
    tools_used: ['search'],
    memory: { ...(memory as object), seen: 1 },
    token_usage: { input: 10, output: 2 },
    cost_usd: 0.25,
  });

  test('runs step by step, and its record has the result of each', async () => {
    const { records, summary, exit_code } = await runHere(STEPS, { agent });
    expect(exit_code).toBe(1);
    expect(records).toMatchObject([
      {
        id: 'a.test.yaml::books::agent::1',
        file: 'a.test.yaml',
        line: 1,
        column: 3,
        test: 'books',
        description: 'Two steps',
        tags: ['smoke'],
        target: 'agent',
        repeat: 1,
        verdict: 'failed',
        // The first step holds whole, the second by half.
        score: 0.75,
        retries: 0,
        cost_usd: 0.5,
        token_usage: { input: 20, output: 4 },
        steps: [
          {
            line: 6,
            input: 'one',
            output: 'said one',
            tools_used: ['search'],
            memory_before: { user: 'Ann' },
            memory: { user: 'Ann', seen: 1 },
            assertions: [
              { name: 'output.includes', passed: true, score: 1, line: 7 },
              { name: 'memory.seen', passed: true },
            ],
          },
          {
            line: 8,
            memory_before: { user: 'Ann', seen: 1 },
            assertions: [
              { name: 'output.equals', passed: false, score: 0 },
              { name: 'tools_used', passed: true },
            ],
          },
        ],
      },
    ]);
    expect(records[0]!.started_at).toMatch(/^20\d\d-.*Z$/);
    expect(summary).toMatchObject({ tests: 1, failed: 1, cost_usd: 0.5, attempts_without_cost: 0 });
  });

  test('with a failing agent is an error, and later steps are not sent', async () => {
    const failing: AgentFunction = () => {
      throw new Error('no idea');
    };
    const { records, exit_code, summary } = await runHere(STEPS, { agent: failing });
    expect(exit_code).toBe(3);
    expect(records).toMatchObject([
      { verdict: 'error', error: { kind: 'agent', message: expect.stringContaining('no idea') as string } },
    ]);
    expect(records[0]!.steps).toHaveLength(1);
    expect(records[0]!.cost_usd).toBeUndefined();
    expect(summary).toMatchObject({ error: 1, errors: { agent: 1 } });
  });

  test('with an agent that is too slow is an error', async () => {
    const { records, exit_code } = await runHere(suite('waits'), {
      agent: () => new Promise(() => {}),
      timeoutMs: 30,
    });
    expect(exit_code).toBe(3);
    expect(records).toMatchObject([
      { verdict: 'error', error: { kind: 'timeout', message: expect.stringContaining('0.03 s') as string } },
    ]);
  });

  test('with an agent that breaks the contract is an error', async () => {
    const { records } = await runHere(suite('odd'), { agent: () => ({ output: 7 }) as never });
    expect(records).toMatchObject([{ verdict: 'error', error: { kind: 'contract' } }]);
  });

  test("is judged by its own threshold, else by the run's", async () => {
    const half = (threshold: string): string =>
      `evalcases:\n  - id: t\n    input: hi\n${threshold}    evaluators:\n      - { type: contains, value: hi }\n      - { type: contains, value: never }\n`;
    const verdictOf = async (text: string, options: RunOptions = {}) => {
      writeFileSync('a.eval.yaml', text);
      const { records } = await run({ paths: ['a.eval.yaml'], agent: echo, record: false, ...options });
      return [records[0]!.verdict, records[0]!.score];
    };
    expect(await verdictOf(half(''))).toEqual(['failed', 0.5]);
    expect(await verdictOf(half(''), { threshold: 0.5 })).toEqual(['passed', 0.5]);
    expect(await verdictOf(half('    threshold: 0.4\n'), { threshold: 0.9 })).toEqual(['passed', 0.5]);
  });

  test('is an error with --strict for what is otherwise a warning', async () => {
    const memory = '- id: t\n  memory: { a: 1 }\n  input: hi\n  assert: { output.includes: hi }\n';
    const mild = await runHere(memory);
    expect(mild).toMatchObject({
      exit_code: 0,
      findings: [{ code: 'no_memory', severity: 'warning', path: 'steps[0]' }],
    });
    const hard = await runHere(memory, { strict: true });
    expect(hard).toMatchObject({
      exit_code: 3,
      records: [
        {
          verdict: 'error',
          error: { kind: 'contract', message: expect.stringContaining('no_memory') as string },
        },
      ],
    });
  });
});

describe('a run', () => {
  test('stops after the given number of tests did not pass', async () => {
    const result = await runHere(suite('fails1', 'passes', 'fails2', 'last'), { bail: 2 });
    expect(verdicts(result)).toEqual(['fails1 failed', 'passes passed', 'fails2 failed']);
    expect(result.summary).toMatchObject({ tests: 3, not_started: 1 });
    expect(result.exit_code).toBe(1);
  });

  test('stops when its budget is spent', async () => {
    const agent: AgentFunction = (input) => ({ output: input, cost_usd: 0.4 });
    const result = await runHere(suite('a', 'b', 'c', 'd'), { agent, maxCost: 0.8 });
    expect(result.summary).toMatchObject({
      passed: 2,
      not_started: 2,
      cost_usd: 0.8,
      gates: [{ gate: 'max_cost', outcome: 'undecided' }],
    });
    expect(result.exit_code).toBe(3);
  });

  test("reports once that an agent's cost is unknown", async () => {
    const { findings } = await runHere(suite('a', 'b'), { maxCost: 1 });
    expect(findings.map(({ code }) => code)).toEqual(['cost_unknown']);
  });

  test('that is interrupted does not record unfinished attempts', async () => {
    const controller = new AbortController();
    const agent: AgentFunction = async (input) => {
      controller.abort();
      return { output: input };
    };
    const result = await runHere(suite('a', 'b', 'c'), { agent, signal: controller.signal });
    expect(result).toMatchObject({
      exit_code: 130,
      records: [],
      summary: { interrupted: true, not_started: 2 },
    });
  });

  test('repeats tests as often as requested, as they say, or once', async () => {
    const text = `${suite('a')}  repeats: 2\n${suite('b')}`;
    const counts = async (options: RunOptions = {}) => {
      const { summary, tests } = await runHere(text, options);
      return [summary.tests, summary.attempts, tests.map((each) => each.attempts)];
    };
    expect(await counts()).toEqual([2, 3, [2]]);
    expect(await counts({ repeats: 3 })).toEqual([2, 6, [3, 3]]);
  });

  test('repeats a test until its gate is decided', async () => {
    const result = await runHere(suite('sure'), { repeats: 'auto', minPassRate: 0.5 });
    expect(result.tests).toMatchObject([{ gate: { outcome: 'held', pass_at_least: 0.5 } }]);
    expect(result.summary.attempts).toBeLessThan(20);
    expect(result.summary.saved_attempts).toBe(50 - result.summary.attempts);
    expect(result.exit_code).toBe(0);
  });

  test('skips tests marked `skip`, and runs only those marked `only`', async () => {
    const skipped = await runHere(`${suite('a')}  skip: not now\n${suite('b')}`);
    expect(verdicts(skipped)).toEqual(['a skipped', 'b passed']);
    expect(skipped.records[0]).toMatchObject({ skip_reason: 'not now', steps: [], duration_ms: 0 });
    const only = await runHere(`${suite('a')}${suite('b')}  only: true\n`);
    expect(verdicts(only)).toEqual(['b passed']);
    expect(only.summary.selection).toMatchObject({
      tests_in_files: 2,
      selected: 1,
      left_out: { only: 1, filters: 0 },
    });
    const all = await runHere(`${suite('a')}  skip: true\n`);
    expect(all).toMatchObject({ exit_code: 2, findings: [{ code: 'no_tests' }] });
  });

  test('of selected tests reports what it leaves out', async () => {
    const grepped = await runHere(suite('ab', 'b', 'c'), { grep: 'b' });
    expect(verdicts(grepped)).toEqual(['ab passed', 'b passed']);
    expect(grepped.summary.selection).toMatchObject({
      tests_in_files: 3,
      selected: 2,
      left_out: { filters: 1 },
    });
    const line = await runHere(suite('a', 'b', 'c'), { paths: ['a.test.yaml:5'] });
    expect(verdicts(line)).toEqual(['b passed']);
    expect((await runHere(suite('a'))).summary.selection).toBeUndefined();
  });

  test('without a test is not green, unless that is allowed', async () => {
    expect(await runHere(suite('a'), { grep: 'zzz' })).toMatchObject({
      exit_code: 2,
      findings: [{ code: 'no_tests' }],
    });
    expect(await runHere(suite('a'), { grep: 'zzz', passWithNoTests: true })).toMatchObject({ exit_code: 0 });
  });

  test('has gates that decide its exit code', async () => {
    const half = suite('a', 'fails');
    expect(await runHere(half, { minPassRate: 0.5 })).toMatchObject({
      exit_code: 0,
      summary: { gates: [{ outcome: 'held' }] },
    });
    expect(await runHere(half, { minPassRate: 0.6 })).toMatchObject({
      exit_code: 1,
      summary: { gates: [{ outcome: 'broken' }] },
    });
    expect(await runHere(half, { maxFlaky: 0 })).toMatchObject({
      exit_code: 1,
      summary: { gates: [{ outcome: 'undecided' }] },
    });
  });

  test('runs as many attempts at once as it has workers', async () => {
    let underWay = 0;
    let most = 0;
    const agent: AgentFunction = async (input) => {
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setTimeout(resolve, 5));
      underWay--;
      return { output: input };
    };
    await runHere(suite('a', 'b', 'c', 'd', 'e', 'f'), { agent, workers: 3 });
    expect(most).toBe(3);
  });
});

describe('a recorded run', () => {
  const AGENT = `export const agent = (input) => ({ output: input });\n`;
  const recorded = (text: string, options: RunOptions = {}) => {
    writeFileSync('agent.mjs', AGENT);
    return runHere(text, { agent: './agent.mjs', record: true, ...options });
  };
  const runs = () => readdirSync('.assay/runs').sort();

  test('has a description and continues where it stopped', async () => {
    const first = await recorded(suite('fails1', 'b', 'c'), { bail: 1, threshold: 0.7 });
    expect(first).toMatchObject({ exit_code: 1, summary: { not_started: 2 } });
    const described = JSON.parse(
      readFileSync(join('.assay/runs', first.run_id, 'run.json'), 'utf8'),
    ) as object;
    expect(described).toMatchObject({
      run_id: first.run_id,
      sequence: 1,
      cwd: '',
      files: [{ file: 'a.test.yaml', planned: 3, hash: expect.stringMatching(/^[0-9a-f]+$/) as string }],
      options: { bail: 1, threshold: 0.7, agent: './agent.mjs' },
      targets: [{ name: './agent.mjs' }],
    });
    const second = await recorded(suite('fails1', 'b', 'c'), { resume: true });
    expect(second).toMatchObject({
      run_id: first.run_id,
      summary: { tests: 3, passed: 2, failed: 1, not_started: 0 },
    });
    expect(runs()).toEqual([first.run_id]);
    const changed = await recorded(suite('fails1', 'b', 'c').replace('never', 'hi'), {
      resume: true,
      threshold: 0.7,
    });
    expect(changed).toMatchObject({ run_id: first.run_id, exit_code: 0, summary: { passed: 3 } });
  });

  test('with adaptive repeats keeps them on resume, unless told otherwise', async () => {
    const auto = {
      repeats: 'auto',
      maxRepeats: 30,
      confidence: 0.9,
      minPassRate: 0.6,
      maxFlaky: 1,
      minCoverage: 0.5,
    } as const;
    const first = await recorded(suite('a'), auto);
    const directory = new RunDirectory(join(folder, '.assay', 'runs', first.run_id));
    expect(resumeOptions({}, directory)).toMatchObject(auto);
    expect(resumeOptions({ repeats: 3, strict: true }, directory)).toMatchObject({
      repeats: 3,
      maxRepeats: undefined,
      confidence: undefined,
      minPassRate: 0.6,
      strict: true,
    });
    expect(resumeOptions({ maxRepeats: 9, threshold: 0.1, minPassRate: 0 }, directory)).toMatchObject({
      maxRepeats: 9,
      threshold: 0.1,
      minPassRate: 0,
    });
    expect(resumeOptions({ threshold: 0.1 }, undefined)).toEqual({ threshold: 0.1 });
  });

  test('is new, with a message, if there is nothing to resume', async () => {
    const result = await recorded(suite('a'), { resume: true });
    expect(result).toMatchObject({
      exit_code: 0,
      findings: [{ code: 'nothing_to_resume', severity: 'warning' }],
    });
  });

  test('knows which tests failed last', async () => {
    await recorded(suite('a', 'fails', 'c'));
    const again = await recorded(suite('a', 'fails', 'c'), { lastFailed: true });
    expect(verdicts(again)).toEqual(['fails failed']);
    expect(again.summary.selection).toMatchObject({
      selected: 1,
      left_out: { passed: 2 },
      last_failed: { failed: 1, error: 0, undecided: 0, changed: 0, unskipped: 0, never_run: 0, skipped: 0 },
    });
    const other = await recorded(
      suite('a', 'c', 'd').replace('{ output.includes: hi }', '{ output.includes: h }'),
      { lastFailed: true },
    );
    expect(verdicts(other)).toEqual(['a passed', 'd passed']);
    expect(other.summary.selection).toMatchObject({ last_failed: { failed: 0, never_run: 1, changed: 1 } });
    const listed = await listTests(
      { paths: ['a.test.yaml'], agent: './agent.mjs', lastFailed: true },
      async () => {},
    );
    expect(listed).toMatchObject({
      count: 0,
      isAllPassed: true,
      selection: { left_out: { filters: 0, only: 0, passed: 3 } },
    });
    const none = await recorded(suite('c'), { lastFailed: true });
    expect(none).toMatchObject({
      exit_code: 0,
      records: [],
      findings: [{ code: 'nothing_failed', severity: 'warning' }],
    });
  });

  test('is compared with the previous one', async () => {
    const before = await recorded(suite('a', 'b'));
    const same = await recorded(suite('a', 'b'), { baseline: before.run_id });
    expect(same).toMatchObject({
      exit_code: 0,
      comparison: { tests: { compared: 2, new_failures: 0 }, regression: { found: false } },
    });
    const worse = await recorded(suite('a', 'b').replace('hi }\n- id: b', 'never }\n- id: b'), {
      baseline: before.run_id,
    });
    expect(worse).toMatchObject({
      exit_code: 1,
      comparison: { tests: { new_failures: 1, edited: 1 }, regression: { found: true } },
    });
  });

  test('in shards gives the same as a single run', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `t${index}`);
    const parts: RunResult[] = [];
    for (const index of [1, 2, 3])
      parts.push(await recorded(suite(...names), { shard: { index, total: 3 } }));
    expect(parts.flatMap(({ records }) => records.map((record) => record.test)).toSorted()).toEqual(
      names.toSorted(),
    );
    const whole = parts.map(({ run_id }) => new RunDirectory(join(folder, '.assay', 'runs', run_id)));
    const merged = await mergeRuns({ runs: whole, projectRoot: folder });
    expect(merged).toMatchObject({ exit_code: 0, summary: { tests: 12, passed: 12, not_started: 0 } });
  });
});
