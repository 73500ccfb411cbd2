import type { Finding } from '../../model/finding.ts';
import type { AssertionRecord, AttemptRecord } from '../../model/record.ts';
import type { UnwantedPart } from '../../model/wanted-reply.ts';
import type { PlannedAttempt } from '../../run/plan.ts';
import { placedAssertions, resultOf, type PlacedAssertion } from './assertion-results.ts';
import { buildOracle, type Candidate } from './build-oracle.ts';
import type { CheckableTest } from './checkable-test.ts';
import { explainFailure } from './explain-failure.ts';
import { mutate } from './mutations/mutate.ts';
import { EMPTY_REPLY, type OracleReply } from './oracle-reply.ts';
import { createScriptedAgent } from './scripted-agent.ts';
import { cannotFail, cannotPass, expectedAnswerFails, neverBroken, idlePasses } from './suite-findings.ts';

/** What the check of one test came to. */
export interface CheckedTest {
  readonly findings: readonly Finding[];
  /** Assertions for which no reply was found that satisfies them: whether they can be broken is not known. */
  readonly unsatisfied: readonly PlacedAssertion[];
  /** How many were tried. */
  readonly replies: number;
}

/** Attempts go out, and the record of each comes back when the next one is asked for. */
type Attempts<T> = AsyncGenerator<PlannedAttempt, T, undefined>;

interface Answered {
  readonly candidate: Candidate;
  readonly record: AttemptRecord;
}

/** Checks one test by the attempts it yields, one at a time. `lastRecord` answers with what came of the latest one. */
export class TestCheck {
  private readonly checkable: CheckableTest;
  private readonly file: string;
  private readonly lastRecord: () => AttemptRecord;
  private readonly assertions: readonly PlacedAssertion[];
  private readonly findings: Finding[] = [];
  private replies = 0;

  constructor(checkable: CheckableTest, file: string, lastRecord: () => AttemptRecord) {
    this.checkable = checkable;
    this.file = file;
    this.lastRecord = lastRecord;
    this.assertions = placedAssertions(checkable);
  }

  async *run(): Attempts<CheckedTest> {
    const { test, judged } = this.checkable;
    const oracle = yield* this.findOracle();
    const idle = yield* this.attempt(
      'idle agent',
      test.steps.map(() => EMPTY_REPLY),
    );
    const satisfied = this.assertions.filter((own) => resultOf(oracle.record, own)?.passed === true);
    const isBroken = (own: PlacedAssertion, record: AttemptRecord): boolean =>
      isWorse(resultOf(record, own), resultOf(oracle.record, own)!);
    const unbroken = new Set(satisfied.filter((own) => !isBroken(own, idle)));
    let hasFailed = oracle.record.verdict !== 'passed' || idle.verdict !== 'passed';
    let mutations = 0;
    for (const { name, replies } of mutate(oracle.candidate.replies, this.unwanted())) {
      if (unbroken.size === 0 && hasFailed) break;
      mutations++;
      const record = yield* this.attempt(name, replies);
      hasFailed ||= record.verdict !== 'passed';
      for (const own of unbroken) if (isBroken(own, record)) unbroken.delete(own);
    }
    // Where a judge has a say, what the others let pass may still fail.
    if (judged.length === 0 && !hasFailed) this.findings.push(cannotFail(test, mutations));
    else if (judged.length === 0 && idle.verdict === 'passed') this.findings.push(idlePasses(test));
    for (const { assertion } of unbroken) this.findings.push(neverBroken(test, assertion, mutations));
    return { findings: this.findings, unsatisfied: this.explain(oracle), replies: this.replies };
  }

  /** The first way to answer that satisfies every assertion; else the first that passes; else the first that is no guess. */
  private async *findOracle(): Attempts<Answered> {
    const answered: Answered[] = [];
    for (const candidate of buildOracle(this.checkable)) {
      const record = yield* this.attempt('oracle', candidate.replies);
      answered.push({ candidate, record });
      if (this.failed(record).length === 0 && record.verdict === 'passed') break;
    }
    const [first] = answered;
    const best =
      answered.find(({ record }) => record.verdict === 'passed' && this.failed(record).length === 0) ??
      answered.find(({ record }) => record.verdict === 'passed') ??
      answered.find(({ candidate }) => !candidate.isExpectedAnswer) ??
      first!;
    if (first!.candidate.isExpectedAnswer && best !== first) this.blameExpectedAnswer(first!.record);
    return best;
  }

  private blameExpectedAnswer(record: AttemptRecord): void {
    for (const own of this.failed(record)) {
      const result = resultOf(record, own);
      if (own.wanted.about.includes('output') && result?.passed === false)
        this.findings.push(expectedAnswerFails(this.checkable.test, own.assertion, result.message));
    }
  }

  /** Says what can never hold, and answers with what is only not known to. */
  private explain({ record }: Answered): readonly PlacedAssertion[] {
    const { test } = this.checkable;
    return this.failed(record).filter((own) => {
      const result = resultOf(record, own);
      const why =
        result === undefined
          ? `the step is not answered: ${record.error?.message ?? ''}`
          : explainFailure(own, result, this.assertions);
      if (why !== undefined) this.findings.push(cannotPass(test, own.assertion, why));
      return why === undefined;
    });
  }

  private failed(record: AttemptRecord): readonly PlacedAssertion[] {
    return this.assertions.filter((own) => resultOf(record, own)?.passed !== true);
  }

  /** What no step may have, and what the whole test may not have either. */
  private unwanted(): readonly (readonly UnwantedPart[])[] {
    const { steps, whole } = this.checkable;
    const ofWhole = whole.flatMap(({ wanted }) => wanted.unwanted ?? []);
    return steps.map((step) => [...step.flatMap(({ wanted }) => wanted.unwanted ?? []), ...ofWhole]);
  }

  private async *attempt(name: string, replies: readonly OracleReply[]): Attempts<AttemptRecord> {
    const { test } = this.checkable;
    this.replies++;
    yield {
      id: `${this.file}::${test.id}::${name}::1`,
      file: this.file,
      test,
      target: name,
      agent: createScriptedAgent(name, replies),
      repeat: 1,
      repeats: 1,
      fingerprint: '',
    };
    return this.lastRecord();
  }
}

/** A lower score shows that an assertion takes notice, also where its threshold lets it pass. */
function isWorse(result: AssertionRecord | undefined, oracle: AssertionRecord): boolean {
  return result?.passed !== true || (result.score ?? 0) < (oracle.score ?? 0);
}
