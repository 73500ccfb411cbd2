import { expect, test } from 'vitest';
import type { GateResult } from './gate.ts';
import { runHeadline, type HeadlineContext, type HeadlineRun } from './run-headline.ts';

type Counts = Partial<HeadlineRun['summary']>;

function run(counts: Counts, more: Partial<HeadlineRun> = {}): HeadlineRun {
  const { passed = 0, failed = 0, error = 0, skipped = 0 } = counts;
  const tests = passed + failed + error + skipped;
  const summary = {
    tests,
    attempts: tests,
    passed,
    failed,
    error,
    skipped,
    flaky: 0,
    duration_ms: 1,
  };
  return {
    state: 'ended',
    exit_code: failed > 0 ? 1 : error > 0 ? 3 : 0,
    targets: ['agent'],
    summary: { ...summary, interrupted: false, ...counts },
    ...more,
  };
}

function gate(more: Partial<GateResult> & Pick<GateResult, 'gate' | 'wanted' | 'outcome'>): GateResult {
  return { message: 'a sentence', ...more };
}

const RATE = { gate: 'min_pass_rate', wanted: 0.7 } as const;
const BASELINE = {
  baseline: 'main',
  message: 'a sentence',
  new_failures: 1,
  fixed: 0,
};
const SINCE = { when: 'yesterday', new_failures: 2, fixes: 0 };

