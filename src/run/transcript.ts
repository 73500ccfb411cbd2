import { AgentError, type RawReply, type NowOrLater, type Session } from '../agents/contract.ts';
import { readReply } from '../agents/read-reply.ts';
import type { ReplyWarning } from '../agents/reply-warning.ts';
import type { Assertion } from '../model/assertion.ts';
import type { Evidence } from '../model/evidence.ts';
import type { Finding } from '../model/finding.ts';
import type { JsonObject } from '../model/json.ts';
import type { AttemptRecord, RecordedError, StepRecord } from '../model/record.ts';
import type { AgentRequest, Reply } from '../model/reply.ts';
import type { Step } from '../model/test.ts';
import { addAll, addUsage } from '../model/usage.ts';
import type { Attempt, AttemptContext } from './attempt.ts';
import type { AttemptLimit } from './attempt-limit.ts';
import { strictProblem, toGraded, type Graded } from './grade.ts';
import type { Surroundings } from './metered-tools.ts';
import { roundMs } from './clock.ts';
import type { StoppedAssertion } from './preflight.ts';
import { doubtDuration } from './duration-doubt.ts';
import { createRequest } from './request.ts';
import { judgeSpending } from './spending.ts';
import { judge, type GradedAssertion } from './verdict.ts';
import { combineEvidence } from './whole-test.ts';

interface GradedStep extends StepRecord {
  readonly assertions: readonly GradedAssertion[];
}

/** A step that was sent, and what is known of it before anything is said about the reply. */
interface SentStep {
  readonly step: Step;
  readonly request: AgentRequest;
  readonly printed: string | undefined;
  readonly durationMs: number;
}

/** What has happened in an attempt so far. */
export class Transcript {
  readonly findings: Finding[] = [];
  retryAfterMs: number | undefined;
  private readonly attempt: Attempt;
  private readonly context: AttemptContext;
  private readonly steps: GradedStep[] = [];
  private readonly evidence: Evidence[] = [];
  private surroundings: Surroundings | undefined;
  private wholeTest: readonly GradedAssertion[] = [];
  private memory: JsonObject;
  private error: RecordedError | undefined;
  private warned: Set<string> | undefined;

  constructor(attempt: Attempt, context: AttemptContext) {
    this.attempt = attempt;
    this.context = context;
    this.memory = attempt.test.memory ?? {};
  }

  /** A step that fails does not stop the next one; an agent that fails does. */
  async run(session: Session, limit: AttemptLimit): Promise<void> {
    for (const step of this.attempt.test.steps) {
      const sent = this.step(step, session, limit);
      if (sent instanceof Promise) await sent;
      if (this.error !== undefined || this.isTooLate(limit)) return;
    }
    const { assertions } = this.attempt.test;
    if (assertions.length === 0) return;
    const { assertions: graded, findings } = await this.grade(
      assertions,
      combineEvidence(this.evidence),
      limit.signal,
    );
    this.wholeTest = graded;
    this.find(findings);
    this.isTooLate(limit);
  }

  /** What stands in the way of judging the test, known before its agent is called. */
  stop(stopped: readonly StoppedAssertion[]): void {
    this.wholeTest = stopped.map(({ assertion, obstacles }) => {
      const { kind } = obstacles[0]!;
      const message = [...new Set(obstacles.map((obstacle) => obstacle.message))].join('; ');
      return toGraded(assertion, { error: { kind, message } }, this.threshold());
    });
  }

  get isStopped(): boolean {
    return this.wholeTest.length > 0;
  }

  fail(error: unknown): void {
    this.error = toRecordedError(error);
    if (error instanceof AgentError) this.retryAfterMs = error.retryAfterMs;
  }

