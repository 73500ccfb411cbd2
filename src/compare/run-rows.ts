import type { ComparedRun } from '../model/comparison.ts';
import { DEFAULT_GATE_RULES, type GateRules } from '../model/gate.ts';
import type { PassAtLeast } from '../model/pass-at-least.ts';
import type { RecordOutline, Verdict } from '../model/record.ts';
import { AttemptColumns } from './attempt-columns.ts';
import { TestColumns } from './test-columns.ts';

/** What a comparison keeps of an attempt. */
export interface AttemptRow {
  readonly repeat: number;
  readonly verdict: Verdict;
  readonly score: number | undefined;
  readonly durationMs: number;
  readonly costUsd: number | undefined;
  readonly tokens: number | undefined;
}

/** What a comparison keeps of a test with one target: its attempts, ordered by repeat. */
export interface TestRows {
  /** Relative to the project. */
  readonly file: string;
  readonly line: number;
  readonly test: string;
  readonly target: string;
  readonly fingerprint: string;
  readonly passAtLeast?: PassAtLeast | undefined;
  /** Those of its run. */
  readonly rules: GateRules;
  readonly attempts: readonly AttemptRow[];
}

/** Folds the records of a run into small rows, by test. If an attempt occurs twice, the last one counts. */
export class RunRows {
  private readonly attempts = new AttemptColumns();
  private readonly tests: TestColumns;
  private readonly files = new Map<string, string>();
  private readonly recordedFiles = new Map<string, string>();
  private last = -1;
  readonly runId: string;
  private readonly projectFile: (file: string) => string;

  /**
   * The file names in records are relative to the folder the run started in: `projectFile` makes them relative to
   * the project.
   */
  constructor(runId: string, projectFile: (file: string) => string, rules: GateRules = DEFAULT_GATE_RULES) {
    this.runId = runId;
    this.projectFile = projectFile;
    this.tests = new TestColumns(this.attempts, rules);
  }

  add(record: RecordOutline): void {
    const name = { file: this.fileOf(record.file), test: record.test, target: record.target };
    // Repeats of a test are mostly adjacent.
    if (this.last < 0 || !this.tests.isOf(this.last, name)) this.last = this.tests.numberOf(name);
    this.tests.describe(this.last, record);
    this.tests.addAttempt(this.last, this.attempts.add(record));
  }

  list(): readonly TestRows[] {
    return this.tests.list();
  }

  describe(): ComparedRun {
    let [passed, measured] = [0, 0];
    for (let test = 0; test < this.tests.size; test++) {
      for (const { verdict } of this.tests.attemptsOf(test)) {
        if (verdict === 'passed') passed++;
        if (isMeasured(verdict)) measured++;
      }
    }
    return { run_id: this.runId, targets: this.tests.targets.all().toSorted(), passed, measured };
  }

  /** How its records name a file of the project. */
  recordedFile(file: string): string {
    return this.recordedFiles.get(file) ?? file;
  }

  private fileOf(recorded: string): string {
    let file = this.files.get(recorded);
    if (file === undefined) {
      this.files.set(recorded, (file = this.projectFile(recorded)));
      this.recordedFiles.set(file, recorded);
    }
    return file;
  }
}

export function isMeasured(verdict: Verdict): boolean {
  return verdict === 'passed' || verdict === 'failed';
}
