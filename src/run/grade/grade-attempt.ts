import type { NowOrLater } from '../../agents/contract.ts';
import type { Assertion } from '../../base/model/assertion.ts';
import type { Evidence } from '../../base/model/evidence.ts';
import type { Reply } from '../../base/model/reply.ts';
import type { OpenAttempt } from '../attempt/drive-attempt.ts';
import { toGraded, type Graded } from './grade.ts';
import type { StoppedAssertion } from '../attempt/preflight.ts';
import type { SentStep } from '../attempt/step-record.ts';
import type { Transcript } from '../attempt/transcript.ts';
import { combineEvidence } from '../plan/whole-test.ts';

/** What prevents the test from being evaluated, known before its agent is called. */
export function gradeStopped(transcript: Transcript, stopped: readonly StoppedAssertion[]): void {
  const graded = stopped.map(({ assertion, obstacles }) => {
    const { kind } = obstacles[0]!;
    const message = [...new Set(obstacles.map((obstacle) => obstacle.message))].join('; ');
    return toGraded(assertion, { error: { kind, message } }, transcript);
  });
  transcript.addWholeTest(graded);
}

/** Most assertions return at once: no promise is created for them. */
export function gradeReply(open: OpenAttempt, sent: SentStep, reply: Reply): NowOrLater<void> {
  const { step, request } = sent;
  const { attempt, transcript } = open;
  const memoryAfter = reply.memory ?? (reply.unfinished === undefined ? {} : request.memory);
  transcript.memory = memoryAfter;
  const evidence = {
    test: attempt.test,
    threshold: transcript.threshold,
    file: attempt.file,
    input_messages: step.input_messages,
    expected_messages: step.expected_messages,
    reply,
    memoryBefore: request.memory,
    memoryAfter,
    // How long it takes to read a recording says nothing.
    durationMs: reply.duration_ms ?? (isUntimed(reply) ? undefined : sent.durationMs),
  };
  transcript.evidence.push(evidence);
  const graded = evaluate(open, step.assertions, evidence);
  const finish = ({ assertions, findings }: Graded): void => {
    transcript.find(findings);
    transcript.addStep(sent, evidence, assertions);
  };
  return graded instanceof Promise ? graded.then(finish) : finish(graded);
}

function isUntimed({ doubts }: Reply): boolean {
  return doubts?.some(({ about }) => about === 'duration') === true;
}

/** The assertions of the whole test, after all steps have a reply. */
export async function gradeTest(open: OpenAttempt): Promise<void> {
  const { transcript } = open;
  const evidence = combineEvidence(transcript.evidence);
  const { assertions, findings } = await evaluate(open, open.attempt.test.assertions, evidence);
  transcript.addWholeTest(assertions);
  transcript.find(findings);
}

function evaluate(
  open: OpenAttempt,
  assertions: readonly Assertion[],
  evidence: Evidence,
): NowOrLater<Graded> {
  const { context, transcript, tape, limit } = open;
  const { file, target } = open.attempt;
  open.evaluationHost ??= {
    ...context.evaluationHost(
      { file, target, judgeCalls: tape && { beforeCall: tape.beforeJudgeCall } },
      limit.signal,
    ),
    workspace: open.workspace?.tree,
  };
  return context.grader.grade(assertions, evidence, {
    threshold: transcript.threshold,
    isThresholdChosen: transcript.isThresholdChosen,
    evaluationHost: open.evaluationHost,
    strict: context.strict,
  });
}
