import { NumberTable } from '../model/number-table.ts';
import type { RecordOutline, Verdict } from '../model/record.ts';
import { totalTokens } from '../model/usage.ts';
import type { AttemptRow } from './run-rows.ts';

const VERDICTS: readonly Verdict[] = ['passed', 'failed', 'error', 'skipped'];

/** What a comparison keeps of attempts, indexed by number. */
export class AttemptColumns {
  private readonly table = new NumberTable(6);

  add({ repeat, verdict, score, duration_ms, cost_usd, token_usage }: RecordOutline): number {
    const tokens = token_usage === undefined ? NaN : totalTokens(token_usage);
    return this.table.add(
      repeat,
      VERDICTS.indexOf(verdict),
      score ?? NaN,
      duration_ms,
      cost_usd ?? NaN,
      tokens,
    );
  }

  repeatAt(number: number): number {
    return this.table.get(number, 0);
  }

  at(number: number): AttemptRow {
    const { table } = this;
    return {
      repeat: table.get(number, 0),
      verdict: VERDICTS[table.get(number, 1)]!,
      score: known(table.get(number, 2)),
      durationMs: table.get(number, 3),
      costUsd: known(table.get(number, 4)),
      tokens: known(table.get(number, 5)),
    };
  }
}

function known(number: number): number | undefined {
  return Number.isNaN(number) ? undefined : number;
}
