import type { Finding } from '../../base/model/finding.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import { RunningSum } from '../../base/stats/running-sum.ts';
import { spendingOf } from '../../base/model/spending.ts';

/** What attempts may cost together, as far as they report a cost. */
export class Budget {
  readonly limit: number;
  private readonly sum = new RunningSum();
  private readonly silent = new Set<string>();

  constructor(limit: number) {
    this.limit = limit;
  }

  get spent(): number {
    return this.sum.value;
  }

  /** No more attempts start. Amounts such as 0.7 and 0.2, added as doubles, miss 0.9 by a hair. */
  get isSpent(): boolean {
    return this.spent >= this.limit - 1e-9;
  }

  /** A missing cost is reported once: a budget cannot stop such an agent or judge. */
  add(record: AttemptRecord): readonly Finding[] {
    const { agent = 0, judges = 0, isAgentUnknown, isJudgeUnknown } = spendingOf(record);
    this.sum.add(agent);
    this.sum.add(judges);
    const findings: Finding[] = [];
    const tell = (who: string, hint: string): void => {
      if (this.silent.has(who)) return;
      this.silent.add(who);
      findings.push(unknownCost(record, who, hint));
    };
    if (isAgentUnknown) tell(`the agent "${record.target}"`, 'return `cost_usd` with every reply');
    if (isJudgeUnknown) tell('a judge', 'set its `price: { input, output }` in the config');
    return findings;
  }
}

function unknownCost({ file, line, column, test }: AttemptRecord, who: string, hint: string): Finding {
  return {
    severity: 'warning',
    code: 'cost_unknown',
    message: `${who} does not report its cost, so --max-cost does not count it`,
    hint,
    file,
    line,
    column,
    path: test,
  };
}
