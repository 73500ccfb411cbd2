import type { BaselineTest } from '../../base/model/baseline.ts';
import type { GateRules } from '../../base/model/gate.ts';
import { addAll } from '../../base/model/usage.ts';
import { quantile } from '../../base/stats/quantile.ts';
import { measuredVerdict } from './measured-verdict.ts';
import type { SampledTest } from './pair-tests.ts';
import { isMeasured, measuredOf, type ComparedTest, type RunSide } from './run-side.ts';
import { order } from './match-tests.ts';

/** The results of a run's tests, ordered by file, test and target: equal results give equal output. */
export function baselineTests({ tests, rules }: RunSide): readonly BaselineTest[] {
  return tests.map((test) => toBaselineTest(test, rules)).sort(inOrder);
}

/** The same, with the place of each test. */
export function sampleTests({ tests, rules }: RunSide): readonly SampledTest[] {
  return tests.map((test) => ({ ...toBaselineTest(test, rules), line: test.line }));
}

function toBaselineTest(result: ComparedTest, rules: GateRules): BaselineTest {
  const { file, test, target, passed, attempts } = result;
  const measured = attempts.filter(({ verdict }) => isMeasured(verdict));
  const unjudged =
    result.skipped === attempts.length ? 'skipped' : result.not_graded > 0 ? 'not_graded' : undefined;
  const counts = { passed, measured: measuredOf(result) };
  const median = quantile(
    measured.flatMap(({ duration_ms }) => duration_ms ?? []),
    0.5,
  );
  return {
    file,
    test,
    target,
    verdict: unjudged ?? measuredVerdict(counts, result, rules),
    ...counts,
    score: rounded(meanOf(measured.map(({ score }) => score)), 6),
    // Three digits: the rest changes with every run, and would be all that a diff shows.
    latency_median_ms: median === undefined ? undefined : Number(median.toPrecision(3)),
    cost_usd: rounded(meanOf(measured.map(({ cost_usd }) => cost_usd)), 8),
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
