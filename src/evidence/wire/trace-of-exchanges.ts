import type { Json } from '../../base/model/json.ts';
import type { Message } from '../../base/model/message.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { RecordedToolCall, TokenUsage } from '../../base/model/reply.ts';
import { addUsage } from '../../base/model/usage.ts';
import type { Exchange } from '../exchange.ts';
import { toUsage } from '../provider-usage.ts';
import type { Trace } from '../trace.ts';
import { callInText } from './call-in-text.ts';
import { createConversationFollower, type FollowedExchange } from './follow-conversations.ts';
import { gapOfExchanges } from './gap-of-exchanges.ts';
import { observedCall, type ObservedCall } from './observed-call.ts';
import { recordTurnCall } from './record-turn-call.ts';
import { sortTurns, type SortedTurn, type StepFacts } from './sort-turns.ts';
import { timelineOf } from './timeline-of.ts';
import type { Turn } from './turn.ts';

/** What an agent did in one step, as its model calls tell it. */
export interface ObservedTrace extends Trace {
  /** One for each exchange of the step. */
  readonly calls: readonly ObservedCall[];
  /** The last answer is a refusal. */
  readonly refusal: boolean;
  /** The last answer was cut off. */
  readonly truncated: boolean;
}

/** The traces of one attempt. An exchange is read once, and then forgotten. */
export interface WireTracer {
  add(exchange: Exchange): void;
  /** The trace of everything added so far. */
  traceOf(step: number, facts?: StepFacts): ObservedTrace;
}

export function createWireTracer(): WireTracer {
  const follower = createConversationFollower();
  const steps = new Map<number, FollowedExchange[]>();
  const sorted = new Map<Turn, SortedTurn>();
  let waiting: Exchange[] = [];
  return {
    add(exchange) {
      waiting.push(exchange);
    },
    traceOf(step, facts = {}) {
      // Responses may come in another order than their requests were sent in.
      for (const exchange of waiting.sort((one, other) => one.seq - other.seq)) {
        const followed = steps.get(exchange.step);
        if (followed === undefined) steps.set(exchange.step, [follower.follow(exchange)]);
        else followed.push(follower.follow(exchange));
      }
      waiting = [];
      const followed = (steps.get(step) ?? []).sort((one, other) => one.exchange.seq - other.exchange.seq);
      sortTurns(followed.flatMap(countedTurn), facts, sorted);
      return { ...toTrace(followed, sorted), timeline: timelineOf(followed, sorted, facts.startMs) };
    },
  };
}

/** One step of an attempt whose exchanges are all there. */
export function traceOfExchanges(
  exchanges: readonly Exchange[],
  step: number,
  facts?: StepFacts,
): ObservedTrace {
  const tracer = createWireTracer();
  for (const exchange of exchanges) tracer.add(exchange);
  const steps = new Set(exchanges.map((exchange) => exchange.step));
  for (const before of [...steps].sort((one, other) => one - other))
    if (before < step) tracer.traceOf(before);
  return tracer.traceOf(step, facts);
}

/** Undefined for an exchange that was sent again. */
function countedTurn({ turn, isRepeated }: FollowedExchange): readonly Turn[] {
  return turn === undefined || isRepeated ? [] : [turn];
}

