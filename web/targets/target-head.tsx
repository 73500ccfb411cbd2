import type { TargetRow } from '../../src/base/model/page-data.ts';
import { KnownCost } from '../parts/known-cost.tsx';
import { RateRange } from '../parts/rate-range.tsx';
import { formatDuration } from '../text/format.ts';
import { Text } from '../text/text.tsx';

/** A target with its totals over all tests, also those that are not shown. */
export function TargetHead({
  target,
  totals,
}: {
  readonly target: string;
  readonly totals: TargetRow | undefined;
}) {
  return (
    <span class="target-head">
      <span class="target-title" title={target}>
        <Text value={target} />
      </span>
      {totals !== undefined && (
        <>
          <RateRange rate={totals.pass_rate} />
          <span class="target-sums">
            <span>
              <KnownCost usd={totals.agent_cost_usd} lacks={(totals.attempts_without_cost ?? 0) > 0} />
            </span>
            {totals.attempt_ms !== undefined && (
              <span>
                {formatDuration(totals.attempt_ms)}
                <span class="target-per"> per attempt</span>
              </span>
            )}
            {totals.summary.flaky > 0 && <span class="mark-flaky">{totals.summary.flaky} flaky</span>}
          </span>
        </>
      )}
    </span>
  );
}
