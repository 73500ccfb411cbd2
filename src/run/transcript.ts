import { AgentError, type Session } from '../agents/contract.ts';
import { readReply } from '../agents/read-reply.ts';
import { doubtEmptyOutput, type ReplyDoubt } from '../agents/reply-doubt.ts';
import type { Assertion } from '../model/assertion.ts';
import type { Evidence } from '../model/evidence.ts';
import type { Finding } from '../model/finding.ts';
import type { JsonObject } from '../model/json.ts';
import type { AttemptRecord, RecordedError, StepRecord } from '../model/record.ts';
import type { Reply } from '../model/reply.ts';
import type { Step } from '../model/test.ts';
import { addAll, addUsage } from '../model/usage.ts';
import { createRequest } from './request.ts';
import { judge, type GradedAssertion } from './verdict.ts';
import type { Attempt, AttemptContext } from './attempt.ts';
import { describeAttempt } from './describe-attempt.ts';
import { combineEvidence } from './whole-test.ts';

type StepBase = Pick<
  StepRecord,
  'line' | 'input' | 'input_messages' | 'memory_before' | 'printed' | 'duration_ms'
>;

interface GradedStep {
  readonly record: Omit<StepRecord, 'assertions'>;
  readonly assertions: readonly GradedAssertion[];
}

/** What has happened in an attempt so far. */
export class Transcript {
  readonly findings: Finding[] = [];
  retryAfterMs: number | undefined;
  private readonly attempt: Attempt;
  private readonly context: AttemptContext;
  private readonly steps: GradedStep[] = [];
  private readonly evidence: Evidence[] = [];
  private wholeTest: readonly GradedAssertion[] = [];
  private memory: JsonObject;
  private error: RecordedError | undefined;
  private readonly warned = new Set<string>();

  constructor(attempt: Attempt, context: AttemptContext) {
    this.attempt = attempt;
    this.context = context;
    this.memory = attempt.test.memory ?? {};
  }

  /** A step that fails does not stop the next one; an agent that fails does. */
  async run(session: Session, signal: AbortSignal): Promise<void> {
    for (const step of this.attempt.test.steps) {
      await this.step(step, session, signal);
      if (this.error !== undefined) return;
    }
    const { assertions } = this.attempt.test;
    if (assertions.length > 0)
      this.wholeTest = await this.grade(assertions, combineEvidence(this.evidence), signal);
  }

  fail(error: unknown): void {
    this.error = toRecordedError(error);
    if (error instanceof AgentError) this.retryAfterMs = error.retryAfterMs;
  }

  toRecord(startedAt: string, durationMs: number): AttemptRecord {
    const groups = [...this.steps.map(({ assertions }) => assertions), this.wholeTest];
    const { verdict, score, error } = judge(groups, { threshold: this.threshold(), error: this.error });
    return {
      ...describeAttempt(this.attempt),
      verdict,
      score,
      error,
      steps: this.steps.map(({ record, assertions }) => ({ ...record, assertions })),
      assertions: this.wholeTest,
      retries: 0,
      token_usage: this.isComplete()
        ? addUsage(this.evidence.map(({ reply }) => reply.token_usage))
        : undefined,
      cost_usd: this.isComplete() ? addAll(this.evidence.map(({ reply }) => reply.cost_usd)) : undefined,
      started_at: startedAt,
      duration_ms: durationMs,
    };
  }

