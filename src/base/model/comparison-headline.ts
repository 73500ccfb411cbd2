import type { Comparison, Difference, TestChange } from './comparison.ts';
import { formatScore } from './score-text.ts';
import { numbered } from './grouped.ts';

/** The one sentence that sums up a comparison. */
export function comparisonHeadline(comparison: Comparison): string {
  const { verdicts, pairs, unit, same_replies } = comparison;
  if (pairs === 0) return `Nothing could be compared: no ${unit} was measured in both.`;
  const counts = [
    counted(verdicts.new_failures, 'new failure'),
    verdicts.fixes === 1 ? '1 fix' : counted(verdicts.fixes, 'fixe'),
  ].filter((part) => part !== '');
  const changed = counts.length === 0 ? 'No verdict changed' : counts.join(', ');
  if (same_replies === true)
    return `Against the recorded verdicts: ${changed.replace('No', 'no')} among ${numbered(pairs, unit)}.`;
  const among = numbered(pairs, `paired ${unit}`);
  return `${[`${changed} among ${among}`, ...chances(comparison)].join('; ')}.`;
}

/** What one target of a run is to another: `mini against large: 2 fixes ...`. */
export function targetComparisonWords(comparison: Comparison): string {
  const [before = '', after = ''] = [comparison.before, comparison.after].map(({ targets }) =>
    targets.join(', '),
  );
  return `${after} against ${before}: ${comparisonHeadline(comparison)}`;
}

/** What may be chance, and what would settle it. */
function chances({ verdicts, alpha }: Comparison): readonly string[] {
  const { difference, p_value, new_failures, fixes, repeats_to_settle } = verdicts;
  if (difference === undefined || p_value === undefined) return [];
  const interval = intervalWords(difference);
  if (new_failures + fixes === 0 && difference.value === 0)
    return [`the pass rates could still differ (${interval} points)`];
  const judged = p_value < alpha ? 'is more than chance' : 'could be chance';
  const settle =
    repeats_to_settle === undefined
      ? []
      : [`about ${numbered(repeats_to_settle, 'more repeat')} per test would settle it`];
  return [
    `the difference of ${points(difference.value)} points (${interval}) ${judged} (${pWords(p_value)})`,
    ...settle,
  ];
}

/** A test before and after: `5/5 → 3/5, score 1 → 0.80`. */
export function outcomeWords({ before, after, p_value }: TestChange): string {
  const isRepeated = before.measured > 1 || after.measured > 1;
  const rates = `${before.passed}/${before.measured} → ${after.passed}/${after.measured} passed`;
  const scores =
    before.score === undefined || after.score === undefined
      ? ''
      : `score ${formatScore(before.score)} → ${formatScore(after.score)}`;
  const parts = [isRepeated ? rates : `${before.verdict} → ${after.verdict}`, scores].filter(
    (part) => part !== '',
  );
  return `${parts.join(', ')}${p_value === undefined ? '' : ` (${pWords(p_value)})`}`;
}

export function pWords(p_value: number): string {
  return p_value < 0.0001 ? 'p < 0.0001' : `p = ${Number(p_value.toPrecision(3))}`;
}

function counted(count: number, thing: string): string {
  return count === 0 ? '' : numbered(count, thing);
}

export function intervalWords({ low, high }: Difference): string {
  return `95% interval ${points(low)} to ${points(high)}`;
}

/** Percentage points. A rounded -0 is 0. */
export function points(share: number): string {
  return (Math.round(share * 1000) / 10 + 0).toFixed(1);
}
