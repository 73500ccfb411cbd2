import { setOwn, type Json } from '../../base/model/json.ts';
import type { RecordedToolCall } from '../../base/model/reply.ts';
import type { TurnCall } from './turn.ts';

/** A tool call as it is recorded. Its duration is that between two model calls: the tool took at most as long. */
export function recordTurnCall(call: TurnCall, agent: string | undefined): RecordedToolCall {
  const { asked, result } = call;
  const duration = durationOf(call);
  const recorded = { tool: asked.tool } as Record<string, Json>;
  const parts = {
    id: asked.id,
    input: asked.input,
    output: result?.output,
    status: result?.status,
    duration_ms: duration,
    duration_bound: duration === undefined ? undefined : boundOf(call),
    agent,
    executed_by: asked.executed_by,
  };
  for (const [key, value] of Object.entries(parts)) if (value !== undefined) setOwn(recorded, key, value);
  return recorded as unknown as RecordedToolCall;
}

function durationOf({ turn, asked, answered_ms: answered }: TurnCall): number | undefined {
  if (asked.executed_by !== undefined || answered === undefined) return undefined;
  return Math.round(Math.max(0, answered - turn.ended_ms) * 1000) / 1000;
}

function boundOf({ turn }: TurnCall): 'alone' | 'parallel' {
  return turn.calls.filter(({ asked }) => asked.executed_by === undefined).length === 1
    ? 'alone'
    : 'parallel';
}
