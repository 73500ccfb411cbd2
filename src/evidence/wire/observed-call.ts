import type { ModelApi, CallUsage, Finish } from '../apis/model-api.ts';
import type { FollowedExchange } from './follow-conversations.ts';
import type { SortedTurn, TurnKind } from './sort-turns.ts';

/**
 * What one exchange was. `failed`: the server refused it or could not be reached. `broken`: its end is missing. Neither
 * counts. `other`: not a model call.
 */
export interface ObservedCall {
  readonly seq: number;
  readonly kind: TurnKind | 'failed' | 'broken' | 'other';
  readonly status: number;
  readonly path: string;
  readonly dialect?: ModelApi['name'] | undefined;
  readonly agent?: string | undefined;
  readonly streamed?: boolean | undefined;
  /** As the request names it: a deployment has its own name. */
  readonly model?: string | undefined;
  readonly response_model?: string | undefined;
  readonly finish?: Finish | undefined;
  readonly usage?: CallUsage | undefined;
  /** The names of the tools that the program was asked to run. */
  readonly tool_calls: readonly string[];
}

export function observedCall(
  { exchange, call, turn, isRepeated }: FollowedExchange,
  sorted: SortedTurn | undefined,
): ObservedCall {
  const { seq, status, path } = exchange;
  if (call === undefined) return { seq, kind: 'other', status, path, tool_calls: [] };
  const asked = { seq, status, path, dialect: call.api.name, streamed: call.isStreamed, model: call.model };
  if (turn === undefined || isRepeated || sorted === undefined) {
    return { ...asked, kind: call.outcome.kind === 'failed' ? 'failed' : 'broken', tool_calls: [] };
  }
  const { model, finish, usage } = turn.answer;
  return {
    ...asked,
    kind: sorted.kind,
    agent: sorted.agent,
    response_model: model,
    finish,
    usage,
    tool_calls: turn.calls.flatMap((each) => (each.asked.executed_by === undefined ? [each.asked.tool] : [])),
  };
}
