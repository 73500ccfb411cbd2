import { readJournal } from '../../runs/journal/journal-reader.ts';
import type { RunDirectory } from '../../runs/journal/run-directory.ts';
import type { PlannedWork } from '../../base/model/planned-work.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import { spendingOf } from '../../base/model/spending.ts';

interface AttemptCost {
  /** Calls of models; 0 if none were seen. */
  readonly calls: number;
  /** In US dollars, with judges; undefined if nothing reported a cost. */
  readonly cost: number | undefined;
}

/** What an attempt cost. */
export function costOf(record: AttemptRecord): AttemptCost {
  const { agent, judges } = spendingOf(record);
  return {
    calls: record.steps.reduce((sum, { model_calls = 0 }) => sum + model_calls, 0),
    cost: agent === undefined && judges === undefined ? undefined : (agent ?? 0) + (judges ?? 0),
  };
}

/** What attempts will cost, by what they cost before; new ones are taken for average. */
export class CostEstimate {
  private readonly seen = { attempts: 0, calls: 0, cost: 0, priced: 0, counted: 0 };
  private readonly coming = { calls: 0, cost: 0, known: 0, priced: 0, counted: 0 };

  learn({ calls, cost }: AttemptCost): void {
    this.seen.attempts++;
    this.seen.calls += calls;
    this.seen.cost += cost ?? 0;
    if (cost !== undefined) this.seen.priced++;
    if (calls > 0) this.seen.counted++;
  }

  add(earlier: AttemptCost | undefined): void {
    if (earlier === undefined) return;
    this.learn(earlier);
    const { calls, cost } = earlier;
    this.coming.calls += calls;
    this.coming.cost += cost ?? 0;
    this.coming.known++;
    if (cost !== undefined) this.coming.priced++;
    if (calls > 0) this.coming.counted++;
  }

  total(attempts: number): Pick<PlannedWork, 'model_calls' | 'cost_usd'> {
    const { seen, coming } = this;
    const unknown = attempts - coming.known;
    const average = (sum: number): number => (seen.attempts === 0 ? 0 : sum / seen.attempts);
    // Other agents may have prices where these have none.
    const isPriced = coming.priced > 0 || (unknown > 0 && seen.priced > 0);
    const isCounted = coming.counted > 0 || (unknown > 0 && seen.counted > 0);
    return {
      model_calls: isCounted ? Math.round(coming.calls + unknown * average(seen.calls)) : undefined,
      cost_usd: isPriced ? coming.cost + unknown * average(seen.cost) : undefined,
    };
  }
}

/** What attempts cost in other runs, the latest one first. A run is read when an attempt is in none of the later ones. */
export class EarlierCosts {
  private readonly unread: RunDirectory[];
  private readonly read: ReadonlyMap<string, AttemptCost>[] = [];

  constructor(runs: readonly RunDirectory[]) {
    this.unread = [...runs];
  }

  of(id: string): AttemptCost | undefined {
    for (const costs of this.read) if (costs.has(id)) return costs.get(id);
    for (let run = this.unread.shift(); run !== undefined; run = this.unread.shift()) {
      const costs = new Map<string, AttemptCost>();
      for (const { record } of readJournal(run.journalPath)) costs.set(record.id, costOf(record));
      this.read.push(costs);
      if (costs.has(id)) return costs.get(id);
    }
    return undefined;
  }
}
