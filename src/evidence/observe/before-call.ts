import type { JsonObject } from '../../base/model/json.ts';
import type { Exchange } from '../exchange.ts';

/** A model call that an agent is about to make, or another request to a model API: embeddings, lists of models. */
export interface ModelCall {
  readonly method: string;
  /** With the query, without keys. */
  readonly path: string;
  readonly request?: JsonObject | undefined;
  /** The step of the test, from 1 on. */
  readonly step: number;
  readonly isModelCall: boolean;
}

/** A call that is forwarded, as far as it has come. */
export interface WatchedCall {
  toExchange(): Exchange;
  /** Undefined: it is not a model call. */
  toModelExchange(): Exchange | undefined;
}

/** What happens to a call. */
export type CallDecision =
  | {
      readonly do: 'forward';
      /** What is sent instead of the agent's request. */
      readonly request?: JsonObject | undefined;
      /** Gets the exchange, which ends when the response does. */
      watch?(exchange: WatchedCall): void;
      /** What the agent gets instead of the response, once that is whole. `watch` gets the response all the same. */
      respond?(whole: Exchange): ModelAnswer | Promise<ModelAnswer>;
    }
  /** Ends the attempt too: the agent gets an error that no SDK retries. */
  | Refusal
  /** What the agent gets instead of what the model would say. Nothing is sent. */
  | {
      readonly do: 'answer';
      readonly answer: ModelAnswer;
      /** What the answer is to, where that is not the agent's request. */
      readonly request?: JsonObject | undefined;
    }
  /** The connection breaks, or there is never an answer. Nothing is sent. */
  | { readonly do: 'fail'; readonly how: 'reset' | 'hang' };

export interface Refusal {
  readonly do: 'refuse';
  /** Why: a limit of the attempt is reached, the call is not in its cassette, or Assay cannot do with it what it is to do. */
  readonly kind: 'limit' | 'cassette' | 'config';
  readonly message: string;
}

/** A decision for which there is a response. */
export type AnsweredCall = Extract<CallDecision, { readonly do: 'answer' | 'refuse' }>;

export interface ModelAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** In the pieces in which it is to arrive. */
  readonly body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** The connection breaks after the body. */
  readonly isBroken?: boolean | undefined;
}

/**
 * Asked before each call of an attempt, in the order in which they are made. `before` are the model calls that it made
 * earlier; one that is under way is undefined.
 */
export type BeforeCall = (
  call: ModelCall,
  before: readonly (Exchange | undefined)[],
) => CallDecision | Promise<CallDecision>;

export const FORWARD: CallDecision = { do: 'forward' };

/** Asks one after the other, until one does more than let the call pass. */
export function joinDecisions(deciders: readonly (BeforeCall | undefined)[]): BeforeCall | undefined {
  const [first, ...others] = deciders.filter((each) => each !== undefined);
  const next = others.length === 0 ? undefined : joinDecisions(others);
  if (first === undefined || next === undefined) return first;
  return async (call, before) => {
    const decision = await first(call, before);
    return decision.do === 'forward' ? next(call, before) : decision;
  };
}

/** The response that the agent gets. */
export function answerOf(decision: AnsweredCall): ModelAnswer {
  return decision.do === 'answer' ? decision.answer : refusalAnswer(decision);
}

/** What an agent gets for a call that was refused: in the form of OpenAI's and Anthropic's errors, with a status that SDKs do not retry. */
function refusalAnswer({ kind, message }: Refusal): ModelAnswer {
  const body = { type: 'error', error: { type: 'permission_error', code: `assay_${kind}`, message } };
  return {
    status: 403,
    headers: { 'content-type': 'application/json', 'x-should-retry': 'false' },
    body: [Buffer.from(JSON.stringify(body))],
  };
}
