import { formatDollars } from '../../base/model/dollars.ts';
import { formatPercent } from '../../base/model/percent.ts';
import type { TargetSummary } from '../../base/model/summary.ts';
import { formatDuration } from '../../base/model/duration.ts';

/** The totals of a target, each with its name. A row that is empty for every target is left out. */
export function targetTotals(
  targets: readonly TargetSummary[],
): readonly { readonly name: string; readonly values: readonly string[] }[] {
  const rows = ROWS.map(([name, value]) => ({ name, values: targets.map(value) }));
  return rows.filter(({ values }) => values.some((value) => value !== ''));
}

const ROWS: readonly (readonly [string, (target: TargetSummary) => string])[] = [
  ['passed', ({ passed, tests }) => `${passed} of ${tests}`],
  ['errored', ({ error }) => (error === 0 ? '' : String(error))],
  ['flaky', ({ flaky }) => (flaky === 0 ? '' : String(flaky))],
  ['not started', ({ not_started }) => (not_started === 0 ? '' : String(not_started))],
  ['pass rate', rateText],
  [
    '95% interval',
    ({ pass_rate }) =>
      pass_rate === undefined ? '' : `${formatPercent(pass_rate.low)} to ${formatPercent(pass_rate.high)}`,
  ],
  ['cost', costText],
  [
    'time per attempt',
    ({ duration_ms, attempts }) => (attempts === 0 ? '' : formatDuration(duration_ms / attempts)),
  ],
];

/** Where something could not be measured, what it is a share of. */
function rateText({ pass_rate, error }: TargetSummary): string {
  if (pass_rate === undefined) return '';
  return `${formatPercent(pass_rate.rate)}${error === 0 ? '' : ` of ${pass_rate.measured} measured`}`;
}

/** A sum that lacks attempts says so: it must not look cheaper than the others. */
function costText({ cost_usd, attempts_without_cost }: TargetSummary): string {
  if (cost_usd === undefined) return '';
  return `${formatDollars(cost_usd)}${attempts_without_cost > 0 ? '+?' : ''}`;
}
