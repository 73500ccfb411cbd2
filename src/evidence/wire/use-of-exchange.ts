import type { TokenUsage } from '../../base/model/reply.ts';
import type { Exchange } from '../exchange.ts';
import { readModelCall, type Outcome } from './read-model-call.ts';

/** What one model call used of the limits of an attempt. */
export interface ExchangeUse {
  readonly outcome: Outcome['kind'];
  readonly model?: string | undefined;
  /** The names of the tools that the model called. */
  readonly tool_calls: readonly string[];
  /** Whether the model could ask for tools, as far as the request tells. */
  readonly offersTools: boolean;
  /** Undefined: it does not tell. */
  readonly usage?: TokenUsage | undefined;
}

/** Undefined: this is not a model call. */
export function useOfExchange(exchange: Exchange): ExchangeUse | undefined {
  const call = readModelCall(exchange);
  if (call === undefined) return undefined;
  const { outcome, request } = call;
  const { model } = request;
  const offersTools =
    exchange.request === undefined || request.tools.length > 0 || request.hasHiddenTools === true;
  if (outcome.kind !== 'answered') return { outcome: outcome.kind, model, tool_calls: [], offersTools };
  const { calls, usage } = outcome.answer;
  return {
    outcome: 'answered',
    model,
    tool_calls: calls.map(({ tool }) => tool),
    offersTools,
    usage,
  };
}
