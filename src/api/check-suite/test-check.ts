import { isDeepStrictEqual } from 'node:util';
import type { Replies } from '../../agents/contract.ts';
import { findText } from '../../base/match/text-language/find-text.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { AssertionRecord, AttemptRecord } from '../../base/model/record.ts';
import type { UnwantedPart } from '../../base/model/reply-requirements.ts';
import type { Attempt } from '../../run/attempt/attempt.ts';
import { holdsFully, placedAssertions, resultOf, type PlacedAssertion } from './assertion-results.ts';
import type { CheckableTest } from './checkable-test.ts';
import { explainFailures } from './contradictions/explain-failures.ts';
import { trivialPatterns } from './weaknesses/trivial-patterns.ts';
import { unchangedMemory } from './weaknesses/unchanged-memory.ts';
import { lazyAgents, type LazyAgent } from './lazy-agents.ts';
import { breakMatcher } from './mutations/break-matchers.ts';
import { mutate } from './mutations/mutate.ts';
import { findOracle, type Answered } from './oracle/find-oracle.ts';
import type { OracleReply } from './oracle/oracle-reply.ts';
import { scriptedReplies } from './scripted-replies.ts';
import {
  addsNothing,
  cannotFail,
  cannotPass,
  expectedAnswerFails,
  matcherNeverBroken,
  memoryUnchanged,
  neverBroken,
  neverHolds,
  neverScores,
  passedBy,
  weakAnswerPasses,
} from './suite-findings.ts';

/** The result of checking one test. */
export interface CheckedTest {
  readonly findings: readonly Finding[];
  /** Assertions without a satisfying reply: it is unknown whether they can be broken. */
  readonly unsatisfied: readonly PlacedAssertion[];
  /** Assertions that nothing broke, although this does not prove that nothing can. */
  readonly unbroken: readonly PlacedAssertion[];
  /** How many were tried. */
  readonly replies: number;
}

/** Grades an attempt with prepared replies. Rejects when the check must end. */
export type GradeReplies = (attempt: Attempt, replies: Replies) => Promise<AttemptRecord>;

/** Checks one test by grading replies that were made for it, one after the other. */
export class TestCheck {
  private readonly checkable: CheckableTest;
  private readonly file: string;
  private readonly grade: GradeReplies;
  private readonly assertions: readonly PlacedAssertion[];
  private readonly findings: Finding[] = [];
  private replies = 0;

  constructor(checkable: CheckableTest, file: string, grade: GradeReplies) {
    this.checkable = checkable;
    this.file = file;
    this.grade = grade;
    this.assertions = placedAssertions(checkable);
  }

  async run(): Promise<CheckedTest> {
    const oracle = await this.chooseOracle();
    const unsatisfied = this.explain(oracle);
    const unbroken = await this.breakAssertions(oracle);
    for (const { assertion } of unchangedMemory(this.checkable, this.assertions))
      this.findings.push(memoryUnchanged(this.checkable.test, assertion));
    for (const trivial of trivialPatterns(this.assertions))
      this.findings.push(addsNothing(this.checkable.test, trivial));
    return { findings: this.findings, unsatisfied, unbroken, replies: this.replies };
  }

  /** The replies that satisfy the most. */
  private async chooseOracle(): Promise<Answered> {
    const answered = await findOracle(this.checkable, this.assertions, (replies) =>
      this.attempt('oracle', replies),
    );
    const failures = ({ record }: Answered): number =>
      this.assertions.filter((own) => own.weight > 0 && !holdsFully(record, own)).length +
      (record.verdict === 'passed' ? 0 : 0.5);
    const best = answered.reduce((a, b) => (failures(b) < failures(a) ? b : a));
    const [first] = answered;
    if (first!.isExpectedAnswer && best !== first) this.blameExpectedAnswer(first!.record, best.record);
    return best;
  }

  private blameExpectedAnswer(record: AttemptRecord, best: AttemptRecord): void {
    for (const own of this.assertions) {
      const result = resultOf(record, own);
      const isAboutAnswer = own.wanted.about.some((part) => part === 'output' || part === 'tools');
      if (isAboutAnswer && own.weight > 0 && result?.passed === false && holdsFully(best, own))
        this.findings.push(expectedAnswerFails(this.checkable.test, own.assertion, result.message));
    }
  }

  /** Reports what can never hold, and returns what is only not known to. */
  private explain({ record }: Answered): readonly PlacedAssertion[] {
    const { test, steps, judged } = this.checkable;
    const explained = explainFailures(record, this.assertions, steps.length - 1);
    const passes = record.verdict === 'passed' || judged.length > 0;
    for (const { own, why } of explained)
      this.findings.push((passes || own.weight === 0 ? neverHolds : cannotPass)(test, own.assertion, why));
    const failed = this.assertions.filter((own) => own.weight > 0 && resultOf(record, own)?.passed !== true);
    if (failed.length === 0 && explained.length === 0 && record.verdict === 'failed' && judged.length === 0)
      this.findings.push(neverScores(test));
    return explained.length > 0 ? [] : failed;
  }

