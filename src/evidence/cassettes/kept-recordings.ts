import type { Exchange } from '../exchange.ts';
import { readModelCall } from '../wire/read-model-call.ts';
import type { Redactor } from '../../base/match/redact-secrets.ts';
import { isJsonList } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import { canonicalText, MESSAGE_LISTS, type CanonicalRequest } from './canonical-request.ts';
import type { Recording } from './cassette.ts';
import { isCutOff, recordResponse } from './recorded-response.ts';

/** A call that went to the model. */
export interface MadeCall {
  readonly request: CanonicalRequest;
  readonly exchange: Exchange;
}

export interface KeptRecordings {
  readonly recordings: readonly Recording[];
  /** How many calls a file cannot hold, each with a reason. */
  readonly left: readonly string[];
}

/** The recordings of the calls that one attempt made: those that count, in an order that does not depend on timing. */
export function keptRecordings(all: readonly MadeCall[], redactor: Redactor): KeptRecordings {
  const left = all.flatMap(({ exchange }) => whyNotKept(exchange, redactor) ?? []);
  const made = all.filter(({ exchange }) => whyNotKept(exchange, redactor) === undefined);
  const starts = new Map<number, number>();
  for (const { exchange } of made) {
    const { step, started_ms } = exchange;
    starts.set(step, Math.min(starts.get(step) ?? Infinity, started_ms));
  }
  const recordings = inSteadyOrder(withoutRetried(made)).map(({ request, exchange }) => ({
    step: exchange.step,
    request,
    response: recordResponse(exchange, starts.get(exchange.step)!),
  }));
  return { recordings, left };
}

/** Undefined: it can be kept. */
function whyNotKept(exchange: Exchange, redactor: Redactor): string | undefined {
  const { response_text: text = '' } = exchange;
  if (exchange.is_cut === true)
    return 'the response is longer than 10 MB, or packed in a way that Assay does not know';
  if (text.includes('\uFFFD')) return 'the response is not text';
  return holdsSplitSecret(exchange, redactor) ? 'the response holds a secret, in pieces' : undefined;
}

/** A secret may come in several events of a stream: none of them shows it, and all of them together do. */
function holdsSplitSecret(exchange: Exchange, redactor: Redactor): boolean {
  const { response_text: text } = exchange;
  if (text === undefined || redactor.text(text) !== text) return false;
  const outcome = readModelCall(exchange)?.outcome;
  if (outcome?.kind !== 'answered') return false;
  const said = printJson([outcome.answer.text ?? '', outcome.answer.calls]);
  return redactor.text(said) !== said;
}

/**
 * A call that failed and was sent again says nothing: only what came of it in the end is kept. It was sent again if the same call
 * followed in the same step, after the first one had ended.
 */
function withoutRetried(made: readonly MadeCall[]): readonly MadeCall[] {
  return made.filter(
    (call, index) =>
      !isPassingFailure(call.exchange) || !made.slice(index + 1).some((later) => isSentAgain(call, later)),
  );
}

function isSentAgain(failed: MadeCall, later: MadeCall): boolean {
  return (
    later.exchange.step === failed.exchange.step &&
    later.exchange.started_ms >= failed.exchange.ended_ms &&
    canonicalText(later.request) === canonicalText(failed.request)
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
