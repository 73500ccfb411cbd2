import type { Agent } from '../../agents/contract.ts';
import type { LeftOut } from '../../base/model/selection.ts';
import type { Suite } from '../../base/model/suite.ts';
import type { Test } from '../../base/model/test.ts';
import { attemptId, testKey, testOfFile } from '../../base/model/test-key.ts';
import type { Attempt } from '../attempt/attempt.ts';
import { Batched } from '../pool/batched.ts';
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
  /** Undefined: nobody chose one. */
  readonly threshold: number | undefined;
  readonly strict?: boolean | undefined;
  /**
   * Identifies the files, programs and judges that the assertions of tests use, by target; tests whose assertions use
   * none are absent.
   */
  checkPrints?(
    file: string,
    tests: readonly Test[],
    targetsOf: (test: Test) => readonly string[],
  ): Promise<CheckPrintTable>;
  /** The agents that run a test, and their names in results. */
  targetsOf(suite: RunnableSuite, test: Test): readonly PlannedTarget[];
}

interface PlannedTarget {
  readonly name: string;
  readonly agent: Agent;
  readonly identity: string;
}

/** By test, then by the name of a target. */
export type CheckPrintTable = ReadonlyMap<Test, ReadonlyMap<string, string>>;

export interface PlannedAttempt extends Attempt {
  /** How often its test runs; undefined if it depends on the results. */
  readonly repeats?: number | undefined;
  /** How many targets run its test; undefined if that is not known. */
  readonly targetCount?: number | undefined;
  /** Set if the test does not run; the reason may be empty. */
  readonly skipped?: string | undefined;
}

/**
 * Every selected test times its targets and repeats, in the order of the files. The targets of a test take turns, and
 * another one goes first each time, so that none gets a better time of day or a warmer cache.
 */
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
  const turn = { next: 0 };
  for await (const { suite, tests } of planTests(suites, options)) {
    const names = (test: Test): readonly string[] =>
      targetsToRun(suite, test, options).map(({ name }) => name);
    const checks = await options.checkPrints?.(suite.file, tests, names);
    yield attemptsOf({ suite, tests, checks, turn }, options);
  }
}

interface PlannedBatch {
  readonly suite: RunnableSuite;
  readonly tests: readonly Test[];
  readonly checks: CheckPrintTable | undefined;
  /** Which target goes first: counts through all batches. */
  readonly turn: { next: number };
}

function* attemptsOf(batch: PlannedBatch, options: PlanOptions): Generator<PlannedAttempt> {
  const { suite, tests, turn } = batch;
  for (const test of tests) {
    const targets = targetsToRun(suite, test, options);
    const repeated = targets.map((target) =>
      repeatsOf(test, target, { batch, options, targetCount: targets.length }),
    );
    const most = Math.max(...repeated.map(({ repeats }) => repeats));
    for (let repeat = 1; repeat <= most; repeat++) {
      const first = turn.next++ % repeated.length;
      for (let place = 0; place < repeated.length; place++) {
        const { repeats, attempt } = repeated[(first + place) % repeated.length]!;
        if (repeat <= repeats) yield attempt(repeat);
      }
    }
  }
}

/** The targets of a test, without those that passed when they last ran, if that matters. */
export function targetsToRun(
  suite: RunnableSuite,
  test: Test,
  { targetsOf, passedTargets }: Pick<PlanOptions, 'targetsOf' | 'passedTargets'>,
): readonly PlannedTarget[] {
  const targets = targetsOf(suite, test);
  if (passedTargets === undefined || test.skip !== undefined) return targets;
  return targets.filter(
    ({ name: target }) => !passedTargets.has(testKey({ file: suite.file, test: test.id, target })),
  );
}

interface Repeated {
  readonly repeats: number;
  attempt(repeat: number): PlannedAttempt;
}

/** The attempts of one test by one target. */
function repeatsOf(
  test: Test,
  { name: target, agent, identity }: PlannedTarget,
  {
    batch,
    options,
    targetCount,
  }: { readonly batch: PlannedBatch; readonly options: PlanOptions; readonly targetCount: number },
): Repeated {
  const { file } = batch.suite;
  const skipped = test.skip === undefined ? undefined : test.skip === true ? '' : test.skip;
  const print = fingerprint(test, {
    target: identity,
    threshold: options.threshold,
    strict: options.strict,
    checks: batch.checks?.get(test)?.get(target),
  });
  const key = testKey({ file, test: test.id, target });
  const planned = options.repeats ?? test.repeats ?? options.defaultRepeats ?? 1;
  // A test that does not run is listed once.
  const repeats = skipped === undefined ? Math.max(planned, options.repeatsMade?.(key, print) ?? 0) : 1;
  return {
    repeats,
    attempt: (repeat) => ({
      id: attemptId(key, repeat),
      file,
      test,
      target,
      agent,
      repeat,
      repeats,
      targetCount,
      fingerprint: print,
      skipped,
    }),
  };
}

/** Why a test in the files is not part of a run. */
export type LeftOutReason = keyof LeftOut;

/** Every selected test, in batches. `only` counts over the whole run. */
export async function* planTests(
  suites: readonly RunnableSuite[],
  selection: Selection,
  onLeftOut?: (reason: LeftOutReason) => void,
): AsyncGenerator<PlannedTests> {
  const { first } = selection;
  if (first === undefined || first.size === 0) return yield* planPass(suites, selection, { onLeftOut });
  const isFirst = (test: Test, file: string): boolean => first.has(testOfFile(file, test.id));
  yield* planPass(suites, selection, { onLeftOut, isIn: isFirst });
  yield* planPass(suites, selection, { onLeftOut, isIn: (test, file) => !isFirst(test, file) });
}

interface PlannedTests {
  readonly suite: RunnableSuite;
  readonly tests: readonly Test[];
}

interface PlanPass {
  readonly onLeftOut: ((reason: LeftOutReason) => void) | undefined;
  /** Other tests belong to another pass. */
  readonly isIn?: (test: Test, file: string) => boolean;
}

async function* planPass(
  suites: readonly RunnableSuite[],
  { tests: chosen, passedTargets: _passed, first: _first, ...filters }: Selection,
  { onLeftOut, isIn = () => true }: PlanPass,
): AsyncGenerator<PlannedTests> {
  const matches = createSelector(filters);
  const isChosen = createSelector({ tests: chosen });
  const onlyMarked = suites.some((suite) => suite.hasOnly);
  for (const suite of suites) {
    const isPlanned = (test: Test, next: Test | undefined): boolean => {
      if (!isIn(test, suite.file)) return false;
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