  toRecord(startedAt: string, durationMs: number): AttemptRecord {
    const groups = [...this.steps.map(({ assertions }) => assertions), this.wholeTest];
    const { verdict, score, error } = judge(groups, { threshold: this.threshold(), error: this.error });
    const { id, file, test, target, repeat, fingerprint } = this.attempt;
    const isComplete = this.evidence.length === test.steps.length;
    const judges = judgeSpending(groups);
    // Every field by its name: an object made of others is several times as slow to make and to print.
    return {
      id,
      file,
      line: test.place.line,
      column: test.place.column,
      test: test.id,
      description: test.description,
      tags: test.tags,
      metadata: test.metadata,
      target,
      repeat,
      pass_at_least: test.pass_at_least,
      fingerprint,
      verdict,
      score,
      error,
      steps: this.steps,
      assertions: this.wholeTest,
      retries: 0,
      findings: this.findings.length === 0 ? undefined : this.findings,
      // What an attempt cost is not known unless every step was answered.
      token_usage: isComplete ? addUsage(this.evidence.map(({ reply }) => reply.token_usage)) : undefined,
      cost_usd: isComplete ? addAll(this.evidence.map(({ reply }) => reply.cost_usd)) : undefined,
      judge_calls: judges?.judge_calls,
      judge_token_usage: judges?.judge_token_usage,
      judge_cost_usd: judges?.judge_cost_usd,
      started_at: startedAt,
      duration_ms: roundMs(durationMs),
    };
  }

  /** What an evaluator says after the limit is shown, and decides nothing. */
  private isTooLate(limit: AttemptLimit): boolean {
    const reason = limit.reasonToEnd('verdict');
    if (reason !== undefined) this.fail(reason);
    return reason !== undefined;
  }

  /** Agents of this process and most assertions answer at once: no promise is made for those. */
  private step(step: Step, session: Session, limit: AttemptLimit): NowOrLater<void> {
    const { test, file, repeat } = this.attempt;
    const { clock } = this.context;
    const request = createRequest({
      input_messages: step.input_messages,
      memory: this.memory,
      test: { id: test.id, file },
      step: this.steps.length + 1,
      attempt: repeat,
    });
    const start = clock.now();
    const sent = (printed: string, tookMs = clock.now() - start): SentStep => ({
      step,
      request,
      printed: printed || undefined,
      durationMs: roundMs(tookMs),
    });
    const onEnd = (reason: unknown, printed: string): void => {
      this.fail(reason);
      this.steps.push(unansweredStep(sent(printed), this.error));
    };
    const onAnswer = (answer: RawReply): NowOrLater<void> => {
      const reason = limit.reasonToEnd('reply');
      if (reason !== undefined) return onEnd(reason, answer.printed);
      return this.readAnswer(answer, sent(answer.printed, answer.durationMs), limit.signal);
    };
    const onError = (error: unknown): void =>
      onEnd(limit.reasonToEnd('reply') ?? error, error instanceof AgentError ? error.printed : '');
    try {
      const answer = session.send(request, limit.signal);
      const done = answer instanceof Promise ? answer.then(onAnswer) : onAnswer(answer);
      return done instanceof Promise ? done.catch(onError) : undefined;
    } catch (error) {
      return onError(error);
    }
  }

  private readAnswer(answer: RawReply, sent: SentStep, signal: AbortSignal): NowOrLater<void> {
    const read = readReply(answer.reply, answer.unreported);
    if ('problem' in read) return this.refuse(sent, read.problem);
    const durations = { reportedMs: read.reply.duration_ms, measuredMs: sent.durationMs };
    const doubts = [
      answer.warning,
      this.doubtMemory(read.reply),
      doubtDuration(this.attempt.test, durations, this.context.grader),
    ];
    for (const doubt of doubts) {
      if (doubt === undefined) continue;
      if (this.context.strict === true) return this.refuse(sent, strictProblem(doubt));
      this.warnOnce(sent.step, doubt);
    }
    return this.gradeReply(sent, read.reply, signal);
  }

  /** The reply breaks the contract. */
  private refuse(sent: SentStep, message: string): void {
    this.error = { kind: 'contract', message };
    this.steps.push(unansweredStep(sent, this.error));
  }

