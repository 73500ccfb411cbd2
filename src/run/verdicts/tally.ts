import { RunFold } from '../../runs/fold/run-fold.ts';
import { attemptsOf, type DescribedTest, type TestResult } from '../../runs/fold/test-result.ts';
import { DEFAULT_GATE_RULES, type GateResult, type GateRules } from '../../base/model/gate.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import { inFileOrder } from '../../base/model/record-order.ts';
import type { StoppedTarget, Summary, TargetSummary, TestSummary } from '../../base/model/summary.ts';
import { testVerdict } from '../../runs/fold/test-verdict.ts';
import { CountedPart, isReported } from './counted-part.ts';
import { ForeignScores } from './foreign-scores.ts';
import { passRate } from './pass-numbers.ts';
import { budgetGate, runGates, type GateFacts } from './run-gates.ts';
import { TestsAcrossTargets } from '../plan/tests-across-targets.ts';

interface RunEnding extends Pick<GateFacts, 'budget' | 'interrupted'> {
  readonly durationMs: number;
}

/** Identifies an attempt that did not run. */
interface LeftOut extends DescribedTest {
  /** How often its test should have run. */
  readonly repeats?: number | undefined;
}

/** Counts a run into its summary. A repeated test passes if all its attempts pass, or as its gate says. */
export class Tally {
  private readonly rules: GateRules;
  /** Only tests that are repeated or have a gate. */
  private readonly fold: RunFold;
  private readonly whole = new CountedPart();
  /** One for each target, if there are several. */
  private readonly parts: ReadonlyMap<string, CountedPart>;
  /** Each test with all of its targets, if there are several. */
  private readonly acrossTargets: TestsAcrossTargets | undefined;
  private readonly foreign = new ForeignScores();
  private readonly stopped = new Map<string, StoppedTarget>();

  /** `targets`: those of the run, in the order in which they were named. */
  constructor(rules: GateRules = DEFAULT_GATE_RULES, targets: readonly string[] = []) {
    this.rules = rules;
    this.fold = new RunFold({ rules });
    const names = new Set(targets);
    this.acrossTargets = names.size < 2 ? undefined : new TestsAcrossTargets();
    this.parts = new Map(names.size < 2 ? [] : [...names].map((name) => [name, new CountedPart()]));
  }

  /**
   * `repeats`: how often the test runs with each of its `targets`, if known. A test that runs once and has no gate is only counted, so that a
   * run of a million tests does not fill the memory.
   */
  add(record: AttemptRecord, repeats = Infinity, targets = this.parts.size): void {
    this.foreign.add(record);
    const isKept = mustKeep(record, repeats);
    for (const part of this.partsOf(record)) part.add(record, { isKept });
    this.acrossTargets?.add(record, targets * repeats);
    if (isKept) this.fold.count(record);
  }

  /** A planned attempt that did not run because the run stopped first. */
  leaveOut(attempt: LeftOut): void {
    for (const part of this.partsOf(attempt)) part.notStarted++;
    if (!mustKeep(attempt, attempt.repeats ?? Infinity)) return;
    // Its place is not known as exactly as a record knows it.
    const test = this.fold.find(attempt) ?? this.fold.describe(attempt);
    test.notStarted++;
    test.passAtLeast = attempt.pass_at_least;
  }

  /** The same for attempts without names. `target`: theirs, if it is known. */
  leaveOutUnnamed(attempts: number, target?: string): void {
    this.whole.notStarted += attempts;
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
    const known = this.fold.find(test) ?? this.fold.describe({ ...test, ...test.gate });
    known.notStarted += test.not_started;
    for (const part of this.partsOf(test)) part.notStarted += test.not_started;
  }

  private partsOf({ target }: Pick<AttemptRecord, 'target'>): readonly CountedPart[] {
    const own = this.parts.get(target);
    return own === undefined ? [this.whole] : [this.whole, own];
  }

  /** The tests that are repeated or have a gate, in the order of the files. */
  tests(): readonly TestSummary[] {
    return this.fold.tests
      .filter(isReported)
      .sort(inFileOrder)
      .map((test) => this.summarize(test))
      .filter(({ attempts, not_started, gate }) => attempts + not_started > 1 || gate !== undefined);
  }

