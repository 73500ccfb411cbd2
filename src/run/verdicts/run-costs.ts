import type { AttemptRecord } from '../../base/model/record.ts';
import type { TokenUsage } from '../../base/model/reply.ts';
import type { Summary } from '../../base/model/summary.ts';
import { joinOtherCalls, type OtherCalls } from '../../base/model/other-calls.ts';
import { addUsage } from '../../base/model/usage.ts';
import { RunningSum } from '../../base/stats/running-sum.ts';
import { spendingOf } from '../../base/model/spending.ts';

type CostSummary = Pick<
  Summary,
  | 'cost_usd'
  | 'token_usage'
  | 'other_calls'
  | 'judge_cost_usd'
  | 'judge_token_usage'
  | 'attempts_without_cost'
>;

/** Adds up the costs that attempts report. Unknown costs are counted, not treated as zero. */
export class RunCosts {
  private agents: RunningSum | undefined;
  private judges: RunningSum | undefined;
  private usage: TokenUsage | undefined;
  private judgeUsage: TokenUsage | undefined;
  private others: readonly OtherCalls[] | undefined;
  private unknown = 0;

  add(record: AttemptRecord): void {
    const { agent, judges, isAgentUnknown, isJudgeUnknown } = spendingOf(record);
    if (agent !== undefined) (this.agents ??= new RunningSum()).add(agent);
    if (judges !== undefined) (this.judges ??= new RunningSum()).add(judges);
    if (isAgentUnknown || isJudgeUnknown) this.unknown++;
    this.usage = plus(plus(this.usage, record.token_usage), record.retries_token_usage);
    this.judgeUsage = plus(this.judgeUsage, record.judge_token_usage);
    for (const { other_calls: others } of record.steps)
      if (others !== undefined) this.others = joinOtherCalls([...(this.others ?? []), ...others]);
  }

  summary(): CostSummary {
    return {
      cost_usd: this.agents?.value,
      token_usage: this.usage,
      ...(this.others === undefined ? {} : { other_calls: this.others }),
      judge_cost_usd: this.judges?.value,
      judge_token_usage: this.judgeUsage,
      attempts_without_cost: this.unknown,
    };
  }
}

function plus(sum: TokenUsage | undefined, usage: TokenUsage | undefined): TokenUsage | undefined {
  if (usage === undefined) return sum;
  return sum === undefined ? usage : addUsage([sum, usage]);
}
