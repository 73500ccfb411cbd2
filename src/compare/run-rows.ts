import type { ComparedRun } from '../model/comparison.ts';
import { DEFAULT_GATE_RULES, type GateRules } from '../model/gate.ts';
import type { PassAtLeast } from '../model/pass-at-least.ts';
import type { RecordOutline, Verdict } from '../model/record.ts';
import { TestMap } from '../model/test-map.ts';
import { totalTokens } from '../model/usage.ts';

/** What a comparison keeps of an attempt. */
export interface AttemptRow {
  readonly repeat: number;
  readonly verdict: Verdict;
  readonly score: number | undefined;
  readonly durationMs: number;
  readonly costUsd: number | undefined;
  readonly tokens: number | undefined;
}

/** What a comparison keeps of a test of one target: its attempts, in the order of their repeats. */
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

/** Folds the records of a run into small rows, by test. An attempt that comes twice counts as it came last. */
export class RunRows {
  private readonly tests: OpenRows[] = [];
  private readonly byName = new TestMap<OpenRows>();
  private readonly targets = new Set<string>();
  private readonly files = new Map<string, string>();
  private last: OpenRows | undefined;
  readonly runId: string;
  private readonly projectFile: (file: string) => string;

  private readonly rules: GateRules;

  /** Files of records are relative to where the run was started: `projectFile` makes them relative to the project. */
  constructor(runId: string, projectFile: (file: string) => string, rules: GateRules = DEFAULT_GATE_RULES) {
    this.runId = runId;
    this.projectFile = projectFile;
    this.rules = rules;
  }

  add(record: RecordOutline): void {
    const row = toRow(record);
    const rows = this.rowsOf(record, row);
    // A resumed run makes a test again that was edited.
    rows.line = record.line;
    rows.fingerprint = record.fingerprint;
    rows.passAtLeast = record.pass_at_least;
    if (rows.attempts[0] !== row) insert(rows.attempts, row);
  }

  list(): readonly TestRows[] {
    return this.tests;
  }

  describe(): ComparedRun {
    let [passed, measured] = [0, 0];
    for (const { attempts } of this.tests) {
      for (const { verdict } of attempts) {
        if (verdict === 'passed') passed++;
        if (isMeasured(verdict)) measured++;
      }
    }
    return { run_id: this.runId, targets: [...this.targets].sort(), passed, measured };
  }

  private rowsOf(record: RecordOutline, row: AttemptRow): OpenRows {
    const { line, test, target, fingerprint } = record;
    const file = this.fileOf(record.file);
    // Repeats of a test mostly come one after the other.
    const last = this.last;
    if (last !== undefined && last.test === test && last.target === target && last.file === file) return last;
    const name = { file, test, target };
    let rows = this.byName.get(name);
    if (rows === undefined) {
      // A list that a row is pushed to takes room for 17 of them, and most tests have one.
      rows = { file, line, test, target, fingerprint, rules: this.rules, attempts: [row] };
      this.tests.push(rows);
      this.byName.set(name, rows);
      this.targets.add(target);
    }
    this.last = rows;
    return rows;
  }

  private fileOf(authored: string): string {
    let file = this.files.get(authored);
    if (file === undefined) this.files.set(authored, (file = this.projectFile(authored)));
    return file;
  }
}

type OpenRows = Omit<TestRows, 'attempts'> & {
  line: number;
  fingerprint: string;
  passAtLeast?: PassAtLeast | undefined;
  attempts: AttemptRow[];
};

export function isMeasured(verdict: Verdict): boolean {
  return verdict === 'passed' || verdict === 'failed';
}

function toRow({ repeat, verdict, score, duration_ms, cost_usd, token_usage }: RecordOutline): AttemptRow {
  return {
    repeat,
    verdict,
    score,
    durationMs: duration_ms,
    costUsd: cost_usd,
    tokens: token_usage === undefined ? undefined : totalTokens(token_usage),
  };
}

/** Repeats mostly come in order. */
function insert(attempts: AttemptRow[], row: AttemptRow): void {
  let place = attempts.length;
  while (place > 0 && attempts[place - 1]!.repeat > row.repeat) place--;
  const isAgain = place > 0 && attempts[place - 1]!.repeat === row.repeat;
  if (isAgain) attempts[place - 1] = row;
  else if (place === attempts.length) attempts.push(row);
  else attempts.splice(place, 0, row);
}