function toTrace(
  followed: readonly FollowedExchange[],
  sorted: ReadonlyMap<Turn, SortedTurn>,
): ObservedTrace {
  const turns = followed.flatMap(countedTurn);
  const main = turns.filter((turn) => sorted.get(turn)?.kind === 'main');
  const acting = turns.filter((turn) => sorted.get(turn)?.kind !== 'side');
  const last = main.at(-1);
  const recorded = new Map(
    acting.map((turn) => [turn, turn.calls.map((call) => recordTurnCall(call, sorted.get(turn)?.agent))]),
  );
  const toolCalls = acting.flatMap((turn) => recorded.get(turn) ?? []);
  const problems = gapOfExchanges(followed, turns);
  // An agent that called no model may have called tools all the same, and in a gap there may be some.
  const isSilent = toolCalls.length === 0 && (turns.length === 0 || problems.gap !== undefined);
  return {
    output: last === undefined ? undefined : outputOf(last),
    tool_calls: isSilent ? undefined : toolCalls,
    messages:
      last === undefined ? undefined : main.flatMap((turn) => toMessages(turn, recorded.get(turn) ?? [])),
    ...usageOf(followed, turns),
    models:
      turns.length === 0
        ? undefined
        : [...new Set(turns.flatMap(({ request, answer }) => request.model ?? answer.model ?? []))],
    model_calls: turns.length,
    usage_by_model: usageByModel(turns),
    ...timeToFirstToken(followed, main),
    ...problems,
    offered_tools: [...new Set(turns.flatMap(({ request }) => request.tools))],
    hidden: turns.flatMap(callInText),
    calls: followed.map((each) =>
      observedCall(each, each.turn === undefined ? undefined : sorted.get(each.turn)),
    ),
    refusal: last?.answer.isRefused === true,
    truncated: last?.answer.finish === 'length',
  };
}

/** Programs that want structured output force one call: what it was given is the answer. */
function outputOf({ answer, calls, request }: Turn): string {
  const [only] = calls;
  const isAnswer =
    request.isToolForced && request.tools.length === 1 && calls.length === 1 && only?.result === undefined;
  const text = answer.text ?? answer.refusal ?? '';
  return text === '' && isAnswer && only?.asked.input !== undefined ? printJson(only.asked.input) : text;
}

/** The message that asks for calls, and what came back for each. */
function toMessages({ answer, calls }: Turn, recorded: readonly RecordedToolCall[]): readonly Message[] {
  const content = answer.text ?? answer.refusal ?? '';
  const asked = recorded.length === 0 ? {} : { tool_calls: recorded as unknown as readonly Json[] };
  const results = calls.flatMap(({ asked: { tool, id, executed_by: by }, result }): readonly Message[] =>
    result === undefined || by !== undefined
      ? []
      : [{ role: 'tool', tool, ...(id === undefined ? {} : { id }), content: result.output ?? '' }],
  );
  return [{ role: 'assistant', content, ...asked }, ...results];
}

function usageOf(
  followed: readonly FollowedExchange[],
  turns: readonly Turn[],
): Pick<Trace, 'token_usage' | 'usage_complete'> {
  const usages = turns.flatMap(({ answer }) => answer.usage ?? []);
  // What broke off was paid for too.
  const isBroken = followed.some(({ call, isRepeated }) => isRepeated || call?.outcome.kind === 'broken');
  if (turns.length === 0 && !isBroken) return {};
  return { token_usage: addUsage(usages), usage_complete: usages.length === turns.length && !isBroken };
}

/** For the cost: each model has its price. */
function usageByModel(turns: readonly Turn[]): Trace['usage_by_model'] {
  const usages: Record<string, TokenUsage> = {};
  for (const { request, answer } of turns) {
    const model = pricedModel(request.model, answer.model);
    if (model === undefined) return undefined;
    if (answer.usage === undefined) continue;
    const before = Object.hasOwn(usages, model) ? [usages[model]] : [];
    usages[model] = addUsage([...before, toUsage(answer.usage)])!;
  }
  return usages;
}

/** A deployment or an alias has its own name: then the response names the model behind it. */
function pricedModel(asked: string | undefined, answered: string | undefined): string | undefined {
  if (asked === undefined || answered === undefined) return asked ?? answered;
  return answered.startsWith(asked) ? asked : answered;
}

function timeToFirstToken(
  followed: readonly FollowedExchange[],
  main: readonly Turn[],
): Pick<Trace, 'time_to_first_token_ms'> {
  const first = followed.find(({ turn }) => turn !== undefined && turn === main[0])?.exchange;
  if (first?.first_byte_ms === undefined) return {};
  return { time_to_first_token_ms: Math.max(0, first.first_byte_ms - first.started_ms) };
}
