import { faultyTool } from '../../../src/base/model/fault.ts';
import type { AttemptRecord, StepRecord } from '../../../src/base/model/record.ts';
import type { SentRequest } from '../../../src/base/model/sent-request.ts';
import type { RecordedToolCall, TokenUsage } from '../../../src/base/model/reply.ts';
import { describeAction, type RecordedFault } from '../faults.ts';

/** A step, or a call in it. */
export interface WaterfallRow {
  readonly kind: 'step' | 'model' | 'tool';
  readonly name: string;
  /** From 1 on. */
  readonly step: number;
  /** From the start of the first step. Undefined: nobody knows when it began, only its place in the order. */
  readonly startMs?: number | undefined;
  readonly durationMs?: number | undefined;
  /** It took at most `durationMs`. */
  readonly isBound?: boolean | undefined;
  readonly isFailed: boolean;
  readonly tokens?: TokenUsage | undefined;
  readonly costUsd?: number | undefined;
  /** Where this piece of evidence came from: `reported`, `recognised`, `observed`, `spans`. */
  readonly source?: string | undefined;
  readonly agent?: string | undefined;
  /** Of a model call: what was sent. Undefined: nobody knows. */
  readonly sent?: SentRequest | undefined;
  /** What went wrong on purpose. */
  readonly fault?: string | undefined;
}

export interface Waterfall {
  readonly rows: readonly WaterfallRow[];
  /** The end of the last bar. Undefined: no time is known. */
  readonly endMs: number | undefined;
  /** Some calls have no time. */
  readonly hasUntimed: boolean;
}

/**
 * What happened in an attempt, in order. Steps follow each other, so each begins where the one before it ended; calls have a
 * time only where they were observed.
 */
export function waterfallOf({ steps, faults = [] }: Pick<AttemptRecord, 'steps' | 'faults'>): Waterfall {
  const counter = createFaultCounter(faults);
  const rows: WaterfallRow[] = [];
  // Unknown after a step that does not tell how long it took.
  let startMs: number | undefined = 0;
  let endMs: number | undefined;
  for (const [index, step] of steps.entries()) {
    const isTimed = step.duration_ms !== undefined || step.timeline !== undefined;
    const from: number | undefined = isTimed ? startMs : undefined;
    const calls: readonly CallRow[] =
      step.timeline === undefined ? untimedCalls(step) : timedCalls(step, from);
    const own = calls.map((call) => ({ ...call, step: index + 1, fault: counter(call) }));
    rows.push(stepRow(step, index + 1, from), ...own);
    const ends = own.map(endOf);
    startMs = from === undefined ? undefined : Math.max(from + (step.duration_ms ?? 0), ...ends);
    endMs = startMs ?? endMs;
  }
  return {
    rows,
    endMs,
    hasUntimed: rows.some((row) => row.startMs === undefined),
  };
}

type CallRow = Omit<WaterfallRow, 'step' | 'fault'>;

function endOf({ startMs = 0, durationMs = 0 }: WaterfallRow): number {
  return startMs + durationMs;
}

function stepRow(step: StepRecord, number: number, startMs: number | undefined): WaterfallRow {
  const { duration_ms, token_usage, cost_usd, error, assertions, evidence } = step;
  return {
    kind: 'step',
    name: `Step ${number}`,
    step: number,
    startMs,
    durationMs: duration_ms,
    isFailed: error !== undefined || assertions.some(({ passed }) => passed !== true),
    tokens: token_usage,
    costUsd: cost_usd,
    source: evidence?.output,
  };
}

function timedCalls({ timeline = [] }: StepRecord, stepStartMs: number | undefined): readonly CallRow[] {
  return timeline.map((call) => ({
    kind: call.kind,
    name: call.name,
    startMs:
      call.start_ms === undefined || stepStartMs === undefined ? undefined : stepStartMs + call.start_ms,
    durationMs: call.duration_ms,
    isBound: call.kind === 'tool' && call.duration_ms !== undefined,
    isFailed: call.failed === true,
    tokens: call.token_usage,
    costUsd: call.cost_usd,
    source: 'observed',
    agent: call.agent,
    sent: call.sent,
  }));
}

/** In order, and without a bar: when they were made is not known. */
function untimedCalls({ tool_calls, tools_used = [], evidence }: StepRecord): readonly CallRow[] {
  const calls: readonly RecordedToolCall[] = tool_calls ?? tools_used.map((tool) => ({ tool }));
  return calls.map(({ tool, duration_ms, duration_bound, status, agent }) => ({
    kind: 'tool',
    name: tool,
    durationMs: duration_ms,
    isBound: duration_bound !== undefined,
    isFailed: status !== undefined && /err|fail|denied|timeout/i.test(String(status)),
    source: evidence?.tool_calls,
    agent,
  }));
}

/** Which fault met a call: faults are counted over the whole attempt, by the model or the tool. */
function createFaultCounter(faults: readonly RecordedFault[]): (call: CallRow) => string | undefined {
  const counts = new Map<string, number>();
  return ({ kind, name }) => {
    const key = kind === 'model' ? 'model' : `tool ${name}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    const fault = faults.find(
      (one) => one.call === count && (kind === 'model' ? one.on === 'model' : faultyTool(one) === name),
    );
    return fault && describeAction(fault.do);
  };
}
