import { DEFAULT_GATE_RULES, type GateResult, type GateRules, type TestGate } from '../model/gate.ts';
import type { PassAtLeast } from '../model/pass-at-least.ts';
import type { AttemptRecord, ErrorKind, Verdict } from '../model/record.ts';
import { inFileOrder, type RecordPlace } from '../model/record-order.ts';
import type { StoppedTarget, Summary, TargetSummary, TestSummary } from '../model/summary.ts';
import { testKey } from '../model/test-key.ts';
import type { CountedTests } from '../stats/pass-counts.ts';
import { passNumbers, passRate } from './pass-numbers.ts';
import { RunCosts } from './run-costs.ts';
import { budgetGate, runGates, type GateFacts } from './run-gates.ts';
import { TestsAcrossTargets } from './tests-across-targets.ts';
import { testVerdict } from '../verdicts/test-verdict.ts';

/** After the tests of the same line whose place is known. */
const UNKNOWN_COLUMN = Number.MAX_SAFE_INTEGER;

interface RunEnding extends Pick<GateFacts, 'budget' | 'interrupted'> {
  readonly durationMs: number;
}

/** Identifies an attempt that did not run. */
interface LeftOut
  extends
    Pick<AttemptRecord, 'file' | 'line' | 'test' | 'target' | 'pass_at_least'>,
    Partial<Pick<AttemptRecord, 'column' | 'row'>> {
  /** How often its test should have run. */
  readonly repeats?: number | undefined;
}

/** Folds records into a summary. A repeated test passes if all its attempts pass, or as its gate says. */
export class Tally {
  private readonly rules: GateRules;
  private readonly byTest = new Map<string, TestTally>();
  private readonly single = { passed: 0, failed: 0, error: 0, skipped: 0 };
  private readonly errors: Partial<Record<ErrorKind, number>> = {};
  private readonly costs = new RunCosts();
  private attempts = 0;
  private notStarted = 0;
  private readonly stopped = new Map<string, StoppedTarget>();
  /** Attempts that were not started, of which it is not known whether they are of this target. */
  private unplaced = 0;
  private durationMs = 0;
  /** One for each target, if there are several. */
  private readonly parts: ReadonlyMap<string, Tally>;
  /** Each test with all of its targets, if there are several. */
  private readonly acrossTargets: TestsAcrossTargets | undefined;

  /** `targets`: those of the run, in the order in which they were named. */
  constructor(rules: GateRules = DEFAULT_GATE_RULES, targets: readonly string[] = []) {
    this.rules = rules;
    const names = new Set(targets);
    this.acrossTargets = names.size < 2 ? undefined : new TestsAcrossTargets(names.size);
    this.parts = new Map(names.size < 2 ? [] : [...names].map((name) => [name, new Tally(rules)]));
  }

  /**
   * `repeats`: how often the test runs, if known. A test that runs once and has no gate is only counted, so that a
   * run of a million tests does not fill the memory.
   */
  add(record: AttemptRecord, repeats = Infinity): void {
    const { verdict, error } = record;
    this.attempts++;
    this.durationMs += record.duration_ms;
    this.costs.add(record);
    this.parts.get(record.target)?.add(record, repeats);
    this.acrossTargets?.add(record, repeats);
    if (error !== undefined) this.errors[error.kind] = (this.errors[error.kind] ?? 0) + 1;
    if (isHeld(record, repeats)) this.tallyOf(record)[verdict]++;
    else this.single[verdict]++;
  }

  /** A planned attempt that did not run because the run stopped first. */
  leaveOut(attempt: LeftOut): void {
    this.notStarted++;
    this.parts.get(attempt.target)?.leaveOut(attempt);
    if (isHeld(attempt, attempt.repeats ?? Infinity)) this.tallyOf(attempt).notStarted++;
  }

  /** The same for attempts without names. `target`: theirs, if it is known. */
  leaveOutUnnamed(attempts: number, target?: string): void {
    this.notStarted += attempts;
    const own = target === undefined ? undefined : this.parts.get(target);
    if (own !== undefined) own.notStarted += attempts;
    else for (const part of this.parts.values()) part.unplaced += attempts;
  }

