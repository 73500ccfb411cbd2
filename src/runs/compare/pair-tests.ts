import type { BaselineTest } from '../../base/model/baseline.ts';
import type { TestOutcome } from '../../base/model/comparison.ts';
import { testKey } from '../../base/model/test-key.ts';
import { PairedMeasure } from './measures.ts';
import { matchTests } from './match-tests.ts';
import { SAME_SCORE, type PairedTest, type Pairing } from './pairing.ts';

/** A test and, if it comes from a run, its place. */
export type SampledTest = BaselineTest & { readonly line?: number | undefined };

/** Pairs whole tests: a baseline file has nothing else. */
export function pairTests(before: readonly SampledTest[], after: readonly SampledTest[]): Pairing {
  const { matched, onlyBefore, onlyAfter } = matchTests(before, after);
  const tests: PairedTest[] = [];
  const unmeasured: string[] = [];
  const lostTests: string[] = [];
  const [cost, latency] = [new PairedMeasure(), new PairedMeasure()];
  for (const match of matched) {
    if (match.before.measured === 0 || match.after.measured === 0) {
      unmeasured.push(testKey(match.after));
      if (match.before.measured > 0 && match.after.measured === 0) lostTests.push(testKey(match.after));
      continue;
    }
    tests.push(toPairedTest(match.before, match.after));
    cost.add(match.before.cost_usd, match.after.cost_usd);
    latency.add(match.before.latency_median_ms, match.after.latency_median_ms);
  }
  return {
    unit: 'test',
    tests,
    onlyBefore: onlyBefore.map(testKey),
    onlyAfter: onlyAfter.map(testKey),
    unmeasured,
    lostTests,
    gone: onlyBefore.filter(({ measured }) => measured > 0),
    measures: { cost_usd: cost.sum(), latency_median_ms: latency.quantiles().median },
  };
}

function toPairedTest(before: SampledTest, after: SampledTest): PairedTest {
  const { file, test, target } = after;
  const change =
    before.score === undefined || after.score === undefined
      ? { count: 0, sum: 0, before: 0, after: 0, hasFallen: false }
      : {
          count: 1,
          sum: after.score - before.score,
          before: before.score,
          after: after.score,
          hasFallen: after.score < before.score - SAME_SCORE,
        };
  return {
    file,
    // A baseline has no line numbers: they would be stale after the next edit of the file.
    line: after.line ?? before.line ?? 1,
    test,
    target,
    isEdited: false,
    pairs: 1,
    better: before.verdict !== 'passed' && after.verdict === 'passed' ? 1 : 0,
    worse: before.verdict === 'passed' && after.verdict !== 'passed' ? 1 : 0,
    before: outcome(before),
    after: outcome(after),
    rates: { count: 1, sum: after.passed / after.measured - before.passed / before.measured },
    scores: change,
  };
}

function outcome({ verdict, passed, measured, score }: SampledTest): TestOutcome {
  return { verdict, passed, measured, score };
}
