import type { TimedCall } from '../../base/model/reply.ts';
import { shareTexts } from '../../base/model/sent-texts.ts';
import { toUsage } from '../provider-usage.ts';
import type { FollowedExchange } from './follow-conversations.ts';
import type { SortedTurn } from './sort-turns.ts';
import type { Turn, TurnCall } from './turn.ts';

/**
 * The model calls of a step and the tool calls that they requested, by start time, relative to `startMs`. Without it they were replayed:
 * then their times say nothing, and they stand in the order of the requests.
 */
export function timelineOf(
  followed: readonly FollowedExchange[],
  sorted: ReadonlyMap<Turn, SortedTurn>,
  startMs: number | undefined,
): readonly TimedCall[] {
  const calls = followed.flatMap(({ exchange, call, sent, turn, isRepeated }): readonly TimedCall[] => {
    if (call === undefined) return [];
    const agent = turn === undefined ? undefined : sorted.get(turn)?.agent;
    const usage = turn?.answer.usage;
    const model: TimedCall = {
      kind: 'model',
      name: call.model ?? turn?.answer.model ?? 'unknown model',
      ...(startMs === undefined ? {} : modelTimes(exchange, startMs)),
      ...(turn === undefined || isRepeated ? { failed: true as const } : {}),
      ...(agent === undefined ? {} : { agent }),
      ...(usage === undefined ? {} : { token_usage: toUsage(usage) }),
      ...(sent === undefined ? {} : { sent }),
    };
    const tools = (turn?.calls ?? []).map((each) => toolCall(each, agent, startMs));
    return [model, ...tools];
  });
  return shareTexts(
    startMs === undefined ? calls : calls.toSorted((one, other) => one.start_ms! - other.start_ms!),
  );
}

type Times = Pick<TimedCall, 'start_ms' | 'duration_ms' | 'time_to_first_token_ms'>;

function modelTimes(
  { started_ms, ended_ms, first_byte_ms }: FollowedExchange['exchange'],
  startMs: number,
): Times {
  return {
    start_ms: round(Math.max(0, started_ms - startMs)),
    duration_ms: round(ended_ms - started_ms),
    ...(first_byte_ms === undefined
      ? {}
      : { time_to_first_token_ms: round(Math.max(0, first_byte_ms - started_ms)) }),
  };
}

/** From the response that asks for it to the request that brings its result. */
function toolCall(
  { turn, asked, result, answered_ms }: TurnCall,
  agent: string | undefined,
  startMs: number | undefined,
): TimedCall {
  const isFailed = result?.status !== undefined && FAILED.test(result.status);
  return {
    kind: 'tool',
    name: asked.tool,
    ...(startMs === undefined ? {} : { start_ms: round(Math.max(0, turn.ended_ms - startMs)) }),
    ...(startMs === undefined || asked.executed_by !== undefined || answered_ms === undefined
      ? {}
      : { duration_ms: round(Math.max(0, answered_ms - turn.ended_ms)) }),
    ...(isFailed ? { failed: true as const } : {}),
    ...(agent === undefined ? {} : { agent }),
  };
}

const FAILED = /err|fail|denied|timeout/i;

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
