import type { AttemptRecord } from '../../src/base/model/record.ts';
import { spendingOf } from '../../src/base/model/spending.ts';
import { formatCost } from '../text/format.ts';

/** What an attempt cost, with its retries and judges: the steps that finished count, even if the next one broke off. */
export function AttemptCost({ record }: { readonly record: AttemptRecord }) {
  const { agent, judges, isAgentUnknown, isJudgeUnknown } = spendingOf(record);
  const total = agent === undefined && judges === undefined ? undefined : (agent ?? 0) + (judges ?? 0);
  if (total === undefined) return <>cost unknown</>;
  const isPartial = isAgentUnknown || isJudgeUnknown;
  return (
    <>
      {formatCost(total)}
      {judges !== undefined && judges > 0 && (
        <span class="dim">, of which {formatCost(judges)} for judges</span>
      )}
      {isPartial && <span class="dim">; not all of it is known</span>}
    </>
  );
}
