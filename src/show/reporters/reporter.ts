import type { BaselineOutcome } from '../../base/model/baseline-outcome.ts';
import type { Comparison, TargetComparison } from '../../base/model/comparison.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import type { RerunOptions } from '../../base/model/rerun-command.ts';
import type { RecordedCassettes, Summary, TestSummary } from '../../base/model/summary.ts';

/** What is known when a run starts. */
export interface RunStart {
  readonly run_id: string;
  /** `--name`. */
  readonly name?: string | undefined;
  /** How many attempts of each file are planned; undefined if only the run can tell. */
  readonly planned?: ReadonlyMap<string, number> | undefined;
  readonly agents: readonly string[];
  /** The folder that file names in records are relative to, as an absolute path. */
  readonly cwd: string;
  /** Options of the run that a rerun of one test needs too. */
  readonly asked?: RerunOptions | undefined;
  /** The names of its targets, if it has several. */
  readonly targets?: readonly string[] | undefined;
}

export interface RunEnd {
  readonly summary: Summary;
  /** The tests that are repeated or have a gate: the results of their attempts together. */
  readonly tests?: readonly TestSummary[] | undefined;
  readonly exit_code: number;
  /** How many of the results `--resume` took from the earlier run. */
  readonly resumed?: number | undefined;
  /** The folder of the run, if it was recorded. */
  readonly directory?: string | undefined;
  /** With the baseline; for `assay grade`, with the recorded verdicts. */
  readonly comparison?: Comparison | undefined;
  /** How the run compares with its baseline, target by target if it has several. */
  readonly baselines?: readonly BaselineOutcome[] | undefined;
  /** The details, if the run has several targets. */
  readonly baseline_comparisons?: readonly TargetComparison[] | undefined;
  /** The targets compared with each other, each with the first that shares a test with it. */
  readonly target_comparisons?: readonly Comparison[] | undefined;
  /** What was recorded of model calls, where they were recorded. */
  readonly cassettes?: RecordedCassettes | undefined;
  /** What would make the next run better, for people. */
  readonly advice?: string | undefined;
}

/** Who works on a run that was dispatched to a queue, reported about once a second. */
export interface FleetStatus {
  readonly workers: number;
  /** How many attempts they run at once. */
  readonly slots: number;
  readonly in_flight: number;
  readonly waiting: number;
  /** How many attempts were dispatched again. */
  readonly retries: number;
  /** What keeps the run from continuing, if anything does. */
  readonly problem?: string | undefined;
}

/**
 * Shows a run. It receives events and cannot change anything. If it throws, or its promise rejects, it is removed;
 * the other reporters and the run continue.
 */
export interface Reporter {
  onRunStart?(run: RunStart): void | Promise<void>;
  onFinding?(finding: Finding): void | Promise<void>;
  onAttemptStart?(attempt: {
    readonly id: string;
    readonly file: string;
    readonly test: string;
  }): void | Promise<void>;
  onResult?(record: AttemptRecord): void | Promise<void>;
  onFleet?(fleet: FleetStatus): void | Promise<void>;
  onRunEnd?(end: RunEnd): void | Promise<void>;
  /** Called with the reason if this reporter was removed. Without it a warning is printed. */
  onError?(error: unknown): void;
}

/** What a reporter gets. */
export interface ReporterContext {
  /** Appends to the report. The promise resolves when more can be written. */
  write(text: string): void | Promise<void>;
  readonly options: ReporterOptions;
}

export interface ReporterOptions {
  /** The file the report goes to; undefined for stdout. */
  readonly file?: string | undefined;
  readonly isTTY: boolean;
  /** The width of the terminal. */
  readonly columns: number;
  /** How much text for people a run should print. Default: a line per file, the failures and a summary. */
  readonly verbosity?: 'quiet' | 'verbose' | undefined;
  /** `--durations`: how many of the slowest tests to list; 0 for all. */
  readonly durations?: number | undefined;
}

/**
 * Creates a reporter: the default export, or the export `reporter`, of a module for `--reporter ./my-reporter.ts`.
 */
export type ReporterFactory = (context: ReporterContext) => Reporter | Promise<Reporter>;
