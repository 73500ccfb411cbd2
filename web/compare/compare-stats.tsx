import type { Change, Comparison, Difference } from '../../src/model/comparison.ts';
import { Fact, Facts } from '../parts/fact.tsx';
import { formatCost, formatCount, formatDuration, plural } from '../text/format.ts';
import { formatP } from './pair-cells.tsx';

/** The size of the difference between two runs, and whether it could be chance. */
export function CompareStats({ comparison }: { readonly comparison: Comparison }) {
  const { verdicts, scores, regression } = comparison;
  return (
    <section class="compare-stats" aria-label="Statistics">
      <p class="verdict-line">
        {regression.found ? (
          <strong class="mark-failed">A regression.</strong>
        ) : (
          <strong>No regression.</strong>
        )}{' '}
        {whyRegressed(comparison)}
      </p>
      <SeenLine comparison={comparison} />
      <Facts>
        {verdicts.difference !== undefined && (
          <Fact name="Pass rate">
            {formatPoints(verdicts.difference)}{' '}
            {verdicts.p_value !== undefined && <span class="dim">{formatP(verdicts.p_value)}</span>}
          </Fact>
        )}
        {scores.difference !== undefined && (
          <Fact name="Score">
            {formatDifference(scores.difference)}{' '}
            {scores.p_value !== undefined && <span class="dim">{formatP(scores.p_value)}</span>}
          </Fact>
        )}
        <ChangeFact name="Cost" change={comparison.cost_usd} format={formatCost} />
        <ChangeFact name="Tokens" change={comparison.tokens} format={formatCount} />
        <ChangeFact name="Median latency" change={comparison.latency_median_ms} format={formatDuration} />
        <ChangeFact name="p95 latency" change={comparison.latency_p95_ms} format={formatDuration} />
      </Facts>
    </section>
  );
}

/** The smallest detectable drops, and what repeats would add. */
function SeenLine({ comparison: { detectable, tests } }: { readonly comparison: Comparison }) {
  if (detectable === undefined) return null;
  const { power, whole, test, repeats_for_a_test, single_tests } = detectable;
  const often = `${Math.round(power * 10)} times out of 10`;
  return (
    <p class="dim">
      {whole === undefined
        ? `With so few attempts, no drop of the overall pass rate would be detected ${often}. `
        : `The smallest drop of the overall pass rate that would be detected ${often}: ${inPoints(whole)}. `}
      {test !== undefined &&
        `For a single test that always passed: ${inPoints(test.drop)}; from ${test.before}/${test.before} to ${test.at_most}/${test.after} is more than chance. `}
      {test === undefined &&
        single_tests < tests.compared &&
        `No single test could show a drop on its own, not even from always passing to never passing: that takes ${repeats_for_a_test} repeats in both runs. `}
      {single_tests > 0 &&
        `${plural(single_tests, 'test')} ran once on one side: from passed to failed may be chance. With ${repeats_for_a_test} repeats in both runs, a change of a single test can be told from chance.`}
    </p>
  );
}

function whyRegressed({ regression: { whole, tests } }: Comparison): string {
  const drops = tests.filter(({ because }) => because === 'drop').length;
  const parts = [
    ...(whole ? ['The overall pass rate dropped by more than chance explains. '] : []),
    ...(drops > 0 ? [`More than chance: ${plural(drops, 'test')} got worse. `] : []),
    ...(tests.length > drops ? [`Passed before, failed now: ${plural(tests.length - drops, 'test')}. `] : []),
  ];
  return parts.join('');
}

function inPoints(share: number): string {
  return `${Math.round(share * 1000) / 10} points`;
}

function ChangeFact({
  name,
  change,
  format,
}: {
  readonly name: string;
  readonly change: Change | undefined;
  readonly format: (value: number) => string;
}) {
  if (change === undefined) return null;
  const { before, after } = change;
  const share = before === 0 ? undefined : (after - before) / before;
  return (
    <Fact name={name}>
      {format(before)} → {format(after)}{' '}
      {share !== undefined && Math.abs(share) >= 0.005 && (
        <span class="dim">{signed(Math.round(share * 100))}%</span>
      )}
    </Fact>
  );
}

function formatPoints({ value, low, high }: Difference): string {
  const points = (share: number): string => signed(Math.round(share * 1000) / 10);
  return `${points(value)} points (95%: ${points(low)} to ${points(high)})`;
}

function formatDifference({ value, low, high }: Difference): string {
  const thousandths = (number: number): string => signed(Math.round(number * 1000) / 1000);
  return `${thousandths(value)} (95%: ${thousandths(low)} to ${thousandths(high)})`;
}

function signed(number: number): string {
  return number < 0 ? `−${-number}` : number > 0 ? `+${number}` : '0';
}
