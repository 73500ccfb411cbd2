import type { AssertionRecord, AttemptRecord } from '../../base/model/record.ts';
import { addAll, addUsage } from '../../base/model/usage.ts';

/** What the judges of an attempt cost; absent if none was called. */
export function judgeSpending(
  groups: readonly (readonly AssertionRecord[])[],
): Pick<AttemptRecord, 'judge_calls' | 'judge_token_usage' | 'judge_cost_usd'> | undefined {
  if (!groups.some((group) => group.some(isJudged))) return undefined;
  const judged = groups.flatMap((group) => group.filter(isJudged));
  return {
    judge_calls: addAll(judged.map(({ judge_calls }) => judge_calls)),
    judge_token_usage: addUsage(judged.map(({ judge_token_usage }) => judge_token_usage)),
    judge_cost_usd: addAll(judged.map(({ judge_cost_usd }) => judge_cost_usd)),
  };
}

function isJudged({ judge_calls }: AssertionRecord): boolean {
  return judge_calls !== undefined;
}
