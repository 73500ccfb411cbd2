import type { Change } from '../../base/model/comparison.ts';
import { quantileOfSorted } from '../../base/stats/quantile.ts';

/**
 * Adds up a measure over pairs. If one side of a pair is unknown, both are left out, so that like is compared with
 * like.
 */
export class PairedMeasure {
  private readonly before: number[] = [];
  private readonly after: number[] = [];

  add(before: number | undefined, after: number | undefined): void {
    if (before === undefined || after === undefined) return;
    this.before.push(before);
    this.after.push(after);
  }

  sum(): Change | undefined {
    const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
    return this.change(sumOf(this.before), sumOf(this.after));
  }

  /** The median, and the value that 95% of the values are below. */
  quantiles(): { readonly median: Change | undefined; readonly p95: Change | undefined } {
    const [before, after] = [Float64Array.from(this.before).sort(), Float64Array.from(this.after).sort()];
    const changeAt = (share: number): Change | undefined =>
      this.change(quantileOfSorted(before, share), quantileOfSorted(after, share));
    return { median: changeAt(0.5), p95: changeAt(0.95) };
  }

  private change(before: number, after: number): Change | undefined {
    const pairs = this.before.length;
    return pairs === 0 ? undefined : { before, after, pairs };
  }
}
