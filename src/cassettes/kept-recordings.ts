import type { Exchange } from '../evidence/exchange.ts';
import { isJsonList } from '../model/json.ts';
import { canonicalText, MESSAGE_LISTS, type CanonicalRequest } from './canonical-request.ts';
import type { Recording } from './cassette.ts';
import { isCutOff, recordResponse } from './recorded-response.ts';

/** A call that went to the model. */
export interface MadeCall {
  readonly request: CanonicalRequest;
  readonly exchange: Exchange;
}

/** The recordings of the calls that one attempt made: those that count, in an order that does not depend on timing. */
export function keptRecordings(made: readonly MadeCall[]): readonly Recording[] {
  const starts = new Map<number, number>();
  for (const { exchange } of made) {
    const { step, started_ms } = exchange;
    starts.set(step, Math.min(starts.get(step) ?? Infinity, started_ms));
  }
  return inSteadyOrder(withoutRetried(made)).map(({ request, exchange }) => ({
    step: exchange.step,
    request,
    response: recordResponse(exchange, starts.get(exchange.step)!),
  }));
}

/** A call that failed and was sent again says nothing: only what came of it in the end is kept. */
function withoutRetried(made: readonly MadeCall[]): readonly MadeCall[] {
  const lastOf = new Map(made.map(({ request }, index) => [canonicalText(request), index]));
  return made.filter(
    ({ request, exchange }, index) =>
      !isPassingFailure(exchange) || lastOf.get(canonicalText(request)) === index,
  );
}

function isPassingFailure(exchange: Exchange): boolean {
  const { status } = exchange;
  return (
    status === 0 || status === 408 || status === 409 || status === 429 || status >= 500 || isCutOff(exchange)
  );
}

/**
 * Calls that overlap are made in any order. They are sorted by what they say, and so are all that hang together in this way:
 * two conversations at once give the same file whichever was faster.
 */
function inSteadyOrder(made: readonly MadeCall[]): readonly MadeCall[] {
  const groups: MadeCall[][] = [];
  let end = -Infinity;
  for (const call of made) {
    const { started_ms, ended_ms } = call.exchange;
    if (started_ms < end) groups.at(-1)!.push(call);
    else groups.push([call]);
    end = Math.max(end, ended_ms);
  }
  return groups.flatMap((group) => (group.length === 1 ? group : group.toSorted(bySaying)));
}

function bySaying(one: MadeCall, other: MadeCall): number {
  const [a, b] = [canonicalText(one.request), canonicalText(other.request)];
  return (
    one.exchange.step - other.exchange.step ||
    messagesOf(one) - messagesOf(other) ||
    (a === b ? one.exchange.seq - other.exchange.seq : a < b ? -1 : 1)
  );
}

function messagesOf({ request: { body } }: MadeCall): number {
  const key = MESSAGE_LISTS.find((name) => isJsonList(body[name]));
  return key === undefined ? 0 : (body[key] as readonly unknown[]).length;
}