  /** A target is not called any more. The shards of a run each stop it themselves. */
  stop(stopped: StoppedTarget): void {
    const known = this.stopped.get(stopped.target);
    const not_started = stopped.not_started + (known?.not_started ?? 0);
    this.stopped.set(stopped.target, { ...(known ?? stopped), not_started });
  }

  /**
   * The same for a test as a run reported it. Called after the records: what they say about its gate takes
   * precedence.
   */
  leaveOutOf(test: TestSummary): void {
    if (test.not_started === 0) return;
    this.parts.get(test.target)?.leaveOutOf(test);
    const known = this.byTest.get(testKey(test));
    const pass_at_least = known === undefined ? test.gate?.pass_at_least : known.passAtLeast;
    this.tallyOf({ ...test, pass_at_least }).notStarted += test.not_started;
    this.notStarted += test.not_started;
  }

  /** The tests that are repeated or have a gate, in the order of the files. */
  tests(): readonly TestSummary[] {
    return [...this.byTest.values()]
      .filter(isReported)
      .toSorted(inFileOrder)
      .map((tally) => this.summarize(tally))
      .filter(({ attempts, not_started, gate }) => attempts + not_started > 1 || gate !== undefined);
  }

  summary({ durationMs, ...ending }: RunEnding): Summary {
    const { passed, failed, error, skipped } = this.single;
    const totals = { tests: passed + failed + error + skipped, ...this.single, flaky: 0, undecided: 0 };
    const gates: TestGate[] = [];
    let planned = passed + failed + error + this.notStarted + this.unplaced;
    let repeated = 0;
    for (const tally of this.byTest.values()) {
      if (!isReported(tally)) continue;
      const { verdict, gate, is_flaky } = this.summarize(tally);
      totals.tests++;
      totals[verdict]++;
      if (is_flaky) totals.flaky++;
      if (verdict === 'error' && tally.passed + tally.failed > 0) totals.undecided++;
      if (gate !== undefined) gates.push(gate);
      if (tally.passed + tally.failed > 1) repeated++;
      planned += tally.passed + tally.failed + tally.error;
    }
    const measurable = totals.passed + totals.failed + totals.error + this.unstartedTests();
    const numbers = passNumbers({ groups: this.groups(), planned: measurable }, this.rules.min_coverage);
    const facts = {
      ...ending,
      passRate: numbers.pass_rate,
      planned,
      flaky: totals.flaky,
      repeated,
      notStarted: this.notStarted,
      testGates: gates,
    };
    const { tests, ...verdicts } = totals;
    return {
      tests,
      attempts: this.attempts,
      ...verdicts,
      not_started: this.notStarted,
      stopped_targets: this.stopped.size === 0 ? undefined : [...this.stopped.values()],
      errors: this.errors,
      ...numbers,
      // They would be biased: how often a test was repeated depended on its results.
      ...(this.rules.adaptive === undefined ? {} : { pass_at_k: [], pass_hat_k: [] }),
      gates: this.gates(facts),
      targets: this.planned().length < 2 ? undefined : this.targets(ending),
      rules: this.rules,
      saved_attempts: ending.interrupted ? undefined : this.savedAttempts(),
      ...this.costs.summary(),
      duration_ms: durationMs,
      interrupted: ending.interrupted,
    };
  }

  /** With several targets each must meet the gates: good results of one must not make up for bad ones of another. */
  private gates(facts: GateFacts): readonly GateResult[] {
    const parts = this.planned();
    if (parts.length < 2) return runGates(this.rules, facts);
    const ofTargets = parts.flatMap(([target, part]) =>
      part
        .summary({ durationMs: 0, interrupted: facts.interrupted })
        .gates.map((gate) => ({ ...gate, target, message: `${target}: ${gate.message}` })),
    );
    return [...ofTargets, ...budgetGate(facts)];
  }

  /** The targets that have tests here: a filter may leave none for some of them. */
  private planned(): readonly (readonly [string, Tally])[] {
    return [...this.parts].filter(([, { attempts, notStarted }]) => attempts + notStarted > 0);
  }

