import type { Agent } from '../agents/contract.ts';
import type { LeftOut } from '../model/selection.ts';
import type { Suite } from '../model/suite.ts';
import type { Test } from '../model/test.ts';
import { attemptId, testKey } from '../model/test-key.ts';
import type { Attempt } from './attempt.ts';
import { Batched } from './batched.ts';
import { fingerprint } from './fingerprint.ts';
import { createSelector, type Selection } from './select.ts';

/** A suite as the runner needs it: its tests are read once, and are never all in memory at once. */
export interface RunnableSuite extends Omit<Suite, 'tests'> {
  readonly hasOnly: boolean;
  /** Its tests in batches: a step of an async iterator costs as much as a fast test. */
  batches(): Iterable<readonly Test[]> | AsyncIterable<readonly Test[]>;
}

export interface PlanOptions extends Selection {
  /** How often every test runs; otherwise each test decides. */
  readonly repeats?: number | undefined;
  /** For tests that do not say. Default: 1. */
  readonly defaultRepeats?: number | undefined;
  /** How often a test ran before: recorded attempts count, even if fewer repeats are wanted now. */
  readonly repeatsMade?: ((key: string, fingerprint: string) => number) | undefined;
  /** What a verdict depends on besides the test. */
  readonly threshold: number;
  readonly strict?: boolean | undefined;
  /**
   * Identifies the files, programs and judges that the assertions of tests use; tests whose assertions use none are
   * absent.
   */
  checkPrints?(file: string, tests: readonly Test[]): Promise<ReadonlyMap<Test, string>>;
  /** The agent that runs a test, and its name in results. */
  targetOf(
    suite: RunnableSuite,
    test: Test,
  ): { readonly name: string; readonly agent: Agent; readonly identity: string };
}

export interface PlannedAttempt extends Attempt {
  /** How often its test runs; undefined if it depends on the results. */
  readonly repeats?: number | undefined;
  /** Set if the test does not run; the reason may be empty. */
  readonly skipped?: string | undefined;
}

/** Every selected test times its repeats, in the order of the files. */
export function planAttempts(
  suites: readonly RunnableSuite[],
  options: PlanOptions,
): Batched<PlannedAttempt> {
  return new Batched(planBatches(suites, options));
}

async function* planBatches(
  suites: readonly RunnableSuite[],
  options: PlanOptions,
): AsyncGenerator<Iterable<PlannedAttempt>> {
  for await (const { suite, tests } of planTests(suites, options)) {
    const checks = await options.checkPrints?.(suite.file, tests);
    yield attemptsOf({ suite, tests, checks }, options);
  }
}

interface PlannedBatch {
  readonly suite: RunnableSuite;
  readonly tests: readonly Test[];
  readonly checks: ReadonlyMap<Test, string> | undefined;
}

function* attemptsOf(
  { suite, tests, checks }: PlannedBatch,
  options: PlanOptions,
): Generator<PlannedAttempt> {
  const { file } = suite;
  for (const test of tests) {
    const { name: target, agent, identity } = options.targetOf(suite, test);
    const skipped = test.skip === undefined ? undefined : test.skip === true ? '' : test.skip;
    const print = fingerprint(test, {
      target: identity,
      threshold: options.threshold,
      strict: options.strict,
      checks: checks?.get(test),
    });
    const key = testKey({ file, test: test.id, target });
    const wanted = options.repeats ?? test.repeats ?? options.defaultRepeats ?? 1;
    // A test that does not run is listed once.
    const repeats = skipped === undefined ? Math.max(wanted, options.repeatsMade?.(key, print) ?? 0) : 1;
    for (let repeat = 1; repeat <= repeats; repeat++)
      yield {
        id: attemptId(key, repeat),
        file,
        test,
        target,
        agent,
        repeat,
        repeats,
        fingerprint: print,
        skipped,
      };
  }
}

/** Why a test in the files is not part of a run. */
export type LeftOutReason = keyof LeftOut;

/** Every selected test, in batches. `only` counts over the whole run. */
export async function* planTests(
  suites: readonly RunnableSuite[],
  { tests: chosen, ...filters }: Selection,
  onLeftOut?: (reason: LeftOutReason) => void,
): AsyncGenerator<{ readonly suite: RunnableSuite; readonly tests: readonly Test[] }> {
  const matches = createSelector(filters);
  const isChosen = createSelector({ tests: chosen });
  const onlyMarked = suites.some((suite) => suite.hasOnly);
  for (const suite of suites) {
    const isPlanned = (test: Test, next: Test | undefined): boolean => {
      const reason = !matches(test, suite.file, next)
        ? 'filters'
        : onlyMarked && test.only !== true
          ? 'only'
          : isChosen(test, suite.file)
            ? undefined
            : 'passed';
      if (reason !== undefined) onLeftOut?.(reason);
      return reason === undefined;
    };
    // A test ends where the next one starts, which may be in the next batch.
    let last: Test | undefined;
    for await (const batch of suite.batches()) {
      const tests: Test[] = [];
      for (const test of batch) {
        if (last !== undefined && isPlanned(last, test)) tests.push(last);
        last = test;
      }
      if (tests.length > 0) yield { suite, tests };
    }
    if (last !== undefined && isPlanned(last, undefined)) yield { suite, tests: [last] };
  }
}
