import type { AttemptRecord } from '../../base/model/record.ts';
import { testKey } from '../../base/model/test-key.ts';

/** This many failures are shown in full, with code frames and differences; the others in one line per problem. */
const MAX_LONG_TEXTS = 500;

/** Decides how much is kept of the failure of an attempt. */
export class FailureClaims {
  /** By test and verdict: the lowest repeat so far. */
  private readonly repeats = new Map<string, number>();
  private long = 0;

  /**
   * Undefined if the failure is not wanted: an earlier repeat of the test has the same verdict. Repeats end in any
   * order, so an earlier one may come later. Short texts are not worth the memory to know that, so all of them are kept.
   */
  take(record: AttemptRecord): 'long' | 'short' | undefined {
    if (this.long === MAX_LONG_TEXTS) return 'short';
    const { verdict, repeat } = record;
    const key = `${verdict} ${testKey(record)}`;
    if (repeat >= (this.repeats.get(key) ?? Infinity)) return undefined;
    this.repeats.set(key, repeat);
    this.long++;
    if (this.long === MAX_LONG_TEXTS) this.repeats.clear();
    return 'long';
  }
}
