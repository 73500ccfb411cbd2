import type { AttemptRecord } from '../model/record.ts';
import type { Summary } from '../model/summary.ts';
import { testVerdict } from '../model/test-verdict.ts';

interface TestTally {
  passed: number;
  failed: number;
  error: number;
  skipped: number;
}

/** Folds records into a summary. A test of several repeats passes when all of them do. */
export class Tally {
  private readonly tests = new Map<string, TestTally>();
  private readonly totals = { tests: 0, attempts: 0, passed: 0, failed: 0, error: 0, skipped: 0, flaky: 0 };
  private readonly hasRepeats: boolean;

  constructor({ hasRepeats }: { readonly hasRepeats: boolean }) {
    this.hasRepeats = hasRepeats;
  }

  add({ file, test, target, verdict }: Pick<AttemptRecord, 'file' | 'test' | 'target' | 'verdict'>): void {
    this.totals.attempts++;
    // Without repeats no test is remembered: a run of a million of them is not held.
    if (!this.hasRepeats) {
      this.totals.tests++;
      this.totals[verdict]++;
      return;
    }
    const key = `${file}::${test}::${target}`;
    const tally = this.tests.get(key) ?? { passed: 0, failed: 0, error: 0, skipped: 0 };
    tally[verdict]++;
    this.tests.set(key, tally);
  }

  summary({
    durationMs,
    interrupted,
  }: {
    readonly durationMs: number;
    readonly interrupted: boolean;
  }): Summary {
    const totals = { ...this.totals };
    for (const tally of this.tests.values()) {
      totals.tests++;
      totals[testVerdict(tally)]++;
      if (tally.passed > 0 && tally.failed > 0) totals.flaky++;
    }
    return { ...totals, duration_ms: durationMs, interrupted };
  }
}
