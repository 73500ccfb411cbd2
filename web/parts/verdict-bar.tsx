import type { Verdict } from '../../src/base/model/record.ts';
import type { VerdictNumbers } from '../../src/base/model/summary.ts';
import { formatCount } from '../text/format.ts';
import './verdict-bar.css';

const ORDER: readonly Verdict[] = ['failed', 'error', 'passed', 'skipped', 'not_graded'];

/** The results of a run or a file, as one line: passed parts are thin, others stand out by height and pattern too. */
export function VerdictBar({
  counts,
  planned,
}: {
  readonly counts: VerdictNumbers;
  /** While a run is in progress: the expected number. */
  readonly planned?: number | undefined;
}) {
  const done = ORDER.reduce((sum, verdict) => sum + (counts[verdict] ?? 0), 0);
  const left = Math.max(0, (planned ?? 0) - done);
  const parts = ORDER.filter((verdict) => (counts[verdict] ?? 0) > 0);
  const label = parts
    .map((verdict) => `${formatCount(counts[verdict] ?? 0)} ${verdict.replace('_', ' ')}`)
    .join(', ');
  return (
    <span class="bar" role="img" aria-label={label === '' ? 'nothing yet' : label}>
      {parts.map((verdict) => (
        <span key={verdict} class={`bar-part bar-${verdict}`} style={{ flexGrow: counts[verdict] ?? 0 }} />
      ))}
      {left > 0 && <span class="bar-part bar-left" style={{ flexGrow: left }} />}
    </span>
  );
}
