import type { Outcome } from '../run/filter.ts';
import { OUTCOMES } from '../run/filter.ts';
import { formatCount } from '../text/format.ts';
import { Icon } from './icon.tsx';
import { OUTCOME_NAMES } from './verdict-mark.tsx';
import './verdict-counts.css';

/** The numbers beside a bar; zeros are left out. */
export function VerdictCounts({
  counts,
}: {
  readonly counts: Readonly<Partial<Record<Outcome, number | undefined>>>;
}) {
  return (
    <span class="counts">
      {OUTCOMES.filter((outcome) => (counts[outcome] ?? 0) > 0).map((outcome) => (
        <span
          key={outcome}
          class={`count mark-${outcome}`}
          title={`${OUTCOME_NAMES[outcome]}: ${formatCount(counts[outcome] ?? 0)}`}
        >
          <Icon name={outcome} label={OUTCOME_NAMES[outcome]} />
          {formatCount(counts[outcome] ?? 0)}
        </span>
      ))}
    </span>
  );
}
