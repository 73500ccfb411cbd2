import type { LeftOut } from '../../base/model/selection.ts';
import { planTests, type LeftOutReason, type RunnableSuite } from './plan.ts';
import type { Test } from '../../base/model/test.ts';
import type { Selection } from './select.ts';

/** The size of a plan, without its tests. */
export interface PlanOutline {
  readonly leftOut: LeftOut;
  readonly files: ReadonlyMap<string, PlannedFile>;
}

interface PlannedFile {
  readonly tests: number;
  /** Each test once for each of its targets. */
  readonly pairs: number;
  /** Undefined if the number of repeats depends on the results. */
  readonly attempts: number | undefined;
}

/** A suite that knows how many tests it has. */
export interface CountedSuite extends RunnableSuite {
  readonly testCount: number;
  readonly skippedCount: number;
  /** How many of the others run how often; undefined stands for tests that do not say. */
  readonly repeats: ReadonlyMap<number | undefined, number>;
}

interface OutlineOptions {
  readonly selection: Selection;
  /** How often a test with this setting runs; undefined if it depends on the results. */
  repeatsOf(own: number | undefined): number | undefined;
  /** How many targets a test runs with; absent: each runs with one. */
  targetCount?: ((suite: RunnableSuite, test: Test) => number) | undefined;
}

/** Goes through the tests only if some may be left out: otherwise the counts of the suites are enough. */
export async function outlinePlan(
  suites: readonly CountedSuite[],
  { selection, repeatsOf, targetCount }: OutlineOptions,
): Promise<PlanOutline> {
  const leftOut: Record<LeftOutReason, number> = { filters: 0, only: 0, passed: 0 };
  const files = new Map<string, PlannedFile>();
  if (targetCount === undefined && !isFiltered(selection) && !suites.some(({ hasOnly }) => hasOnly)) {
    for (const suite of suites) files.set(suite.file, countAll(suite, repeatsOf));
    return { leftOut, files };
  }
  for (const { file } of suites) files.set(file, { tests: 0, pairs: 0, attempts: 0 });
  for await (const { suite, tests } of planTests(suites, selection, (reason) => leftOut[reason]++)) {
    let planned = files.get(suite.file)!;
    for (const test of tests) {
      const pairs = targetCount?.(suite, test) ?? 1;
      const repeats = test.skip === undefined ? repeatsOf(test.repeats) : 1;
      planned = add(planned, {
        tests: 1,
        pairs,
        attempts: repeats === undefined ? undefined : pairs * repeats,
      });
    }
    files.set(suite.file, planned);
  }
  return { leftOut, files };
}

function countAll(
  { testCount, skippedCount, repeats }: CountedSuite,
  repeatsOf: OutlineOptions['repeatsOf'],
): PlannedFile {
  let attempts: number | undefined = skippedCount;
  for (const [own, tests] of repeats) {
    const each = repeatsOf(own);
    attempts = each === undefined || attempts === undefined ? undefined : attempts + tests * each;
  }
  return { tests: testCount, pairs: testCount, attempts };
}

function add(a: PlannedFile, b: PlannedFile): PlannedFile {
  const isKnown = a.attempts !== undefined && b.attempts !== undefined;
  return {
    tests: a.tests + b.tests,
    pairs: a.pairs + b.pairs,
    attempts: isKnown ? a.attempts! + b.attempts! : undefined,
  };
}

export function isFiltered({ lines, ...filters }: Selection): boolean {
  return Object.values(filters).some((filter) => filter !== undefined) || (lines?.size ?? 0) > 0;
}
