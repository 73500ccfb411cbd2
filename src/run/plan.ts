import type { Agent } from '../agents/contract.ts';
import type { Suite } from '../model/suite.ts';
import type { Test } from '../model/test.ts';
import type { Attempt } from './attempt.ts';
import { fingerprint } from './fingerprint.ts';
import { createSelector, type Selection } from './select.ts';

/** A suite as the runner needs it: its tests come one by one, and are asked for once. */
export interface RunnableSuite extends Omit<Suite, 'tests'> {
  readonly hasOnly: boolean;
  tests(): Iterable<Test> | AsyncIterable<Test>;
}

export interface PlanOptions extends Selection {
  /** How often every test is made; else each says it itself. */
  readonly repeats?: number | undefined;
  /** For tests that do not say. Default: 1. */
  readonly defaultRepeats?: number | undefined;
  /** What a verdict depends on besides the test. */
  readonly threshold: number;
  /** The agent that runs a test, and its name in results. */
  targetOf(
    suite: RunnableSuite,
    test: Test,
  ): { readonly name: string; readonly agent: Agent; readonly identity: string };
}

export interface PlannedAttempt extends Attempt {
  /** How often its test is made; undefined when only the results tell. */
  readonly repeats?: number | undefined;
  /** Set when the test is not run; the reason may be empty. */
  readonly skipped?: string | undefined;
}

/** Every selected test times its repeats, in the order of the files. */
export async function* planAttempts(
  suites: readonly RunnableSuite[],
  options: PlanOptions,
): AsyncGenerator<PlannedAttempt> {
  for await (const { suite, test } of planTests(suites, options)) {
    const { name: target, agent, identity } = options.targetOf(suite, test);
    const skipped = test.skip === undefined ? undefined : test.skip === true ? '' : test.skip;
    const print = fingerprint(test, `${identity} ${options.threshold}`);
    const wanted = options.repeats ?? test.repeats ?? options.defaultRepeats ?? 1;
    // What is not run is said once.
    const repeats = skipped === undefined ? wanted : 1;
    for (let repeat = 1; repeat <= repeats; repeat++) {
      yield {
        id: `${suite.file}::${test.id}::${target}::${repeat}`,
        file: suite.file,
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
}

/** Every selected test. `only` counts over the whole run. */
export async function* planTests(
  suites: readonly RunnableSuite[],
  selection: Selection,
): AsyncGenerator<{ suite: RunnableSuite; test: Test }> {
  const isWanted = createSelector(selection);
  const onlyMarked = suites.some((suite) => suite.hasOnly);
  for (const suite of suites) {
    for await (const { test, nextLine } of withNextLine(suite.tests())) {
      if (isWanted(test, suite.file, nextLine) && (!onlyMarked || test.only === true)) yield { suite, test };
    }
  }
}

/** A test ends where the next one begins: `file.yaml:12` means the test that line 12 is in. */
async function* withNextLine(
  tests: Iterable<Test> | AsyncIterable<Test>,
): AsyncGenerator<{ test: Test; nextLine: number }> {
  let last: Test | undefined;
  for await (const test of tests) {
    if (last !== undefined) yield { test: last, nextLine: test.place.line };
    last = test;
  }
  if (last !== undefined) yield { test: last, nextLine: Infinity };
}
