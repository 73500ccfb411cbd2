import type { TelemetryEnd, TelemetryPath } from '../evidence/otel/telemetry-path.ts';
import { monotonicMs } from '../base/system/system-time.ts';
import type { RawReply } from './contract.ts';

export interface TracedStep {
  readonly signal: AbortSignal;
  /** Why nothing more can come when the agent has answered. Undefined: it may send for a while. */
  readonly end?: TelemetryEnd | undefined;
  /** The program takes the trace of its environment, and not one of each step. */
  readonly inherited?: boolean | undefined;
}

/** `isFlushed`: the agent sent all of its telemetry before it answered. */
export type TracedReply = RawReply & { readonly isFlushed?: boolean | undefined };

/** Sends a step to an agent, and adds what its telemetry tells. The agent took as long as it took to answer. */
export async function sendTraced(
  path: TelemetryPath,
  { signal, end, inherited }: TracedStep,
  send: (traceparent: string) => Promise<TracedReply>,
): Promise<RawReply> {
  const step = path.begin({ inherited });
  const startMs = monotonicMs();
  try {
    const { isFlushed, ...reply } = await send(step.traceparent);
    const durationMs = reply.durationMs ?? monotonicMs() - startMs;
    const spans = await path.finish(step, { end: isFlushed === true ? 'flushed' : end, signal });
    return { ...reply, durationMs, spans };
  } catch (error) {
    path.drop(step);
    throw error;
  }
}