  private targets({ interrupted }: Pick<GateFacts, 'interrupted'>): readonly TargetSummary[] {
    return this.planned().map(([target, part]) => {
      const { tests, attempts, passed, failed, error, skipped, flaky, not_started, ...rest } = part.summary({
        durationMs: part.durationMs,
        interrupted,
      });
      const { pass_rate, cost_usd, token_usage, attempts_without_cost, duration_ms } = rest;
      return {
        target,
        tests,
        attempts,
        passed,
        failed,
        error,
        skipped,
        flaky,
        not_started,
        pass_rate,
        cost_usd,
        token_usage,
        attempts_without_cost,
        duration_ms,
      };
    });
  }

  private tallyOf({
    file,
    line,
    column = UNKNOWN_COLUMN,
    row,
    test,
    target,
    pass_at_least,
  }: LeftOut): TestTally {
    const key = testKey({ file, test, target });
    let tally = this.byTest.get(key);
    if (tally === undefined) {
      const place = { file, line, column, row, test, target };
      tally = { ...place, passed: 0, failed: 0, error: 0, skipped: 0, notStarted: 0 };
      this.byTest.set(key, tally);
    }
    // The last one counts: a resumed run may require more than its earlier records.
    tally.passAtLeast = pass_at_least;
    return tally;
  }

  private summarize(tally: TestTally): TestSummary {
    const { file, line, test, target, passed, failed, error, skipped, notStarted } = tally;
    const { verdict, isFlaky, gate } = testVerdict(tally, this.rules);
    return {
      file,
      line,
      test,
      target,
      verdict,
      attempts: passed + failed + error + skipped,
      passed,
      failed,
      error,
      skipped,
      not_started: notStarted,
      is_flaky: isFlaky,
      pass_rate: passRate({ passed, measured: passed + failed }),
      gate,
    };
  }

  /** Tests of which no attempt was started. */
  private unstartedTests(): number {
    const held = [...this.byTest.values()];
    const ofHeld = held.reduce((sum, { notStarted }) => sum + notStarted, 0);
    const unreported = held.filter((tally) => !isReported(tally) && tally.notStarted > 0).length;
    return this.notStarted + this.unplaced - ofHeld + unreported;
  }

  /** Groups tests with the same counts: there are few different ones. */
  private groups(): readonly CountedTests[] {
    if (this.acrossTargets !== undefined) return this.acrossTargets.groups();
    const groups = new Map<string, { passed: number; measured: number; tests: number }>();
    const add = (passed: number, measured: number, tests: number): void => {
      const key = `${passed}/${measured}`;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { passed, measured, tests });
      else group.tests += tests;
    };
    if (this.single.passed > 0) add(1, 1, this.single.passed);
    if (this.single.failed > 0) add(0, 1, this.single.failed);
    for (const { passed, failed } of this.byTest.values()) add(passed, passed + failed, 1);
    return [...groups.values()];
  }

  /** Compared with running every test up to the cap. */
  private savedAttempts(): number | undefined {
    const { adaptive } = this.rules;
    if (adaptive === undefined) return undefined;
    let saved = 0;
    for (const { passed, failed, error, notStarted } of this.byTest.values()) {
      const made = passed + failed + error;
      if (made > 0 && notStarted === 0) saved += Math.max(0, adaptive.max_repeats - made);
    }
    return saved;
  }
}

interface TestTally extends Record<Verdict, number>, RecordPlace {
  notStarted: number;
  passAtLeast?: PassAtLeast | undefined;
}

function isHeld({ pass_at_least }: Pick<AttemptRecord, 'pass_at_least'>, repeats: number): boolean {
  return repeats > 1 || pass_at_least !== undefined;
}

/** A test that was not started is not reported, unless it has a gate: that gate is undecided. */
function isReported({ passed, failed, error, skipped, notStarted, passAtLeast }: TestTally): boolean {
  return passed + failed + error + skipped > 0 || (notStarted > 0 && passAtLeast !== undefined);
}
