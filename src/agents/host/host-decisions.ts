import type { Exchange } from '../../evidence/exchange.ts';
import type { CallDecision, ModelAnswer, WatchedCall } from '../../evidence/observe/before-call.ts';
import type { Json } from '../../base/model/json.ts';
import type { AnswerData, DecisionData, WatchedExchange } from './messages.ts';

type Forwarding = Extract<CallDecision, { readonly do: 'forward' }>;
type Pieces = AsyncIterator<Uint8Array>;

/** Decisions about the model calls in a host, as data that can be sent to it, and what it asks about them later. */
export class HostDecisions {
  private readonly watches = new Map<number, RemoteCall>();
  private readonly responders = new Map<number, NonNullable<Forwarding['respond']>>();
  private readonly bodies = new Map<number, Pieces>();
  private last = 0;

  toData(decision: CallDecision): DecisionData {
    if (decision.do === 'answer') return { ...decision, answer: this.toAnswerData(decision.answer) };
    if (decision.do !== 'forward') return decision;
    const { request, watch, respond } = decision;
    if (watch === undefined && respond === undefined) return { do: 'forward', request, isChanged: false };
    const number = ++this.last;
    const remote = new RemoteCall();
    this.watches.set(number, remote);
    watch?.call(decision, remote);
    if (respond !== undefined) this.responders.set(number, (whole) => respond.call(decision, whole));
    return { do: 'forward', request, watch: number, isChanged: respond !== undefined };
  }

  /** What became of the calls that somebody watches. `shiftMs`: from the host's clock to this one. */
  update(watched: readonly WatchedExchange[], shiftMs: number): void {
    for (const { watch, exchange, isModelCall } of watched)
      this.watches.get(watch)?.update(shiftTimes(exchange, shiftMs), isModelCall);
  }

  async respond(number: number, whole: Exchange): Promise<AnswerData> {
    return this.toAnswerData(await this.responders.get(number)!(whole));
  }

  /** The next piece of a body, in base64; null after the last one. */
  async piece(body: number): Promise<Json> {
    const { done, value } = (await this.bodies.get(body)?.next()) ?? { done: true, value: undefined };
    if (done !== true) return Buffer.from(value as Uint8Array).toString('base64');
    this.bodies.delete(body);
    return null;
  }

  private toAnswerData({ body, ...answer }: ModelAnswer): AnswerData {
    if (!(Symbol.asyncIterator in body))
      return { ...answer, body: [...body].map((piece) => Buffer.from(piece).toString('base64')) };
    const number = ++this.last;
    this.bodies.set(number, body[Symbol.asyncIterator]());
    return { ...answer, body: number };
  }
}

/** A call in the host that somebody watches here. */
class RemoteCall implements WatchedCall {
  private exchange: Exchange = UNSEEN;
  private isModelCall = true;

  update(exchange: Exchange, isModelCall: boolean): void {
    this.exchange = exchange;
    this.isModelCall = isModelCall;
  }

  toExchange(): Exchange {
    return this.exchange;
  }

  toModelExchange(): Exchange | undefined {
    return this.isModelCall ? this.exchange : undefined;
  }
}

/** The host ended before it told. */
const UNSEEN: Exchange = {
  seq: 0,
  step: 1,
  started_ms: 0,
  ended_ms: 0,
  method: 'POST',
  path: '',
  status: 0,
  response_headers: {},
  response_text: '',
  aborted: true,
};

export function shiftTimes(exchange: Exchange, shiftMs: number): Exchange {
  const { started_ms, ended_ms, first_byte_ms } = exchange;
  return {
    ...exchange,
    started_ms: started_ms + shiftMs,
    ended_ms: ended_ms + shiftMs,
    ...(first_byte_ms !== undefined && { first_byte_ms: first_byte_ms + shiftMs }),
  };
}