const CASES: readonly (readonly [HeadlineRun, HeadlineContext, string, string])[] = [
  [run({ passed: 9 }), {}, 'passed', 'Passed: all 9 tests'],
  [run({ passed: 1 }), {}, 'passed', 'Passed: 1 test'],
  [
    run({ failed: 4, passed: 1 }),
    { reasons: { text: 'contains: expected "30 days", got "14"', tests: 3, count: 2 } },
    'failed',
    'Failed: 4 of 5 tests; mostly contains: expected "30 days", got "14"',
  ],
  [
    run({ failed: 1, passed: 1 }),
    { reasons: { text: 'expected 89, got 98', tests: 1, count: 1 } },
    'failed',
    'Failed: 1 of 2 tests; expected 89, got 98',
  ],
  [
    run({ failed: 4, passed: 1 }),
    { reasons: { text: 'expected 89, got 98', tests: 1, count: 4 } },
    'failed',
    'Failed: 4 of 5 tests; 4 different reasons',
  ],
  [
    run({ failed: 8 }, { state: 'broken_off', planned: 1000 }),
    {},
    'error',
    'Crashed: 8 of 1,000 attempts ran; 8 of 8 tests failed',
  ],
  [
    run({ failed: 2, passed: 1 }, { exit_code: 2, invalid: 'a.yaml:5:17 unknown evaluator `contain`' }),
    {},
    'error',
    'Incomplete: a.yaml:5:17 unknown evaluator `contain`; 2 of 3 tests failed',
  ],
  [
    run({ passed: 7, skipped: 2, flaky: 1 }),
    {},
    'passed',
    'Passed: all 7 tests that ran, 2 skipped, 1 flaky',
  ],
  [
    run({ passed: 9 }),
    { since: { when: 'Monday', new_failures: 0, fixes: 3 } },
    'passed',
    'Passed: all 9 tests, 3 fixed since Monday',
  ],
  [
    run({ passed: 4, failed: 5 }, { gates: [gate({ ...RATE, outcome: 'broken' })] }),
    { since: SINCE },
    'failed',
    'Failed: 5 of 9 tests, 2 new since yesterday; the gate of 70% failed',
  ],
  [
    run({ passed: 4, failed: 5, error: 1 }),
    { since: { ...SINCE, new_failures: 0, fixes: 1 } },
    'failed',
    'Failed: 5 of 10 tests, none new and 1 fixed since yesterday, 1 errored',
  ],
  [
    run({ passed: 7, failed: 2 }, { exit_code: 0, gates: [gate({ ...RATE, outcome: 'held' })] }),
    {},
    'passed',
    'Passed, although 2 of 9 tests failed; the gate of 70% passed',
  ],
  [
    run({ passed: 7, failed: 1, error: 1 }, { exit_code: 0, gates: [gate({ ...RATE, outcome: 'held' })] }),
    {},
    'passed',
    'Passed, although 1 of 9 tests failed, 1 errored; the gate of 70% passed',
  ],
  [
    run({ passed: 7, failed: 2 }, { exit_code: 0 }),
    {},
    'passed',
    'Passed, although 2 of 9 tests failed; no gate forbids it',
  ],
  [
    run(
      { passed: 3 },
      {
        exit_code: 1,
        gates: [gate({ gate: 'max_flaky', wanted: 0, outcome: 'broken' })],
      },
    ),
    {},
    'failed',
    'Failed: all 3 tests passed; the limit of 0 flaky tests failed',
  ],
  [
    run({ passed: 3 }, { exit_code: 1, baselines: [{ ...BASELINE, outcome: 'broken' }] }),
    {},
    'failed',
    'Failed: all 3 tests passed; worse than the baseline',
  ],
  [
    run(
      { passed: 20, failed: 7 },
      {
        targets: ['a', 'b', 'c'],
        gates: [
          gate({ ...RATE, target: 'a', outcome: 'held' }),
          gate({ ...RATE, target: 'b', outcome: 'broken' }),
          gate({ ...RATE, target: 'c', outcome: 'broken' }),
        ],
      },
    ),
    {},
    'failed',
    'Failed: 7 of 27 results; the gate of 70% failed for b and c',
  ],
  [
    run(
      { passed: 3, failed: 1 },
      {
        gates: [gate({ gate: 'pass_at_least', wanted: 4, outcome: 'broken' })],
      },
    ),
    {},
    'failed',
    'Failed: 1 of 4 tests',
  ],
  [run({ passed: 6, error: 3 }), {}, 'error', 'Inconclusive: 3 of 9 tests errored'],
  [
    run({ passed: 6, error: 3, undecided: 2 }, { gates: [gate({ ...RATE, outcome: 'undecided' })] }),
    {},
    'error',
    'Inconclusive: 1 of 9 tests errored, 2 inconclusive; the gate of 70% is inconclusive',
  ],
  [
    run(
      { passed: 6, not_started: 4 },
      {
        exit_code: 3,
        gates: [gate({ gate: 'max_cost', wanted: 2, outcome: 'undecided' })],
      },
    ),
    {},
    'error',
    'Inconclusive: all 6 tests passed; 4 attempts were not started; the budget of $2.00 is spent',
  ],
  [
    run({ passed: 6 }, { exit_code: 3, baselines: [{ ...BASELINE, outcome: 'undecided' }] }),
    {},
    'error',
    'Inconclusive: all 6 tests passed; the comparison with the baseline is inconclusive',
  ],
  [
    run({ failed: 1, passed: 1, not_started: 1, flaky: 1 }),
    {},
    'failed',
    'Failed: 1 of 2 tests, 1 flaky; 1 attempt was not started',
  ],
  [run({ failed: 1 }), {}, 'failed', 'Failed: 1 test'],
  [run({ error: 1 }), {}, 'error', 'Inconclusive: 1 test errored'],
  [run({ passed: 1, skipped: 1 }), {}, 'passed', 'Passed: 1 test that ran, 1 skipped'],
  [
    run(
      { passed: 3 },
      {
        gates: [
          gate({ ...RATE, outcome: 'held' }),
          gate({ gate: 'pass_at_least', wanted: 3, outcome: 'held' }),
        ],
        baselines: [{ ...BASELINE, outcome: 'held' }],
      },
    ),
    {},
    'passed',
    'Passed: all 3 tests; the gate of 70% passed; not worse than the baseline',
  ],
  [
    run({ passed: 1, failed: 2 }, { baselines: [{ ...BASELINE, outcome: 'held' }] }),
    {},
    'failed',
    'Failed: 2 of 3 tests; not worse than the baseline',
  ],
  [
    run({}, { exit_code: 2 }),
    {},
    'error',
    'Nothing ran: no file has a test, or none is valid; nothing was checked',
  ],
  [
    run({}, { exit_code: 2, left_out: ['2 tests left out by --grep "x"'] }),
    {},
    'error',
    'Nothing ran: no test was selected; nothing was checked',
  ],
  [
    run({ not_started: 3 }, { exit_code: 3 }),
    {},
    'error',
    'Nothing ran: 3 attempts were not started; nothing was checked',
  ],
  [
    run({ passed: 1, not_started: 3 }, { state: 'interrupted', exit_code: 130 }),
    {},
    'error',
    'Interrupted: no failure in 1 test; 3 attempts were not started',
  ],
  [run({ skipped: 4 }), {}, 'skipped', 'Skipped: all 4 tests; nothing was checked'],
  [run({ skipped: 4 }, { exit_code: 2 }), {}, 'error', 'Skipped: all 4 tests; nothing was checked'],
  [run({}, { exit_code: 0 }), {}, 'skipped', 'Nothing ran: no test was selected; nothing was checked'],
  [
    run({ passed: 4, failed: 1 }, { exit_code: 2 }),
    {},
    'error',
    'Incomplete: some files or settings are not valid; 1 of 5 tests failed',
  ],
  [
    run({ passed: 3, failed: 1 }, { state: 'interrupted', exit_code: 130 }),
    {},
    'error',
    'Interrupted: 1 of 4 tests failed',
  ],
  [run({}, { state: 'interrupted', exit_code: 130 }), {}, 'error', 'Interrupted: no test ended'],
  [
    run({
      error: 1,
      not_started: 4,
      stopped_targets: [
        { target: 'api', reason: 'key_refused', error: { kind: 'agent', message: '401' }, not_started: 4 },
      ],
    }),
    {},
    'error',
    'Inconclusive: 1 test errored; 4 attempts were not started; api was not called any more, because its key was refused: 401',
  ],
  [
    run({ passed: 3 }, { state: 'broken_off' }),
    {},
    'error',
    'Crashed: the run did not end; no failure in 3 tests',
  ],
  [
    run({ passed: 3 }, { state: 'damaged', exit_code: 0 }),
    {},
    'error',
    'Damaged: results may be missing or wrong; no failure in 3 tests',
  ],
  [
    run({ passed: 3 }, { state: 'running' }),
    { planned: 40 },
    'running',
    'Running: 3 of 40 attempts done, no failure so far',
  ],
  [
    run({ passed: 3, failed: 1 }, { state: 'running' }),
    {},
    'running',
    'Running: 4 attempts done, 1 test failed so far',
  ],
];

test.each(CASES)('a run in one sentence %#', (facts, context, outcome, sentence) => {
  expect(runHeadline(facts, context)).toEqual({ outcome, sentence });
});

test('a green headline over failed tests gives the reason', () => {
  for (const failed of [0, 1]) {
    for (const error of [0, 1]) {
      const { outcome, sentence } = runHeadline(run({ passed: 3, failed, error }, { exit_code: 0 }));
      expect(outcome).toBe('passed');
      expect(sentence.includes('although')).toBe(failed + error > 0);
    }
  }
});
