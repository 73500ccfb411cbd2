import { printJson } from '../../base/model/print-json.ts';
import type { SentRequest } from '../../base/model/sent-request.ts';
import type { AskedCall, Entry, ResultEntry } from '../entry.ts';
import type { Exchange } from '../exchange.ts';
import { addTurn, createTurnIndex, findParent, userTextBefore, type Place } from './find-parent.ts';
import { isHandOver, nameOfSuccessor } from './hand-over.ts';
import { readModelCall, type Answer, type ModelCall } from './read-model-call.ts';
import { leadingMessages, sentRequest } from './sent-request.ts';
import type { CallResult, Turn, TurnCall } from './turn.ts';

/** One exchange, and what became of it. */
export interface FollowedExchange {
  readonly exchange: Pick<
    Exchange,
    'seq' | 'step' | 'status' | 'path' | 'started_ms' | 'ended_ms' | 'first_byte_ms'
  >;
  /** Undefined: not a model call. */
  readonly call?: Pick<ModelCall, 'api' | 'outcome'> & {
    readonly model?: string | undefined;
    readonly isStreamed: boolean;
  };
  /** Of a model call whose request was kept. */
  readonly sent?: SentRequest | undefined;
  /** Of a model call that was answered. */
  readonly turn?: Turn | undefined;
  /** The program sent the same request again and got an answer: this one never counted. */
  isRepeated: boolean;
}

export interface ConversationFollower {
  /** In order of `seq`. */
  follow(exchange: Exchange): FollowedExchange;
}

/**
 * Follows the conversations of an attempt: which response a request continues, and which result answers which call. A
 * request costs as much as what is new in it.
 */
export function createConversationFollower(): ConversationFollower {
  const index = createTurnIndex();
  const setups = new Map<string, number>();
  let unanswered: { readonly key: string; readonly followed: FollowedExchange }[] = [];
  let openHandOver: TurnCall | undefined;

  return {
    follow(exchange) {
      const { seq, step, status, path, started_ms, ended_ms, first_byte_ms } = exchange;
      const facts = { seq, step, status, path, started_ms, ended_ms, first_byte_ms };
      const call = readModelCall(exchange);
      if (call === undefined) return { exchange: facts, isRepeated: false };
      const { request, api, outcome } = call;
      const setup = numberOf(setups, call);
      const place = withHandOver(findParent(call, index), { call, exchange, setup });
      const added = api.dialect.read(place.added, `model call ${seq}: request`);
      answerCalls(place, added, exchange.started_ms);
      const turn =
        outcome.kind === 'answered'
          ? createTurn({ exchange, call, answer: outcome.answer, setup, place, added })
          : undefined;
      const followed: FollowedExchange = {
        exchange: facts,
        call: { api, outcome, model: request.model, isStreamed: request.isStreamed },
        sent: sentRequest(exchange, call, place.added),
        turn,
        isRepeated: false,
      };
      settleRepeats(followed, { place, added, exchange });
      if (turn !== undefined) {
        addTurn(index, turn, request.conversation);
        openHandOver = turn.calls.find(isHandOver) ?? openHandOver;
      }
      return followed;
    },
  };

  /** A hand-over may leave the history behind: the next conversation that begins is the one it went to. */
  function withHandOver(
    place: Place,
    { call, exchange, setup }: { call: ModelCall; exchange: Exchange; setup: number },
  ): Place {
    const from = openHandOver?.turn;
    if (place.parent !== undefined || from === undefined || openHandOver?.result !== undefined) return place;
    if (from.step !== exchange.step || from.setup === setup) return place;
    if (call.request.previousResponse !== undefined || call.request.tools.length === 0) return place;
    openHandOver = undefined;
    return { ...place, parent: from };
  }

  /** An exchange that broke off, and was sent again until an answer came, counts once. */
  function settleRepeats(
    followed: FollowedExchange,
    { place, added, exchange }: { place: Place; added: readonly Entry[]; exchange: Exchange },
  ): void {
    unanswered = unanswered.filter((each) => each.followed.exchange.step === exchange.step);
    const isUnsure = followed.turn === undefined || exchange.aborted === true;
    if (unanswered.length === 0 && !isUnsure) return;
    const key = `${place.parent?.seq ?? ''} ${printJson(added)}`;
    if (followed.turn !== undefined) {
      for (const each of unanswered)
        if (each.key === key && isToldAgain(each.followed, followed.turn)) each.followed.isRepeated = true;
    }
    if (isUnsure && followed.call?.outcome.kind !== 'failed') unanswered.push({ key, followed });
  }
}

