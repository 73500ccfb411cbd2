import type { RunRow } from '../../src/model/page-data.ts';
import { formatCost, plural } from '../text/format.ts';

/** What a run cost, as the terminal says it: the sum, the part for judges, and what is not known. */
export function RunCost({ run }: { readonly run: Pick<RunRow, CostField> }) {
  const note = costNote(run);
  return (
    <>
      {formatCost(run.cost_usd)}
      {note !== '' && <span class="dim">{note}</span>}
    </>
  );
}

type CostField = 'cost_usd' | 'judge_cost_usd' | 'attempts_without_cost';

/** What the sum alone does not say. */
export function costNote({
  cost_usd,
  judge_cost_usd,
  attempts_without_cost = 0,
}: Pick<RunRow, CostField>): string {
  if (cost_usd === undefined) return '';
  const judges = judge_cost_usd === undefined ? '' : `, of which ${formatCost(judge_cost_usd)} for judges`;
  const unknown =
    attempts_without_cost === 0
      ? ''
      : `; the cost of ${plural(attempts_without_cost, 'attempt')} is not known`;
  return `${judges}${unknown}`;
}
