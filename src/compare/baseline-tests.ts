import type { BaselineTest } from '../model/baseline.ts';
import { addAll } from '../model/usage.ts';
import { quantile } from '../stats/quantile.ts';
import { measuredVerdict } from './measured-verdict.ts';
import type { SampledTest } from './pair-tests.ts';
import { isMeasured, type TestRows } from './run-rows.ts';

/** The results of a run's tests, ordered by file, test and target: equal results give equal output. */
export function baselineTests(tests: readonly TestRows[]): readonly BaselineTest[] {
  return tests.map(toBaselineTest).sort(inOrder);
}

/** The same, with the place of each test. */
export function sampleTests(tests: readonly TestRows[]): readonly SampledTest[] {
  return tests.map((rows) => ({ ...toBaselineTest(rows), line: rows.line }));
}

function toBaselineTest(rows: TestRows): BaselineTest {
  const { file, test, target, attempts } = rows;
  const measured = attempts.filter(({ verdict }) => isMeasured(verdict));
  const passed = measured.filter(({ verdict }) => verdict === 'passed').length;
  const isSkipped = attempts.every(({ verdict }) => verdict === 'skipped');
  const median = quantile(
    measured.map(({ durationMs }) => durationMs),
    0.5,
  );
  return {
    file,
    test,
    target,
    verdict: isSkipped ? 'skipped' : measuredVerdict({ passed, measured: measured.length }, rows),
    passed,
    measured: measured.length,
    score: rounded(meanOf(measured.map(({ score }) => score)), 6),
    // Three digits: the rest changes with every run, and would be all that a diff shows.
    latency_median_ms: median === undefined ? undefined : Number(median.toPrecision(3)),
    cost_usd: rounded(meanOf(measured.map(({ costUsd }) => costUsd)), 8),
  };
}

function meanOf(values: readonly (number | undefined)[]): number | undefined {
  const sum = addAll(values);
  return sum === undefined ? undefined : sum / values.length;
}

function rounded(value: number | undefined, digits: number): number | undefined {
  return value === undefined ? undefined : Number(value.toFixed(digits));
}

function inOrder(a: BaselineTest, b: BaselineTest): number {
  return order(a.file, b.file) || order(a.test, b.test) || order(a.target, b.target);
}

/** By code units: the same on every machine, in any locale. */
function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
