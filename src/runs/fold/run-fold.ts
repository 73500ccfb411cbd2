import { DEFAULT_GATE_RULES, type GateRules } from '../../base/model/gate.ts';
import type { Verdict } from '../../base/model/record.ts';
import type { TestSummary } from '../../base/model/summary.ts';
import { TestMap, type TestName } from '../../base/model/test-map.ts';
import {
  addAttempt,
  emptyResult,
  UNKNOWN_COLUMN,
  type AttemptResult,
  type DescribedTest,
  type TestResult,
} from './test-result.ts';

export interface FoldOptions {
  /** The gates of the run. */
  readonly rules?: GateRules | undefined;
  /** Tests with attempts that the run left out. */
  readonly unfinished?: readonly TestSummary[] | undefined;
  /** What a file is called here; by default as in the records. */
  readonly fileOf?: ((recorded: string) => string) | undefined;
}

export interface FoldedAttempt<Attempt extends AttemptResult> {
  readonly test: TestResult<Attempt>;
  /** The earlier record of the same attempt, which this one replaces. */
  readonly replaced?: Attempt | undefined;
}

/**
 * Brings the attempts of each test together, while a run is in progress, while its journal is read, or when it is
 * complete. Of two records of one attempt the later one counts.
 */
export class RunFold<Attempt extends AttemptResult = AttemptResult> {
  readonly rules: GateRules;
  /** In the order in which they came. */
  readonly tests: TestResult<Attempt>[] = [];
  private readonly byName = new TestMap<TestResult<Attempt>>();
  private readonly unfinished = new TestMap<number>();
  /** Each record has its own copy of these names. One is kept. */
  private readonly names = new Map<string, string>();
  /** By their names in the records: what they are called here. */
  readonly files = new Map<string, string>();
  private readonly fileOf: (recorded: string) => string;
  private last: TestResult<Attempt> | undefined;

  constructor({ rules = DEFAULT_GATE_RULES, unfinished = [], fileOf = (file) => file }: FoldOptions = {}) {
    this.rules = rules;
    this.fileOf = fileOf;
    for (const test of unfinished) this.unfinished.set(test, test.not_started);
  }

  add(record: DescribedTest, attempt: Attempt): FoldedAttempt<Attempt> {
    const test = this.describe(record);
    return { test, replaced: addAttempt(test, attempt) };
  }

  /** The same without keeping the attempt. */
  count(record: DescribedTest & { readonly verdict: Verdict }): void {
    this.describe(record)[record.verdict]++;
  }

  /** The last record of a test defines it: a resumed run may have run a test again after an edit. */
  describe(record: DescribedTest): TestResult<Attempt> {
    const test = this.testOf(record);
    test.line = record.line;
    test.column = record.column ?? UNKNOWN_COLUMN;
    test.row = record.row;
    test.fingerprint = record.fingerprint;
    test.passAtLeast = record.pass_at_least;
    return test;
  }

  private testOf({ file: recorded, test, target }: TestName): TestResult<Attempt> {
    const file = this.nameOfFile(recorded);
    // Repeats of a test are mostly adjacent.
    const { last } = this;
    if (last !== undefined && last.test === test && last.file === file && last.target === target) return last;
    const name = { file, test, target };
    return (this.last = this.byName.get(name) ?? this.create(name));
  }

  /** `file` as it is called here. */
  find(name: TestName): TestResult<Attempt> | undefined {
    return this.byName.get(name);
  }

  private create({ file, test, target }: TestName): TestResult<Attempt> {
    const result = emptyResult<Attempt>({ file, test, target: this.shared(target) });
    result.notStarted = this.unfinished.get(result) ?? 0;
    this.tests.push(result);
    this.byName.set(result, result);
    return result;
  }

  private nameOfFile(recorded: string): string {
    let file = this.files.get(recorded);
    if (file === undefined) this.files.set(recorded, (file = this.fileOf(recorded)));
    return file;
  }

  private shared(name: string): string {
    const known = this.names.get(name);
    if (known === undefined) this.names.set(name, name);
    return known ?? name;
  }
}
