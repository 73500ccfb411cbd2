import type { Comparison } from '../model/comparison.ts';
import type { Finding } from '../model/finding.ts';
import type { AttemptRecord } from '../model/record.ts';
import type { Summary, TestSummary } from '../model/summary.ts';

/** What is known when a run begins. */
export interface RunStart {
  readonly run_id: string;
  /** How many attempts of each file are planned; undefined when only running tells. */
  readonly planned?: ReadonlyMap<string, number> | undefined;
  readonly agents: readonly string[];
}

export interface RunEnd {
  readonly summary: Summary;
  /** The tests that are repeated or have a gate: what their attempts came to together. */
  readonly tests?: readonly TestSummary[] | undefined;
  readonly exit_code: number;
  /** How many of the results were taken from before, by `--resume`. */
  readonly resumed?: number | undefined;
  /** The folder of the run, when it was recorded. */
  readonly directory?: string | undefined;
  /** With the baseline; of `assay grade`, with the recorded verdicts. */
  readonly comparison?: Comparison | undefined;
}

/** Shows a run. It is told what happens and can change nothing; one that throws loses nothing. */
export interface Reporter {
  onRunStart?(run: RunStart): void;
  onFinding?(finding: Finding): void;
  onAttemptStart?(attempt: { readonly id: string; readonly file: string; readonly test: string }): void;
  onResult?(record: AttemptRecord): void;
  onRunEnd?(end: RunEnd): void | Promise<void>;
}
