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
  /** The folder that the files of records are relative to, as an absolute path. */
  readonly cwd: string;
  /** What the run was asked that running a test again must say too. */
  readonly asked?: RerunOptions | undefined;
}

export interface RerunOptions {
  readonly agent?: string | undefined;
  readonly target?: string | undefined;
  readonly config?: string | undefined;
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

/** Who works on a run that is given to workers on a queue, told about once a second. */
export interface FleetStatus {
  readonly workers: number;
  /** How many attempts they make at once. */
  readonly slots: number;
  readonly in_flight: number;
  readonly waiting: number;
  /** How many attempts were given out again. */
  readonly retries: number;
  /** What keeps the run from going on, if anything does. */
  readonly problem?: string | undefined;
}

/**
 * Shows a run. It is told what happens and can change nothing; one that throws, or whose promise is rejected, is left out
 * from then on and loses nothing for anybody else.
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
  /** Told why this reporter was left out. Without it a warning is printed. */
  onError?(error: unknown): void;
}

/** What a reporter is made with. */
export interface ReporterContext {
  /** Adds to the report. The promise resolves when more can be written. */
  write(text: string): void | Promise<void>;
  readonly options: ReporterOptions;
}

export interface ReporterOptions {
  /** The file the report goes to; undefined for stdout. */
  readonly file?: string | undefined;
  readonly isTTY: boolean;
  /** How wide a terminal is. */
  readonly columns: number;
}

/** Makes a reporter: the default export, or the export `reporter`, of a module for `--reporter ./my-reporter.ts`. */
export type ReporterFactory = (context: ReporterContext) => Reporter | Promise<Reporter>;
