import { costNote } from '../../src/base/model/cost-words.ts';
import type { RunRow } from '../../src/base/model/page-data.ts';
import { formatCost } from '../text/format.ts';

type CostField = 'cost_usd' | 'judge_cost_usd' | 'attempts_without_cost' | 'is_replayed';

/** What a run cost, as the terminal says it: the sum, the part for judges, and what is not known. */
export function RunCost({ run }: { readonly run: Pick<RunRow, CostField> }) {
  const note = costNoteOf(run);
  return (
    <>
      {formatCost(run.cost_usd)}
      {note !== '' && <span class="dim">{note}</span>}
    </>
  );
}

export function costNoteOf(run: Pick<RunRow, CostField>): string {
  const { cost_usd: total, judge_cost_usd: judges, attempts_without_cost, is_replayed: isReplayed } = run;
  return costNote({ total, judges, attempts_without_cost, isReplayed });
}
