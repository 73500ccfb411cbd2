import { AgentError, type Agent, type Session } from '../agents/contract.ts';
import { readReply } from '../agents/read-reply.ts';
import type { Assertion } from '../model/assertion.ts';
import type { Evidence } from '../model/evidence.ts';
import type { Finding } from '../model/finding.ts';
import type { JsonObject } from '../model/json.ts';
import type { AttemptRecord, RecordedError, StepRecord } from '../model/record.ts';
import type { Reply } from '../model/reply.ts';
import type { Step, Test } from '../model/test.ts';
import { addAll, addUsage } from '../model/usage.ts';
import type { Clock } from './clock.ts';
import type { Grader, Surroundings } from './grade.ts';
import { createRequest } from './request.ts';
import { judge, type GradedAssertion } from './verdict.ts';
import { combineEvidence } from './whole-test.ts';

/** One execution of one test by one agent, planned. */
export interface Attempt {
  /** `file::test::target::repeat`. */
  readonly id: string;
  readonly file: string;
  readonly test: Test;
  readonly target: string;
  readonly agent: Agent;
  /** Counts from 1. */
  readonly repeat: number;
  readonly fingerprint: string;
}

export interface AttemptContext {
  readonly grader: Grader;
  readonly threshold: number;
  readonly clock: Clock;
  /** Told when the agent is about to be asked. */
  onOpen(): void;
  /** What evaluators of this suite may use of the world outside. */
  surroundings(
    place: { readonly file: string; readonly target: string | undefined },
    signal: AbortSignal,
  ): Surroundings;
}

export interface FinishedAttempt {
  readonly record: AttemptRecord;
  readonly findings: readonly Finding[];
  /** How long the agent asked to be left alone, when that is why it failed. */
  readonly retryAfterMs?: number | undefined;
}

/** Runs the steps of a test in order, each on the memory the step before left. */
export async function runAttempt(
  attempt: Attempt,
  context: AttemptContext,
  signal: AbortSignal,
): Promise<FinishedAttempt> {
  const { clock } = context;
  const startedAt = clock.date().toISOString();
  const start = clock.now();
  const transcript = new Transcript(attempt, context);
  const session = await openSession(attempt);
  if ('error' in session) transcript.fail(session.error);
  else {
    context.onOpen();
    try {
      await transcript.run(session, signal);
    } finally {
      await closeSession(session);
    }
  }
  return {
    record: transcript.toRecord(startedAt, clock.now() - start),
    findings: transcript.findings,
    retryAfterMs: transcript.retryAfterMs,
  };
}

/** What an agent does after its last reply is not part of the test. */
async function closeSession(session: Session): Promise<void> {
  try {
    await session.close();
  } catch {
    // The agent's own end is looked after when the run ends.
  }
}

async function openSession({ test, file, agent }: Attempt): Promise<Session | { readonly error: unknown }> {
  try {
    return await agent.open({ id: test.id, file });
  } catch (error) {
    return { error };
  }
}

type StepBase = Pick<
  StepRecord,
  'line' | 'input' | 'input_messages' | 'memory_before' | 'printed' | 'duration_ms'
>;

interface GradedStep {
  readonly record: Omit<StepRecord, 'assertions'>;
  readonly assertions: readonly GradedAssertion[];
}

/** What has happened in an attempt so far. */
class Transcript {
  readonly findings: Finding[] = [];
  retryAfterMs: number | undefined;
  private readonly attempt: Attempt;
  private readonly context: AttemptContext;
  private readonly steps: GradedStep[] = [];
  private readonly evidence: Evidence[] = [];
  private wholeTest: readonly GradedAssertion[] = [];
  private memory: JsonObject;
  private error: RecordedError | undefined;
  private saidThatMemoryIsMissing = false;

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
    const { id, file, test, target, repeat, fingerprint } = this.attempt;
    const groups = [...this.steps.map(({ assertions }) => assertions), this.wholeTest];
    const { verdict, score, error } = judge(groups, { threshold: this.threshold(), error: this.error });
    return {
      id,
      file,
      line: test.place.line,
      column: test.place.column,
      test: test.id,
      description: test.description,
      tags: test.tags,
      target,
      repeat,
      fingerprint,
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
      const { reply: returned, printed } = await session.send(request, signal);
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
    if (this.saidThatMemoryIsMissing || (Object.keys(this.memory).length === 0 && !isLookedAt)) return;
    this.saidThatMemoryIsMissing = true;
    this.findings.push({
      severity: 'warning',
      code: 'no_memory',
      message: 'the agent returned no memory: it is empty from here on',
      hint: 'return `memory` with every reply',
      ...step.place,
      path: `steps[${this.steps.length}]`,
    });
  }
}

function toRecordedError(error: unknown): RecordedError {
  if (error instanceof AgentError) return { kind: error.kind, message: error.message };
  return { kind: 'agent', message: error instanceof Error ? error.message : String(error) };
}
