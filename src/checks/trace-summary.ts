import type { Evidence, OutcomeWarning } from '../base/model/evidence.ts';
import { setOwn, type Json, type JsonObject } from '../base/model/json.ts';
import type { RecordedToolCall } from '../base/model/reply.ts';
import { madeCalls, unknownCalls } from './made-calls.ts';

/**
 * What is known about how the agent got to its reply; undefined if it reported nothing. Unknown parts are left out,
 * except the call counters, which scripts rely on: they are 0, and `traceSummaryWarnings` warns.
 */
export function summarizeTrace({ reply, durationMs }: Evidence): JsonObject | undefined {
  const { token_usage: usage, cost_usd: cost } = reply;
  const calls = madeCalls(reply);
  const isSilent =
    calls === undefined && usage === undefined && cost === undefined && reply.duration_ms === undefined;
  if (isSilent) return undefined;
  return {
    ...summarizeCalls(calls ?? []),
    ...(usage === undefined ? {} : { token_usage: withoutUndefined({ ...usage }) }),
    ...(cost === undefined ? {} : { cost_usd: cost }),
    ...(durationMs === undefined ? {} : { duration_ms: durationMs }),
  };
}

/** The reply tells of calls that cannot be counted: the counters are 0, or the whole summary is null. */
export function traceSummaryWarnings(evidence: Evidence): readonly OutcomeWarning[] {
  const { reply } = evidence;
  if (madeCalls(reply) !== undefined) return [];
  const isNull = summarizeTrace(evidence) === undefined;
  // That nothing was reported is what null says by itself.
  if (isNull && ['missing', 'left_out'].includes(reply.trace_gap?.kind ?? 'missing')) return [];
  const [problem = '', hint = ''] = unknownCalls(reply).split('\n');
  const effect = isNull ? '`trace_summary` is null' : 'the counters in `trace_summary` are 0';
  const message = `${problem}: ${effect} although calls may have been made`;
  return [{ code: 'no_trace', message, hint, isAboutEvidence: true }];
}

function summarizeCalls(calls: readonly RecordedToolCall[]): JsonObject {
  const counts = new Map<string, number>();
  const durations = new Map<string, number[]>();
  for (const { tool, duration_ms } of calls) {
    counts.set(tool, (counts.get(tool) ?? 0) + 1);
    if (duration_ms !== undefined) durations.set(tool, [...(durations.get(tool) ?? []), duration_ms]);
  }
  return {
    event_count: calls.length,
    tool_names: [...counts.keys()].sort(),
    tool_calls_by_name: toObject(counts),
    // Scripts rely on it. An agent that reports no status of its calls reports no failed one.
    error_count: calls.filter(({ status }) => FAILED.has(status?.toLowerCase() ?? '')).length,
    ...(durations.size === 0 ? {} : { tool_durations: toObject(durations) }),
  };
}

const FAILED: ReadonlySet<string> = new Set([
  'error',
  'errored',
  'failed',
  'failure',
  'timeout',
  'cancelled',
]);

/** A tool may be called `__proto__`. */
function toObject(entries: ReadonlyMap<string, Json>): JsonObject {
  const object: Record<string, Json> = {};
  for (const [key, value] of entries) setOwn(object, key, value);
  return object;
}

function withoutUndefined(object: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );
}