  /** Which replies break which assertion, and whether lazy agents pass. Returns what is only not known to break. */
  private async breakAssertions(oracle: Answered): Promise<readonly PlacedAssertion[]> {
    const { test, judged } = this.checkable;
    const satisfied = this.assertions.filter((own) => resultOf(oracle.record, own)?.passed === true);
    const unbroken = new Set(satisfied);
    let hasFailed = oracle.record.verdict !== 'passed';
    const note = (record: AttemptRecord): void => {
      hasFailed ||= record.verdict !== 'passed';
      for (const own of unbroken)
        if (isWorse(resultOf(record, own), resultOf(oracle.record, own)!)) unbroken.delete(own);
    };
    let passedByLazy: LazyAgent | undefined;
    for (const lazy of lazyAgents(test)) {
      const record = await this.attempt(lazy.name, lazy.replies);
      note(record);
      if (record.verdict === 'passed') passedByLazy ??= lazy;
    }
    let mutations = 0;
    for (const { name, replies } of mutate(oracle.replies, this.unwanted())) {
      if (unbroken.size === 0 && hasFailed) break;
      mutations++;
      note(await this.attempt(name, replies));
    }
    const unknown: PlacedAssertion[] = [];
    for (const own of unbroken)
      if ((await this.breakByRule(own, oracle, note)) === 'unknown') unknown.push(own);
    await this.breakMatchers(oracle, satisfied, note);
    // If a judge takes part, a reply that the other assertions accept may still fail.
    if (judged.length === 0) {
      if (!hasFailed) this.findings.push(cannotFail(test, mutations));
      else if (passedByLazy !== undefined) this.findings.push(passedBy(test, passedByLazy));
      else await this.tryWeakAnswers(oracle);
    }
    for (const own of unbroken)
      if (!unknown.includes(own)) this.findings.push(neverBroken(test, own.assertion, mutations));
    return unknown;
  }

  /** Each matcher of an assertion that holds must notice the change that was made for it. */
  private async breakMatchers(
    oracle: Answered,
    satisfied: readonly PlacedAssertion[],
    note: (record: AttemptRecord) => void,
  ): Promise<void> {
    for (const own of satisfied) {
      const step = own.step ?? oracle.replies.length - 1;
      const reply = oracle.replies[step]!;
      for (const change of own.wanted.matcher_breaks ?? []) {
        const changed = breakMatcher(reply, change);
        if (isDeepStrictEqual(changed, reply)) continue;
        const record = await this.attempt(`without ${change.what}`, oracle.replies.with(step, changed));
        note(record);
        if (isWorse(resultOf(record, own), resultOf(oracle.record, own)!)) continue;
        this.findings.push(matcherNeverBroken(this.checkable.test, own.assertion, change.what));
      }
    }
  }

  /** An output that breaks an assertion about it, searched for by its rule. */
  private async breakByRule(
    own: PlacedAssertion,
    oracle: Answered,
    note: (record: AttemptRecord) => void,
  ): Promise<'none' | 'found' | 'unknown'> {
    const { rule } = own.wanted;
    const found = rule === undefined ? 'none' : findText([{ type: 'not', rule }]);
    if (typeof found === 'string') return found;
    const step = own.step ?? oracle.replies.length - 1;
    const changed = { ...oracle.replies[step]!, output: found.text };
    note(await this.attempt('output against the rule', oracle.replies.with(step, changed)));
    return 'found';
  }

  /** Nearly empty answers that still satisfy the assertion. */
  private async tryWeakAnswers(oracle: Answered): Promise<void> {
    for (const { assertion, step, weakAnswers } of this.assertions) {
      const at = step ?? oracle.replies.length - 1;
      const reply = oracle.replies[at]!;
      for (const answers of weakAnswers)
        for (const answer of answers) {
          if (oracle.isExpectedAnswer && reply.output.trim() === answer.output) break;
          const changed = oracle.replies.with(at, { ...reply, output: answer.output });
          const { verdict } = await this.attempt(`the answer ${answer.output}`, changed);
          if (verdict !== 'passed') continue;
          this.findings.push(weakAnswerPasses(this.checkable.test, assertion, answer));
          break;
        }
    }
  }

  /** What no step may have, nor the whole test. */
  private unwanted(): readonly (readonly UnwantedPart[])[] {
    const { steps, whole } = this.checkable;
    const ofWhole = whole.flatMap(({ wanted }) => wanted.unwanted ?? []);
    return steps.map((step) => [...step.flatMap(({ wanted }) => wanted.unwanted ?? []), ...ofWhole]);
  }

  private async attempt(name: string, replies: readonly OracleReply[]): Promise<AttemptRecord> {
    const { test } = this.checkable;
    this.replies++;
    const id = `${this.file}::${test.id}::${name}::1`;
    return this.grade(
      { id, file: this.file, test, target: name, repeat: 1, fingerprint: '' },
      scriptedReplies(replies),
    );
  }
}

/** A lower score shows that an assertion reacts, even if its threshold accepts it. */
function isWorse(result: AssertionRecord | undefined, oracle: AssertionRecord): boolean {
  return result?.passed !== true || (result.score ?? 0) < (oracle.score ?? 0);
}
