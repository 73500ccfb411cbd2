import type { AttemptRecord } from '../model/record.ts';
import type { TestSummary } from '../model/summary.ts';

/** More failures than this are counted, not shown: nobody reads them, and they would be held in memory. */
const MAX_FAILURES_SHOWN = 100;

export interface ShownFailure {
  readonly record: AttemptRecord;
  /** Of a test that was repeated: how its attempts came out together. */
  readonly test?: TestSummary | undefined;
}

/** Attempts that did not pass, one of each test: its repeats mostly fail alike. */
export class FailureList {
  private readonly first = new Map<string, AttemptRecord>();
  private hidden = 0;

  add(record: AttemptRecord): void {
    if (record.verdict !== 'failed' && record.verdict !== 'error') return;
    const key = keyOf(record);
    const known = this.first.get(key);
    // A failed claim says more about the test than an attempt that could not be measured.
    const isBetter = known !== undefined && known.verdict === 'error' && record.verdict === 'failed';
    if (isBetter || (known === undefined && this.first.size < MAX_FAILURES_SHOWN))
      this.first.set(key, record);
    else if (known === undefined) this.hidden++;
  }

  /** A test that passes as often as it must has failed in nothing. */
  shown(tests: readonly TestSummary[]): {
    readonly failures: readonly ShownFailure[];
    readonly hidden: number;
  } {
    const byKey = new Map(tests.map((test) => [keyOf(test), test]));
    const failures = [...this.first]
      .map(([key, record]) => ({ record, test: byKey.get(key) }))
      .filter(({ test }) => test?.verdict !== 'passed');
    return { failures, hidden: this.hidden };
  }
}

function keyOf({ file, test, target }: Pick<AttemptRecord, 'file' | 'test' | 'target'>): string {
  return `${file}::${test}::${target}`;
}
