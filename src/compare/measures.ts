import type { Change } from '../model/comparison.ts';
import { quantile } from '../stats/quantile.ts';

/** Adds up a measure over pairs. A pair of which one side is unknown is left out on both, so that like is compared with like. */
export class PairedMeasure {
  private readonly before: number[] = [];
  private readonly after: number[] = [];

  add(before: number | undefined, after: number | undefined): void {
    if (before === undefined || after === undefined) return;
    this.before.push(before);
    this.after.push(after);
  }

  sum(): Change | undefined {
    return this.change((values) => values.reduce((sum, value) => sum + value, 0));
  }

  quantile(share: number): Change | undefined {
    return this.change((values) => quantile(values, share)!);
  }

  private change(fold: (values: readonly number[]) => number): Change | undefined {
    if (this.before.length === 0) return undefined;
    return { before: fold(this.before), after: fold(this.after), pairs: this.before.length };
  }
}
