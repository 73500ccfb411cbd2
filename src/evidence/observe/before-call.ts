import type { JsonObject } from '../../model/json.ts';
import type { Exchange } from '../exchange.ts';

/** A model call that an agent is about to make. */
export interface ModelCall {
  readonly method: string;
  /** With the query, without keys. */
  readonly path: string;
  readonly request?: JsonObject | undefined;
}

/**
 * What happens to a model call. `refuse` ends the attempt too: the agent gets an error that no SDK retries. `answer` is what the agent gets
 * instead of what the model would say; nothing is sent.
 */
export type CallDecision =
  | { readonly do: 'forward' }
  | { readonly do: 'refuse'; readonly message: string }
  | { readonly do: 'answer'; readonly answer: ModelAnswer };

export interface ModelAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** In the pieces in which it is to arrive. */
  readonly body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/**
 * Asked before each model call of an attempt, in the order in which they are made. `before` are the calls that it made
 * earlier; one that is under way is undefined.
 */
export type BeforeCall = (
  call: ModelCall,
  before: readonly (Exchange | undefined)[],
) => CallDecision | Promise<CallDecision>;

export const FORWARD: CallDecision = { do: 'forward' };

/** What an agent gets for a call that was refused: in the form of OpenAI's and Anthropic's errors, with a status that SDKs do not retry. */
export function refusalAnswer(message: string): ModelAnswer {
  const body = { type: 'error', error: { type: 'permission_error', code: 'assay_limit', message } };
  return {
    status: 403,
    headers: { 'content-type': 'application/json', 'x-should-retry': 'false' },
    body: [Buffer.from(JSON.stringify(body))],
  };
}
