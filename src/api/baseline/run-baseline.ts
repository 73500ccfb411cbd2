import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { compareRuns, type ComparedSide } from '../../compare/compare-runs.ts';
import { RunRows } from '../../compare/run-rows.ts';
import { readOutlines } from '../../journal/read-outlines.ts';
import type { RunDirectory } from '../../journal/run-directory.ts';
import type { Comparison, RegressionRule } from '../../model/comparison.ts';
import { DEFAULT_GATE_RULES, type GateRules } from '../../model/gate.ts';
import type { RecordOutline } from '../../model/record.ts';
import { openSide, readRun } from './compared-side.ts';

export const DEFAULT_ALPHA = 0.05;

/** What a run is compared with. It is read before the run starts, while `latest` still is the previous run. */
export class RunBaseline {
  private readonly name: string;
  private readonly before: ComparedSide;
  private readonly directory: RunDirectory | undefined;
  private rows: RunRows;
  private readonly projectRoot: string;

  constructor(name: string, projectRoot: string) {
    this.name = name;
    const { side, directory } = openSide(name, projectRoot);
    this.before = side;
    this.directory = directory;
    this.projectRoot = projectRoot;
    this.rows = this.emptyRows(DEFAULT_GATE_RULES);
  }

  /** The gates of the compared run. They become known after the baseline was opened, and before its first record. */
  useRules(rules: GateRules): void {
    this.rows = this.emptyRows(rules);
  }

  /** Its name for later, when another run is the latest. */
  get lastingName(): string {
    return this.directory === undefined || existsSync(this.name) ? this.name : this.directory.runId;
  }

  isRun(directory: RunDirectory | undefined): boolean {
    return (
      directory !== undefined &&
      this.directory !== undefined &&
      resolve(directory.path) === resolve(this.directory.path)
    );
  }

  add(record: RecordOutline): void {
    this.rows.add(record);
  }

  /** The same with a run that was just written. */
  compareRecorded(run: RunDirectory, rule: RegressionRule = 'regression'): Comparison {
    const rows = readRun(run, readOutlines(run.journalPath));
    return compareRuns(this.before, rows, { rule, alpha: DEFAULT_ALPHA });
  }

  compare(run_id: string, rule: RegressionRule = 'regression'): Comparison {
    const comparison = compareRuns(this.before, this.rows, { rule, alpha: DEFAULT_ALPHA });
    return { ...comparison, after: { ...comparison.after, run_id } };
  }

  private emptyRows(rules: GateRules): RunRows {
    return new RunRows('', (file) => relative(this.projectRoot, resolve(file)), rules);
  }
}
