import type { ComparedRun } from '../model/comparison.ts';
import { isMeasured, type RunRows, type TestRows } from './run-rows.ts';

/** The rows of one target of a run: as if the run had no other. */
export class TargetRows {
  readonly runId: string;
  private readonly target: string;
  private readonly tests: readonly TestRows[];

  constructor(rows: RunRows, target: string) {
    this.runId = rows.runId;
    this.target = target;
    this.tests = rows.list().filter((test) => test.target === target);
  }

  list(): readonly TestRows[] {
    return this.tests;
  }

  describe(): ComparedRun {
    const verdicts = this.tests.flatMap(({ attempts }) => attempts.map(({ verdict }) => verdict));
    return {
      run_id: this.runId,
      targets: this.tests.length === 0 ? [] : [this.target],
      passed: verdicts.filter((verdict) => verdict === 'passed').length,
      measured: verdicts.filter(isMeasured).length,
    };
  }
}
