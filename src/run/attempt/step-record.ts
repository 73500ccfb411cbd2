import type { Evidence } from '../../base/model/evidence.ts';
import type { RecordedError, StepRecord } from '../../base/model/record.ts';
import type { OtherCalls } from '../../base/model/other-calls.ts';
import type { AgentRequest, Reply } from '../../base/model/reply.ts';
import type { Step } from '../../base/model/test.ts';
import type { GradedAssertion } from '../verdicts/verdict.ts';

/** A step that was sent to the agent, with the facts that do not depend on the reply. */
export interface SentStep {
  readonly step: Step;
  readonly request: AgentRequest;
  readonly printed: string | undefined;
  readonly durationMs: number;
  /** When it was sent. Undefined: its model calls were replayed, so their times say nothing. */
  readonly startMs?: number | undefined;
  /** What was observed of it, when it was not answered. */
  readonly observed?: Omit<Reply, 'output'> | undefined;
  /** Calls for embeddings and images. */
  readonly otherCalls?: readonly OtherCalls[] | undefined;
}

export interface GradedStep extends StepRecord {
  readonly assertions: readonly GradedAssertion[];
}

export function unansweredStep(
  { step, request, printed, durationMs, observed, otherCalls }: SentStep,
  error: RecordedError | undefined,
): GradedStep {
  return {
    line: step.place.line,
    column: error === undefined ? undefined : step.place.column,
    input: request.input,
    input_messages: step.input_messages,
    tools_used: observed?.tools_used,
    tool_calls: observed?.tool_calls,
    trace_gap: observed?.trace_gap,
    evidence: observed?.evidence,
    memory_before: request.memory,
    assertions: [],
    error,
    printed,
    models: observed?.models,
    model_calls: observed?.model_calls,
    other_calls: otherCalls,
    token_usage: observed?.token_usage,
    usage_complete: observed?.usage_complete,
    cost_usd: observed?.cost_usd,
    timeline: observed?.timeline,
    duration_ms: durationMs,
  };
}

export function answeredStep(
  { step, request, printed, otherCalls }: SentStep,
  { reply, memoryAfter, durationMs }: Evidence,
  assertions: readonly GradedAssertion[],
): GradedStep {
  const answered: GradedStep = {
    line: step.place.line,
    input: request.input,
    input_messages: step.input_messages,
    output: reply.output,
    tools_used: reply.tools_used,
    tool_calls: reply.tool_calls,
    trace_gap: reply.trace_gap,
    evidence: reply.evidence,
    output_messages: reply.output_messages,
    memory_before: request.memory,
    memory: memoryAfter,
    assertions,
    printed,
    token_usage: reply.token_usage,
    cost_usd: reply.cost_usd,
    duration_ms: durationMs,
  };
  const whole = otherCalls === undefined ? answered : { ...answered, other_calls: otherCalls };
  return hasMore(reply) ? { ...whole, ...moreOf(reply) } : whole;
}

/** Most replies have nothing of it, and a record with so many empty fields is slow to print. */
function hasMore(reply: Reply): boolean {
  return (
    reply.models !== undefined ||
    reply.model_calls !== undefined ||
    reply.unreported_calls !== undefined ||
    reply.observed_calls !== undefined ||
    reply.doubts !== undefined ||
    reply.harmless !== undefined ||
    reply.usage_complete !== undefined ||
    reply.time_to_first_token_ms !== undefined ||
    reply.timeline !== undefined
  );
}

function moreOf(reply: Reply): Partial<GradedStep> {
  return {
    unreported_calls: reply.unreported_calls,
    observed_calls: reply.observed_calls,
    doubts: reply.doubts,
    harmless: reply.harmless,
    models: reply.models,
    model_calls: reply.model_calls,
    usage_complete: reply.usage_complete,
    time_to_first_token_ms: reply.time_to_first_token_ms,
    timeline: reply.timeline,
  };
}