  summary({ durationMs, ...ending }: RunEnding): Summary {
    const { totals, numbers, facts } = this.whole.count(
      this.rules,
      this.fold.tests,
      this.acrossTargets?.groups(),
    );
    const { tests, not_graded, ...verdicts } = totals;
    const parts = this.planned().map(([target, part]) => ({
      target,
      part,
      counted: part.count(
        this.rules,
        this.fold.tests.filter((test) => test.target === target),
      ),
    }));
    return {
      tests,
      attempts: this.whole.attempts,
      ...verdicts,
      not_graded: not_graded || undefined,
      not_started: this.whole.notStarted,
      stopped_targets: this.stopped.size === 0 ? undefined : [...this.stopped.values()],
      errors: this.whole.errors,
      ...numbers,
      // They would be biased: how often a test was repeated depended on its results.
      ...(this.rules.adaptive === undefined ? {} : { pass_at_k: [], pass_hat_k: [] }),
      foreign_scores: this.foreign.summary(),
      gates:
        parts.length < 2
          ? runGates(this.rules, { ...facts, ...ending })
          : this.gates(parts, { ...facts, ...ending }),
      targets: parts.length < 2 ? undefined : parts.map(targetSummary),
      rules: this.rules,
      saved_attempts: ending.interrupted ? undefined : this.savedAttempts(),
      ...this.whole.costs.summary(),
      // Of several targets together they would say nothing.
      skill_triggers: parts.length < 2 ? this.whole.triggers.summary() : undefined,
      duration_ms: durationMs,
      interrupted: ending.interrupted,
    };
  }

  /** With several targets each must meet the gates: good results of one must not make up for bad ones of another. */
  private gates(parts: readonly TargetPart[], facts: GateFacts): readonly GateResult[] {
    const { interrupted } = facts;
    const ofTargets = parts.flatMap(({ target, counted }) =>
      runGates(this.rules, { ...counted.facts, interrupted }).map((gate) => ({
        ...gate,
        target,
        message: `${target}: ${gate.message}`,
      })),
    );
    return [...ofTargets, ...budgetGate(facts)];
  }

  /** The targets that have tests here: a filter may leave none for some of them. */
  private planned(): readonly (readonly [string, CountedPart])[] {
    return [...this.parts].filter(([, { attempts, notStarted }]) => attempts + notStarted > 0);
  }

  private summarize(result: TestResult): TestSummary {
    const { file, line, test, target, passed, failed, error, skipped, not_graded, notStarted } = result;
    const { verdict, isFlaky, gate } = testVerdict(result, this.rules);
    return {
      file,
      line,
      test,
      target,
      verdict,
      attempts: attemptsOf(result),
      passed,
      failed,
      error,
      skipped,
      not_graded: not_graded || undefined,
      not_started: notStarted,
      is_flaky: isFlaky,
      pass_rate: passRate({ passed, measured: passed + failed }),
      gate,
    };
  }

  /** Compared with running every test up to the cap. */
  private savedAttempts(): number | undefined {
    const { adaptive } = this.rules;
    if (adaptive === undefined) return undefined;
    let saved = 0;
    for (const { passed, failed, error, notStarted } of this.fold.tests) {
      const made = passed + failed + error;
      if (made > 0 && notStarted === 0) saved += Math.max(0, adaptive.max_repeats - made);
    }
    return saved;
  }
}

interface TargetPart {
  readonly target: string;
  readonly part: CountedPart;
  readonly counted: ReturnType<CountedPart['count']>;
}

function targetSummary({ target, part, counted }: TargetPart): TargetSummary {
  const { undecided: _undecided, ...totals } = counted.totals;
  const { cost_usd, token_usage, attempts_without_cost } = part.costs.summary();
  const { tests, not_graded, ...verdicts } = totals;
  return {
    target,
    tests,
    attempts: part.attempts,
    ...verdicts,
    not_graded: not_graded || undefined,
    not_started: part.notStarted,
    pass_rate: counted.numbers.pass_rate,
    cost_usd,
    token_usage,
    attempts_without_cost,
    duration_ms: part.durationMs,
    skill_triggers: part.triggers.summary(),
  };
}

function mustKeep({ pass_at_least }: Pick<AttemptRecord, 'pass_at_least'>, repeats: number): boolean {
  return repeats > 1 || pass_at_least !== undefined;
}
