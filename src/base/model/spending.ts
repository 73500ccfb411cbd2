import type { AttemptRecord } from './record.ts';
import { addAll } from './usage.ts';

export interface Spending {
  /** As far as known: an attempt that stopped early cost what its finished steps cost. */
  readonly agent?: number | undefined;
  readonly judges?: number | undefined;
  /** Something that replied did not report its cost. */
  readonly isAgentUnknown: boolean;
  readonly isJudgeUnknown: boolean;
}

type Spent = Pick<
  AttemptRecord,
  'steps' | 'assertions' | 'cost_usd' | 'retries_cost_usd' | 'judge_cost_usd' | 'judge_calls'
>;

/** What an attempt cost. */
export function spendingOf(record: Spent): Spending {
  const { steps, cost_usd, retries_cost_usd, judge_cost_usd, judge_calls } = record;
  let agent = cost_usd;
  let isAgentUnknown = false;
  for (const step of cost_usd === undefined ? steps : []) {
    if (step.cost_usd !== undefined) agent = (agent ?? 0) + step.cost_usd;
    else if (step.output !== undefined || step.model_calls !== undefined) isAgentUnknown = true;
  }
  if (retries_cost_usd !== undefined) agent = (agent ?? 0) + retries_cost_usd;
  const isJudgeUnknown = judge_calls !== undefined && judge_cost_usd === undefined;
  return {
    agent,
    judges: isJudgeUnknown ? knownJudgeCost(record) : judge_cost_usd,
    isAgentUnknown,
    isJudgeUnknown,
  };
}

function knownJudgeCost({
  steps,
  assertions,
}: Pick<AttemptRecord, 'steps' | 'assertions'>): number | undefined {
  const all = [...steps.flatMap((step) => step.assertions), ...assertions];
  return addAll(all.map(({ judge_cost_usd }) => judge_cost_usd).filter((cost) => cost !== undefined));
}