  private async step(step: Step, session: Session, signal: AbortSignal): Promise<void> {
    const { test, file, repeat } = this.attempt;
    const { clock } = this.context;
    const memoryBefore = this.memory;
    const { input_messages } = step;
    const request = createRequest({
      input_messages,
      memory: memoryBefore,
      test: { id: test.id, file },
      step: this.steps.length + 1,
      attempt: repeat,
    });
    const base = { line: step.place.line, input: request.input, input_messages, memory_before: memoryBefore };
    const start = clock.now();
    try {
      const {
        reply: returned,
        printed,
        doubt = doubtEmptyOutput(returned),
      } = await session.send(request, signal);
      const durationMs = clock.now() - start;
      const read = readReply(returned);
      const printedText = printed === '' ? undefined : printed;
      if ('problem' in read) {
        this.error = { kind: 'contract', message: read.problem };
        this.steps.push({
          record: { ...base, error: this.error, printed: printedText, duration_ms: durationMs },
          assertions: [],
        });
        return;
      }
      if (doubt !== undefined) this.warnOnce(step, doubt);
      const measured = { ...base, printed: printedText, duration_ms: durationMs };
      await this.finishStep(step, read.reply, { base: measured, signal });
    } catch (error) {
      this.fail(signal.aborted ? signal.reason : error);
      const printed = error instanceof AgentError && error.printed !== '' ? error.printed : undefined;
      this.steps.push({
        record: { ...base, error: this.error, printed, duration_ms: clock.now() - start },
        assertions: [],
      });
    }
  }

  private async finishStep(
    step: Step,
    reply: Reply,
    { base, signal }: { readonly base: StepBase; readonly signal: AbortSignal },
  ): Promise<void> {
    if (reply.memory === undefined) this.warnAboutMissingMemory(step);
    const memoryAfter = reply.memory ?? {};
    this.memory = memoryAfter;
    const { file } = this.attempt;
    // Evaluators that decide something themselves decide by the threshold that is in force.
    const test = { ...this.attempt.test, threshold: this.threshold() };
    const { input_messages, expected_messages } = step;
    const durationMs = reply.duration_ms ?? base.duration_ms;
    const evidence = {
      test,
      file,
      input_messages,
      expected_messages,
      reply,
      memoryBefore: base.memory_before,
      memoryAfter,
      durationMs,
    };
    this.evidence.push(evidence);
    const assertions = await this.grade(step.assertions, evidence, signal);
    const { output, tools_used, tool_calls, output_messages, token_usage, cost_usd } = reply;
    this.steps.push({
      record: {
        ...base,
        duration_ms: durationMs,
        output,
        tools_used,
        tool_calls,
        output_messages,
        memory: memoryAfter,
        token_usage,
        cost_usd,
      },
      assertions,
    });
  }

  private async grade(
    assertions: readonly Assertion[],
    evidence: Evidence,
    signal: AbortSignal,
  ): Promise<readonly GradedAssertion[]> {
    const { file, test } = this.attempt;
    const surroundings = this.context.surroundings({ file, target: test.target }, signal);
    const graded = this.context.grader.grade(assertions, evidence, {
      threshold: this.threshold(),
      surroundings,
    });
    const { assertions: results, findings } = graded instanceof Promise ? await graded : graded;
    this.findings.push(...findings);
    return results;
  }

  /** Every step was answered: what an attempt cost is not known otherwise. */
  private isComplete(): boolean {
    return this.evidence.length === this.attempt.test.steps.length;
  }

  private threshold(): number {
    return this.attempt.test.threshold ?? this.context.threshold;
  }

  /** Only where it matters: memory was there before, or a later step or an assertion looks at it. */
  private warnAboutMissingMemory(step: Step): void {
    const { test } = this.attempt;
    const isLookedAt = test.steps.some(({ assertions }) =>
      assertions.some(({ kind }) => kind === 'memory' || kind === 'expected'),
    );
    if (Object.keys(this.memory).length === 0 && !isLookedAt) return;
    this.warnOnce(step, {
      code: 'no_memory',
      message: 'the agent returned no memory: it is empty from here on',
      hint: 'return `memory` with every reply',
    });
  }

  /** An agent does what it does in every step: once is enough for a test. */
  private warnOnce(step: Step, doubt: ReplyDoubt): void {
    if (this.warned.has(doubt.code)) return;
    this.warned.add(doubt.code);
    this.findings.push({
      severity: 'warning',
      ...doubt,
      ...step.place,
      path: `steps[${this.steps.length}]`,
    });
  }
}

function toRecordedError(error: unknown): RecordedError {
  if (error instanceof AgentError) return { kind: error.kind, message: error.message };
  return { kind: 'agent', message: error instanceof Error ? error.message : String(error) };
}
