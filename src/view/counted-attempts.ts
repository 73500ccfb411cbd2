import { NumberTable } from '../model/number-table.ts';
import type { ResultRow } from '../model/page-data.ts';
import type { Verdict } from '../model/record.ts';

const VERDICTS: readonly Verdict[] = ['passed', 'failed', 'error', 'skipped'];

/** What an attempt adds to the numbers of its test. */
export interface CountedAttempt extends Pick<
  ResultRow,
  'index' | 'verdict' | 'score' | 'cost_usd' | 'judge_cost_usd' | 'duration_ms'
> {
  /** The number of its test. */
  readonly test: number;
}

/** The attempts of a run by id, mostly outside of the heap. A later one with the same id replaces the earlier one. */
export class CountedAttempts {
  private readonly rows = new Map<string, number>();
  private readonly table = new NumberTable(7);

  get(id: string): CountedAttempt | undefined {
    const row = this.rows.get(id);
    return row === undefined ? undefined : this.at(row);
  }

  set(id: string, attempt: CountedAttempt): void {
    const { index, test, verdict, score, cost_usd, judge_cost_usd, duration_ms } = attempt;
    const numbers = [index, test, VERDICTS.indexOf(verdict), orNone(score), orNone(cost_usd)];
    numbers.push(orNone(judge_cost_usd), duration_ms);
    const row = this.rows.get(id);
    if (row === undefined) this.rows.set(id, this.table.add(...numbers));
    else for (const [field, value] of numbers.entries()) this.table.set(row, field, value);
  }

  *[Symbol.iterator](): Generator<CountedAttempt> {
    for (let row = 0; row < this.table.size; row++) yield this.at(row);
  }

  private at(row: number): CountedAttempt {
    const read = (field: number) => this.table.get(row, field);
    return {
      index: read(0),
      test: read(1),
      verdict: VERDICTS[read(2)]!,
      score: orUndefined(read(3)),
      cost_usd: orUndefined(read(4)),
      judge_cost_usd: orUndefined(read(5)),
      duration_ms: read(6),
    };
  }
}

function orNone(value: number | undefined): number {
  return value ?? NaN;
}

function orUndefined(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}
