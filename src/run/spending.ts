import type { AssertionRecord, AttemptRecord } from '../model/record.ts';
import { addAll, addUsage } from '../model/usage.ts';

/** What the judges of an attempt cost; nothing is said when none was asked. */
export function judgeSpending(
  groups: readonly (readonly AssertionRecord[])[],
): Pick<AttemptRecord, 'judge_token_usage' | 'judge_cost_usd'> | undefined {
  if (!groups.some((group) => group.some(isJudged))) return undefined;
  const judged = groups.flatMap((group) => group.filter(isJudged));
  return {
    judge_token_usage: addUsage(judged.map(({ judge_token_usage }) => judge_token_usage)),
    judge_cost_usd: addAll(judged.map(({ judge_cost_usd }) => judge_cost_usd)),
  };
}

export interface Spending {
  /** As far as it is known: an attempt that broke off cost what its finished steps did. */
  readonly agent?: number | undefined;
  readonly judges?: number | undefined;
  /** Somebody who answered does not say what it cost. */
  readonly isAgentUnknown: boolean;
  readonly isJudgeUnknown: boolean;
}

/** What an attempt cost. */
export function spendingOf({ steps, assertions, cost_usd, judge_cost_usd }: AttemptRecord): Spending {
  let agent = cost_usd;
  let judges = judge_cost_usd;
  let isAgentUnknown = false;
  let isJudgeUnknown = false;
  const addJudges = (group: readonly AssertionRecord[]): void => {
    for (const assertion of group) {
      if (!isJudged(assertion)) continue;
      if (assertion.judge_cost_usd === undefined) isJudgeUnknown = true;
      else if (judge_cost_usd === undefined) judges = (judges ?? 0) + assertion.judge_cost_usd;
    }
  };
  for (const step of steps) {
    addJudges(step.assertions);
    if (cost_usd !== undefined || step.output === undefined) continue;
    if (step.cost_usd === undefined) isAgentUnknown = true;
    else agent = (agent ?? 0) + step.cost_usd;
  }
  addJudges(assertions);
  return { agent, judges, isAgentUnknown, isJudgeUnknown };
}

function isJudged({ judge_calls }: AssertionRecord): boolean {
  return judge_calls !== undefined;
}
