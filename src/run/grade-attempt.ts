import type { NowOrLater } from '../agents/contract.ts';
import type { AttemptTape } from '../cassettes/cassette-deck.ts';
import type { Assertion } from '../model/assertion.ts';
import type { Evidence } from '../model/evidence.ts';
import type { Reply } from '../model/reply.ts';
import type { Attempt, AttemptContext } from './attempt.ts';
import { toGraded, type Graded } from './grade.ts';
import type { EvaluationHost } from './metered-tools.ts';
import type { StoppedAssertion } from './preflight.ts';
import type { SentStep } from './step-record.ts';
import type { Transcript } from './transcript.ts';
import { combineEvidence } from './whole-test.ts';

/** Grades the replies of one attempt, step by step and at the end, and writes the results into the transcript. */
export class AttemptGrader {
  private readonly attempt: Attempt;
  private readonly context: AttemptContext;
  private readonly transcript: Transcript;
  private readonly tape: AttemptTape | undefined;
  private evaluationHost: EvaluationHost | undefined;

  constructor(
    attempt: Attempt,
    context: AttemptContext,
    { transcript, tape }: { readonly transcript: Transcript; readonly tape: AttemptTape | undefined },
  ) {
    this.attempt = attempt;
    this.context = context;
    this.transcript = transcript;
    this.tape = tape;
  }

  /** What prevents the test from being evaluated, known before its agent is called. */
  stop(stopped: readonly StoppedAssertion[]): void {
    const graded = stopped.map(({ assertion, obstacles }) => {
      const { kind } = obstacles[0]!;
      const message = [...new Set(obstacles.map((obstacle) => obstacle.message))].join('; ');
      return toGraded(assertion, { error: { kind, message } }, this.transcript);
    });
    this.transcript.addWholeTest(graded);
  }

  /** Most assertions return at once: no promise is created for them. */
  gradeReply(sent: SentStep, reply: Reply, signal: AbortSignal): NowOrLater<void> {
    const { step, request } = sent;
    const { transcript } = this;
    const memoryAfter = reply.memory ?? {};
    transcript.memory = memoryAfter;
    const evidence = {
      test: this.attempt.test,
      threshold: transcript.threshold,
      file: this.attempt.file,
      input_messages: step.input_messages,
      expected_messages: step.expected_messages,
      reply,
      memoryBefore: request.memory,
      memoryAfter,
      durationMs: reply.duration_ms ?? sent.durationMs,
    };
    transcript.evidence.push(evidence);
    const graded = this.grade(step.assertions, evidence, signal);
    const finish = ({ assertions, findings }: Graded): void => {
      transcript.find(findings);
      transcript.addStep(sent, evidence, assertions);
    };
    return graded instanceof Promise ? graded.then(finish) : finish(graded);
  }

  /** The assertions of the whole test, after all steps have a reply. */
  async gradeTest(signal: AbortSignal): Promise<void> {
    const { transcript } = this;
    const evidence = combineEvidence(transcript.evidence);
    const { assertions, findings } = await this.grade(this.attempt.test.assertions, evidence, signal);
    transcript.addWholeTest(assertions);
    transcript.find(findings);
  }

  private grade(
    assertions: readonly Assertion[],
    evidence: Evidence,
    signal: AbortSignal,
  ): NowOrLater<Graded> {
    const { file, target } = this.attempt;
    this.evaluationHost ??= this.context.evaluationHost(
      { file, target, judgeCalls: this.tape && { beforeCall: this.tape.beforeJudgeCall } },
      signal,
    );
    return this.context.grader.grade(assertions, evidence, {
      threshold: this.transcript.threshold,
      isThresholdChosen: this.transcript.isThresholdChosen,
      evaluationHost: this.evaluationHost,
      strict: this.context.strict,
    });
  }
}
