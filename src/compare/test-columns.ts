import type { GateRules } from '../model/gate.ts';
import { NumberTable } from '../model/number-table.ts';
import type { PassAtLeast } from '../model/pass-at-least.ts';
import type { RecordOutline } from '../model/record.ts';
import type { TestName } from '../model/test-map.ts';
import { TestNumbers } from '../model/test-numbers.ts';
import type { AttemptColumns } from './attempt-columns.ts';
import type { AttemptRow, TestRows } from './run-rows.ts';

/**
 * The columns of a row: the numbers of its file and target, its line, its fingerprint in two halves, and the number
 * of its attempt.
 */
const [FILE, TARGET, LINE, HIGH, LOW, ATTEMPT] = [0, 1, 2, 3, 4, 5] as const;
/** A number that refers to a value kept beside the table. */
const BESIDE = -1;
const FINGERPRINT = /^[0-9a-f]{16}$/;

/** What a comparison keeps of tests, indexed by number, in order of arrival. */
export class TestColumns {
  private readonly table = new NumberTable(6);
  private readonly names: string[] = [];
  private readonly numbers = new TestNumbers();
  readonly files = new Texts();
  readonly targets = new Texts();
  private readonly attempts: AttemptColumns;
  private readonly repeated = new Map<number, number[]>();
  private readonly otherFingerprints = new Map<number, string>();
  private readonly gates = new Map<number, PassAtLeast>();

  /** Those of the run. */
  readonly rules: GateRules;

  constructor(attempts: AttemptColumns, rules: GateRules) {
    this.attempts = attempts;
    this.rules = rules;
  }

  get size(): number {
    return this.names.length;
  }

  /** The number of a test; new tests get a new one. */
  numberOf(name: TestName): number {
    const known = this.numbers.get(name, (number) => this.isOf(number, name));
    if (known !== undefined) return known;
    const row = [this.files.numberOf(name.file), this.targets.numberOf(name.target), 0, 0, 0, BESIDE];
    const number = this.table.add(...row);
    this.names.push(name.test);
    this.numbers.add(name, number);
    return number;
  }

  isOf(number: number, { file, test, target }: TestName): boolean {
    return (
      this.names[number] === test &&
      this.files.at(this.table.get(number, FILE)) === file &&
      this.targets.at(this.table.get(number, TARGET)) === target
    );
  }

  /** The last record of a test defines it: a resumed run may have run a test again after an edit. */
  describe(number: number, { line, fingerprint, pass_at_least }: RecordOutline): void {
    const isUsual = FINGERPRINT.test(fingerprint);
    this.table.set(number, LINE, line);
    this.table.set(number, HIGH, isUsual ? Number.parseInt(fingerprint.slice(0, 8), 16) : BESIDE);
    this.table.set(number, LOW, isUsual ? Number.parseInt(fingerprint.slice(8), 16) : BESIDE);
    if (!isUsual) this.otherFingerprints.set(number, fingerprint);
    if (pass_at_least === undefined) this.gates.delete(number);
    else this.gates.set(number, pass_at_least);
  }

  /** Attempts are kept in the order of their repeats, which is mostly the order of arrival. */
  addAttempt(number: number, attempt: number): void {
    const only = this.table.get(number, ATTEMPT);
    const own = this.repeated.get(number) ?? (only === BESIDE ? [] : [only]);
    const repeat = this.attempts.repeatAt(attempt);
    let index = own.length;
    while (index > 0 && this.attempts.repeatAt(own[index - 1]!) > repeat) index--;
    const isAgain = index > 0 && this.attempts.repeatAt(own[index - 1]!) === repeat;
    own.splice(isAgain ? index - 1 : index, isAgain ? 1 : 0, attempt);
    this.table.set(number, ATTEMPT, own.length === 1 ? attempt : BESIDE);
    if (own.length > 1) this.repeated.set(number, own);
  }

  list(): readonly TestRows[] {
    return this.names.map((_, number) => new ColumnRows(this, number));
  }

  nameOf(number: number): TestName {
    return {
      file: this.files.at(this.table.get(number, FILE)),
      test: this.names[number]!,
      target: this.targets.at(this.table.get(number, TARGET)),
    };
  }

  lineOf(number: number): number {
    return this.table.get(number, LINE);
  }

  fingerprintOf(number: number): string {
    const high = this.table.get(number, HIGH);
    if (high === BESIDE) return this.otherFingerprints.get(number)!;
    return hex(high) + hex(this.table.get(number, LOW));
  }

  gateOf(number: number): PassAtLeast | undefined {
    return this.gates.get(number);
  }

  attemptsOf(number: number): readonly AttemptRow[] {
    const only = this.table.get(number, ATTEMPT);
    const own = only === BESIDE ? (this.repeated.get(number) ?? []) : [only];
    return own.map((attempt) => this.attempts.at(attempt));
  }
}

/** Builds the object of one test, only while it is needed. */
class ColumnRows implements TestRows {
  private readonly columns: TestColumns;
  private readonly number: number;

  constructor(columns: TestColumns, number: number) {
    this.columns = columns;
    this.number = number;
  }

  get file(): string {
    return this.columns.nameOf(this.number).file;
  }

  get line(): number {
    return this.columns.lineOf(this.number);
  }

  get test(): string {
    return this.columns.nameOf(this.number).test;
  }

  get target(): string {
    return this.columns.nameOf(this.number).target;
  }

  get fingerprint(): string {
    return this.columns.fingerprintOf(this.number);
  }

  get passAtLeast(): PassAtLeast | undefined {
    return this.columns.gateOf(this.number);
  }

  get rules(): GateRules {
    return this.columns.rules;
  }

  get attempts(): readonly AttemptRow[] {
    return this.columns.attemptsOf(this.number);
  }
}

/** A few strings that occur again and again. */
class Texts {
  private readonly texts: string[] = [];
  private readonly numbers = new Map<string, number>();

  numberOf(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    const number = this.texts.push(text) - 1;
    this.numbers.set(text, number);
    return number;
  }

  at(number: number): string {
    return this.texts[number]!;
  }

  all(): readonly string[] {
    return this.texts;
  }
}

function hex(half: number): string {
  return half.toString(16).padStart(8, '0');
}
