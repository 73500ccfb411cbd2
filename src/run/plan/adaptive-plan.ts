import type { AdaptiveRules } from '../../base/model/gate.ts';
import { readPassAtLeast } from '../../base/model/pass-at-least.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import { attemptId, testKey } from '../../base/model/test-key.ts';
import {
  decideGate,
  fewestToEnd,
  isBeyondDecision,
  type SequentialRule,
} from '../../base/stats/sequential-gate.ts';
import type { PlannedAttempt } from './plan.ts';

/** The most attempts of one test in progress at once. */
const LOOK_AHEAD = 64;

/**
 * Repeats each test until its gate is decided or can no longer be decided, or up to the cap.
 *
 * A test has as many attempts in progress as it needs at the least to finish, so none runs in vain. Which attempts
 * run depends on their results, not on the number or speed of workers: a resumed run that finds the same records
 * takes the same path.
 */
export class AdaptivePlan implements AsyncIterable<PlannedAttempt> {
  private readonly tests: AsyncIterable<PlannedAttempt>;
  private readonly rules: AdaptiveRules;
  private readonly signal: AbortSignal;
  private readonly open = new Map<string, OpenTest>();
  private wake: () => void = () => {};

  /** `tests`: the first attempt of each. */
  constructor(
    tests: AsyncIterable<PlannedAttempt>,
    { rules, signal }: { readonly rules: AdaptiveRules; readonly signal: AbortSignal },
  ) {
    this.tests = tests;
    this.rules = rules;
    this.signal = signal;
    signal.addEventListener('abort', () => this.wake(), { once: true });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<PlannedAttempt> {
    const source = this.tests[Symbol.asyncIterator]();
    const pull = async (): Promise<PlannedAttempt | undefined> => {
      const { done, value } = await source.next();
      return done === true ? undefined : value;
    };
    try {
      let next = await pull();
      while ((next !== undefined || this.open.size > 0) && !this.signal.aborted) {
        const ready = this.ready();
        if (ready !== undefined) yield ready.start();
        // Every open test waits for a result, so one is sure to arrive.
        else if (next === undefined) await new Promise<void>((resolve) => (this.wake = resolve));
        else {
          // All targets of a test start together, and take turns.
          const first: PlannedAttempt = next;
          do {
            this.open.set(testOf(next), new OpenTest(next, this.rules));
            next = await pull();
          } while (next !== undefined && isSameTest(first, next));
        }
      }
    } finally {
      await source.return?.();
    }
  }

  /** The first test that may start another attempt; of its targets, the one with the fewest. */
  private ready(): OpenTest | undefined {
    let ready: OpenTest | undefined;
    for (const test of this.open.values()) {
      if (!test.mayStart()) continue;
      if (ready !== undefined && !test.isSameTest(ready)) return ready;
      if (ready === undefined || test.started < ready.started) ready = test;
    }
    return ready;
  }

  /** The result of an attempt; undefined if it did not run: then its test is not continued. */
  learn(attempt: PlannedAttempt, record: AttemptRecord | undefined): void {
    const key = testOf(attempt);
    const test = this.open.get(key);
    test?.learn(record);
    if (test?.isOver() === true) this.open.delete(key);
    this.wake();
  }
}

function isSameTest(one: PlannedAttempt, other: PlannedAttempt): boolean {
  return one.file === other.file && one.test.id === other.test.id;
}

function testOf({ file, test, target }: PlannedAttempt): string {
  return testKey({ file, test: test.id, target });
}

/** A test whose gate is not decided yet. */
class OpenTest {
  private readonly first: PlannedAttempt;
  private readonly rule: SequentialRule;
  private most: number;
  started = 0;
  private underWay = 0;
  private passed = 0;
  private measured = 0;
  private mayBeUnderWay: number;

  constructor(first: PlannedAttempt, { confidence, max_repeats, pass_at_least }: AdaptiveRules) {
    this.first = first;
    const { share } = readPassAtLeast(first.test.pass_at_least ?? pass_at_least)!;
    this.rule = { share, confidence, cap: max_repeats };
    this.most = first.skipped === undefined ? max_repeats : 1;
    this.mayBeUnderWay = Math.min(LOOK_AHEAD, fewestToEnd({ passed: 0, measured: 0 }, this.rule));
  }

  isSameTest({ first }: OpenTest): boolean {
    return isSameTest(this.first, first);
  }

  mayStart(): boolean {
    return this.started < this.most && this.underWay < this.mayBeUnderWay;
  }

  start(): PlannedAttempt {
    this.underWay++;
    const repeat = ++this.started;
    const { skipped, repeats } = this.first;
    const id = attemptId(testOf(this.first), repeat);
    return { ...this.first, id, repeat, repeats: skipped === undefined ? undefined : repeats };
  }

  learn(record: AttemptRecord | undefined): void {
    this.underWay--;
    const isMeasured = record?.verdict === 'passed' || record?.verdict === 'failed';
    if (isMeasured) {
      this.measured++;
      if (record.verdict === 'passed') this.passed++;
    }
    const counts = { passed: this.passed, measured: this.measured };
    if (
      record === undefined ||
      decideGate(counts, this.rule) !== 'undecided' ||
      isBeyondDecision(counts, this.rule)
    )
      this.most = this.started;
    else if (isMeasured) this.mayBeUnderWay = Math.min(LOOK_AHEAD, fewestToEnd(counts, this.rule));
  }

  isOver(): boolean {
    return this.started >= this.most && this.underWay === 0;
  }
}