  private gradeReply(sent: SentStep, reply: Reply, signal: AbortSignal): NowOrLater<void> {
    const { step, request } = sent;
    const memoryAfter = reply.memory ?? {};
    this.memory = memoryAfter;
    const evidence = {
      test: this.attempt.test,
      threshold: this.threshold(),
      file: this.attempt.file,
      input_messages: step.input_messages,
      expected_messages: step.expected_messages,
      reply,
      memoryBefore: request.memory,
      memoryAfter,
      durationMs: reply.duration_ms ?? sent.durationMs,
    };
    this.evidence.push(evidence);
    const graded = this.grade(step.assertions, evidence, signal);
    const finish = ({ assertions, findings }: Graded): void => {
      this.find(findings);
      this.steps.push(answeredStep(sent, evidence, assertions));
    };
    return graded instanceof Promise ? graded.then(finish) : finish(graded);
  }

  private grade(
    assertions: readonly Assertion[],
    evidence: Evidence,
    signal: AbortSignal,
  ): NowOrLater<Graded> {
    const { file, test } = this.attempt;
    this.surroundings ??= this.context.surroundings({ file, target: test.target }, signal);
    return this.context.grader.grade(assertions, evidence, {
      threshold: this.threshold(),
      surroundings: this.surroundings,
      strict: this.context.strict,
    });
  }

  /** What an agent does not report, it reports in no step: once is enough for a test. */
  private find(findings: readonly Finding[]): void {
    for (const finding of findings)
      if (finding.code !== 'no_trace' || this.isFirst(finding.code)) this.findings.push(finding);
  }

  private isFirst(code: string): boolean {
    this.warned ??= new Set();
    return this.warned.size < this.warned.add(code).size;
  }

  private threshold(): number {
    return this.attempt.test.threshold ?? this.context.threshold;
  }

  /** Only where it matters: memory was there before, or a later step or an assertion looks at it. */
  private doubtMemory({ memory }: Reply): ReplyWarning | undefined {
    if (memory !== undefined) return undefined;
    const isLookedAt = this.attempt.test.steps.some(({ assertions }) =>
      this.context.grader.readsPart(assertions, 'memory'),
    );
    if (Object.keys(this.memory).length === 0 && !isLookedAt) return undefined;
    return {
      code: 'no_memory',
      message: 'the agent returned no memory: it is empty from here on',
      hint: 'return `memory` with every reply',
    };
  }

  /** An agent does what it does in every step: once is enough for a test. */
  private warnOnce(step: Step, doubt: ReplyWarning): void {
    if (!this.isFirst(doubt.code)) return;
    this.findings.push({
      severity: 'warning',
      ...doubt,
      // By their names: places may be looked up when they are asked for, and have nothing to be spread.
      file: step.place.file,
      line: step.place.line,
      column: step.place.column,
      path: `steps[${this.steps.length}]`,
    });
  }
}

function unansweredStep(
  { step, request, printed, durationMs }: SentStep,
  error: RecordedError | undefined,
): GradedStep {
  return {
    line: step.place.line,
    input: request.input,
    input_messages: step.input_messages,
    memory_before: request.memory,
    assertions: [],
    error,
    printed,
    duration_ms: durationMs,
  };
}

function answeredStep(
  { step, request, printed }: SentStep,
  { reply, memoryAfter, durationMs }: Evidence,
  assertions: readonly GradedAssertion[],
): GradedStep {
  return {
    line: step.place.line,
    input: request.input,
    input_messages: step.input_messages,
    output: reply.output,
    tools_used: reply.tools_used,
    tool_calls: reply.tool_calls,
    trace_gap: reply.trace_gap,
    output_messages: reply.output_messages,
    memory_before: request.memory,
    memory: memoryAfter,
    assertions,
    printed,
    token_usage: reply.token_usage,
    cost_usd: reply.cost_usd,
    duration_ms: durationMs,
  };
}

function toRecordedError(error: unknown): RecordedError {
  if (error instanceof AgentError) return { kind: error.kind, message: error.message };
  return { kind: 'agent', message: error instanceof Error ? error.message : String(error) };
}
