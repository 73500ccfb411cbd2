import type { Agent } from '../../agents/contract.ts';
import type { ReplyWarning } from '../../evidence/reply/reply-warning.ts';
import type { Doubt, Reply, TimedCall } from '../../base/model/reply.ts';
import type { SentStep } from '../attempt/step-record.ts';

/**
 * An agent may know better than the clock how long it took: starting a program and the network are not its time. But a report cannot
 * be shorter than what it must contain: the call of a function, and the observed model calls of every agent.
 */
export function doubtDuration(
  reply: Reply,
  sent: SentStep,
  agent: Pick<Agent, 'isFunction'> | undefined,
): Doubt | undefined {
  const { duration_ms: reported } = reply;
  // What was replayed took no time now.
  if (reported === undefined || sent.startMs === undefined) return undefined;
  const calls = coveredMs(reply.timeline ?? []);
  const least = agent?.isFunction === true ? Math.max(calls, sent.durationMs) : calls;
  if (reported >= least - Math.max(TOLERANCE_MS, least * TOLERANCE)) return undefined;
  const what = calls >= least ? 'its observed model calls took' : 'Assay measured';
  return {
    about: 'duration',
    message: `the agent reports a duration of ${reported} ms, but ${what} ${Math.round(least)} ms\n${HINT}`,
  };
}

const TOLERANCE_MS = 50;
const TOLERANCE = 0.1;

const HINT = 'remove `duration_ms` from the reply, so that Assay measures the time';

export function durationWarning({ message }: Doubt): ReplyWarning {
  return { code: 'duration_doubt', message: message.split('\n', 1)[0]!, hint: HINT };
}

export function withDoubt(reply: Reply, doubt: Doubt | undefined): Reply {
  return doubt === undefined ? reply : { ...reply, doubts: [...(reply.doubts ?? []), doubt] };
}

/** The time in which at least one model call was under way. */
function coveredMs(timeline: readonly TimedCall[]): number {
  let covered = 0;
  let end = 0;
  for (const { kind, start_ms: start, duration_ms: duration = 0 } of timeline) {
    if (kind !== 'model' || start === undefined) continue;
    covered += Math.max(0, start + duration - Math.max(start, end));
    end = Math.max(end, start + duration);
  }
  return covered;
}
