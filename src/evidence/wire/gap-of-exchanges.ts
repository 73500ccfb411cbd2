import type { Trace } from '../trace.ts';
import type { FollowedExchange } from './follow-conversations.ts';
import type { Turn } from './turn.ts';

/** Why tool calls may be missing: a response broke off and was not requested again, or has an unknown part. */
export function gapOfExchanges(
  followed: readonly FollowedExchange[],
  turns: readonly Turn[],
): Pick<Trace, 'gap' | 'warnings'> {
  const unknown = turns.flatMap(({ answer }) => answer.unknown);
  return {
    gap: [...followed.flatMap(lost), ...unknown.filter(({ mayHoldCall }) => mayHoldCall).map(placeOf)][0],
    ...(unknown.length === 0 ? {} : { warnings: unknown.map(toWarning) }),
  };
}

function lost({ exchange, call, isRepeated }: FollowedExchange): readonly NonNullable<Trace['gap']>[] {
  if (isRepeated || call?.outcome.kind !== 'broken' || !call.outcome.hidesCalls) return [];
  return [{ at: `model call ${exchange.seq} (${exchange.path})`, form: call.outcome.problem }];
}

function placeOf({ at, form }: NonNullable<Trace['gap']>): NonNullable<Trace['gap']> {
  return { at, form };
}

function toWarning({ at, form }: NonNullable<Trace['gap']>): NonNullable<Trace['warnings']>[number] {
  return {
    code: 'unknown_part',
    message: `the response of a model contains something that Assay does not know at \`${at}\` (${form})`,
    hint: 'claims about what it may contain cannot be checked',
  };
}