/** What the program may have acted on already must come again: it may leave a stream once it has the call that it waits for. */
function isToldAgain({ call, turn }: FollowedExchange, again: Turn): boolean {
  const broken = call?.outcome.kind === 'broken' ? (call.outcome.calls ?? []) : [];
  const begun = turn === undefined ? broken : turn.calls.map(({ asked }) => asked.tool);
  const told = new Set(again.calls.map(({ asked }) => asked.tool));
  return begun.every((tool) => told.has(tool));
}

function createTurn({
  exchange: { seq, step, started_ms, ended_ms },
  call,
  answer,
  setup,
  place: { parent },
  added,
}: {
  readonly exchange: Exchange;
  readonly call: ModelCall;
  readonly answer: Answer;
  readonly setup: number;
  readonly place: Place;
  readonly added: readonly Entry[];
}): Turn {
  const { messages: _, system: __, ...request } = call.request;
  const calls: TurnCall[] = [];
  const userText = added.findLast((entry) => entry.kind === 'user')?.text;
  const turn: Turn = {
    seq,
    step,
    started_ms,
    ended_ms,
    request,
    answer,
    calls,
    parent,
    userText: userText ?? parent?.userText ?? userTextBefore(call, call.request.messages.length),
    addedText: textOf(added, call),
    addsUser: added.some((entry) => entry.kind === 'user' && entry.isContext !== true),
    agent: agentOf(parent, setup),
    setup,
  };
  for (const asked of answer.calls) calls.push({ turn, asked, result: asked.result });
  return turn;
}

/** Only the start of a conversation has a prompt. */
function textOf(added: readonly Entry[], { request }: ModelCall): string {
  const said = added.flatMap((entry) =>
    entry.kind === 'user' || entry.kind === 'system' ? [entry.text] : [],
  );
  return [request.system === undefined ? '' : printJson(request.system), ...said].join('\n');
}

/** A hand-over changes the system prompt and the tools. A tool that only sounds like one (`transfer_to_human`) does not. */
function agentOf(parent: Turn | undefined, setup: number): string | undefined {
  if (parent === undefined) return undefined;
  if (parent.setup === setup) return parent.agent;
  const handOver = parent.calls.find(isHandOver);
  if (handOver !== undefined) return nameOfSuccessor(handOver);
  // Back to an agent that spoke before.
  for (let turn = parent.parent; turn !== undefined; turn = turn.parent)
    if (turn.setup === setup) return turn.agent;
  return parent.agent;
}

/** Gives each new result to the call it answers. */
function answerCalls({ parent, repeated }: Place, added: readonly Entry[], sentMs: number): void {
  if (parent === undefined) return;
  for (const entry of added) {
    if (entry.kind !== 'result') continue;
    const call = findCall(entry, parent, repeated);
    if (call === undefined) continue;
    call.result = resultOf(entry);
    call.answered_ms = sentMs;
  }
}

function resultOf({ output, status }: ResultEntry): CallResult {
  return { output, status };
}

/** By id, else by the id that the request gives to the call, else the first open call of that name, else the first open one. */
function findCall(result: ResultEntry, parent: Turn, repeated: readonly AskedCall[]): TurnCall | undefined {
  const open = parent.calls.filter((call) => call.result === undefined);
  if (result.id !== undefined) {
    const same = open.find(({ asked }) => asked.id === result.id) ?? openInHistory(result.id, parent);
    if (same !== undefined) return same;
    if (parent.calls.some(({ asked }) => asked.id === result.id)) return undefined;
    const place = repeated.findIndex(({ id }) => id === result.id);
    const named = parent.calls[place];
    if (named !== undefined && named.result === undefined && named.asked.tool === repeated[place]?.tool)
      return named;
  }
  return result.tool === undefined ? open[0] : open.find(({ asked }) => asked.tool === result.tool);
}

/** A call may be answered later than in the next request. */
function openInHistory(id: string, parent: Turn): TurnCall | undefined {
  for (let turn = parent.parent; turn !== undefined; turn = turn.parent) {
    const call = turn.calls.find(({ asked }) => asked.id === id);
    if (call !== undefined) return call.result === undefined ? call : undefined;
  }
  return undefined;
}

/** The system prompt and the tools, as a number: hand-overs change them. */
function numberOf(setups: Map<string, number>, call: ModelCall): number {
  const { system, tools } = call.request;
  const key = printJson([system ?? null, leadingMessages(call), tools]);
  const known = setups.get(key);
  if (known !== undefined) return known;
  setups.set(key, setups.size);
  return setups.size - 1;
}
