import { RunFold, type FoldOptions } from '../fold/run-fold.ts';
import type { AttemptResult, TestResult } from '../fold/test-result.ts';
import type { GateRules } from '../../base/model/gate.ts';
import type { RecordOutline, Verdict } from '../../base/model/record.ts';
import { totalTokens } from '../../base/model/usage.ts';

/** What a comparison keeps of an attempt. */
export interface ComparedAttempt extends AttemptResult {
  readonly tokens: number | undefined;
}

export type ComparedTest = TestResult<ComparedAttempt>;

/** A run, or one of its targets, as a side of a comparison. */
export interface RunSide {
  readonly run_id: string;
  readonly rules: GateRules;
  readonly tests: readonly ComparedTest[];
  /** By their names in the records: the files, relative to the project. */
  readonly files: ReadonlyMap<string, string>;
}

/** The records of a run, for comparing it with another. */
export class ComparedFold extends RunFold<ComparedAttempt> {
  /**
   * The file names in records are relative to the folder the run started in: `fileOf` makes them relative to the
   * project.
   */
  constructor(fileOf: NonNullable<FoldOptions['fileOf']>, rules?: GateRules) {
    super({ fileOf, rules });
  }

  addRecord(record: RecordOutline): void {
    const { repeat, verdict, score, duration_ms, cost_usd, token_usage } = record;
    const tokens = token_usage === undefined ? undefined : totalTokens(token_usage);
    this.add(record, { repeat, verdict, score, duration_ms, cost_usd, tokens });
  }

  side(run_id: string): RunSide {
    return { run_id, rules: this.rules, tests: this.tests, files: this.files };
  }
}

export function isMeasured(verdict: Verdict): boolean {
  return verdict === 'passed' || verdict === 'failed';
}

/** How many of its attempts passed or failed. */
export function measuredOf({ passed, failed }: Pick<ComparedTest, 'passed' | 'failed'>): number {
  return passed + failed;
}
