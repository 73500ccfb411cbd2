import type { RunRow, TargetRow } from '../../src/model/page-data.ts';
import { Range, rateText } from '../parts/rate-range.tsx';
import { formatDuration } from '../text/format.ts';
import { Text } from '../text/text.tsx';
import { TargetCost } from './target-cost.tsx';

/** The targets of a run, the best first, all on one scale. */
export function TargetRanking({ run }: { readonly run: RunRow }) {
  const ranked = run.by_target.toSorted(byRate);
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label="Targets">
      <table class="ranking">
        <thead>
          <tr>
            <th scope="col">Target</th>
            <th scope="col">Pass rate</th>
            <th scope="col">95% interval</th>
            <th scope="col" class="number">
              Cost
            </th>
            <th scope="col" class="number">
              Time
            </th>
          </tr>
        </thead>
        <tbody>
          {ranked.map((target) => (
            <tr key={target.target}>
              <th scope="row">
                <Text value={target.target} />
                {!target.has_every_test && <span class="dim"> ({target.summary.tests} tests)</span>}
              </th>
              <td class="ranking-rate">{rateText(target.pass_rate)}</td>
              <td>{target.pass_rate !== undefined && <Range rate={target.pass_rate} width={96} />}</td>
              <td class="number">
                <TargetCost totals={target} />
              </td>
              <td class="number">{formatDuration(target.attempt_ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Of two equal rates, the one that more attempts support comes first. */
function byRate({ pass_rate: a }: TargetRow, { pass_rate: b }: TargetRow): number {
  return (b?.rate ?? -1) - (a?.rate ?? -1) || (b?.low ?? -1) - (a?.low ?? -1);
}
