import type { Json } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { AskedCall } from '../entry.ts';
import { textAt } from '../foreign-fields.ts';
import { joinAssistant, type ModelCall, type Said } from './read-model-call.ts';
import type { Turn } from './turn.ts';

/** The turns of an attempt, found again by what a later request repeats of them. */
export interface TurnIndex {
  readonly byResponse: Map<string, Turn>;
  readonly byItem: Map<string, Turn>;
  readonly byConversation: Map<string, Turn>;
  readonly byCall: Map<string, Turn[]>;
  readonly byAnswer: Map<string, Turn[]>;
}

export function createTurnIndex(): TurnIndex {
  return {
    byResponse: new Map(),
    byItem: new Map(),
    byConversation: new Map(),
    byCall: new Map(),
    byAnswer: new Map(),
  };
}

export function addTurn(index: TurnIndex, turn: Turn, conversation: string | undefined): void {
  const { id, itemIds, calls } = turn.answer;
  if (id !== undefined) index.byResponse.set(id, turn);
  if (conversation !== undefined) index.byConversation.set(conversation, turn);
  for (const itemId of itemIds) index.byItem.set(itemId, turn);
  for (const call of calls) if (call.id !== undefined && call.id !== '') push(index.byCall, call.id, turn);
  push(index.byAnswer, answerKey(turn.answer), turn);
}

export interface Place {
  readonly parent?: Turn | undefined;
  /** The calls of the parent as the request repeats them: frameworks give ids to calls that have none. */
  readonly repeated: readonly AskedCall[];
  /** The messages that the request adds to its parent. */
  readonly added: readonly Json[];
}

/** Which turn a request continues: the last one whose answer it repeats, or names. */
export function findParent({ api, request }: ModelCall, index: TurnIndex): Place {
  const { messages, previousResponse, conversation } = request;
  if (previousResponse !== undefined) {
    return { parent: index.byResponse.get(previousResponse), repeated: [], added: messages };
  }
  for (let end = messages.length; end > 0;) {
    let last = end - 1;
    while (last >= 0 && !api.isFromModel(messages[last]!)) last--;
    if (last < 0) break;
    let first = last;
    while (first > 0 && api.isFromModel(messages[first - 1]!)) first--;
    const found = findRepeated({ api, request }, { first, last }, index);
    if (found !== undefined) return { ...found, added: messages.slice(last + 1) };
    end = first;
  }
  const kept = conversation === undefined ? undefined : index.byConversation.get(conversation);
  return { parent: kept ?? askedBefore({ api, request }, index), repeated: [], added: messages };
}

type Question = Pick<ModelCall, 'api' | 'request'>;

interface Run {
  readonly first: number;
  readonly last: number;
}

/** The turn that a sequence of model messages repeats. Ids decide; without ids, the texts do. */
function findRepeated(
  question: Question,
  { first, last }: Run,
  index: TurnIndex,
): Omit<Place, 'added'> | undefined {
  const { api } = question;
  const { messages } = question.request;
  const run = messages.slice(first, last + 1);
  const said = joinAssistant(api.dialect.read(run, ''));
  const byItem = findByItem(run, index);
  if (byItem !== undefined) return { parent: byItem, repeated: said.calls };
  const byCall = said.calls
    .toReversed()
    .flatMap(({ id, tool }) => (id === undefined ? [] : (latest(index.byCall.get(id), tool) ?? [])))[0];
  if (byCall !== undefined) return { parent: byCall, repeated: lastCalls(said.calls, byCall) };
  // A model that paused has two messages in a row, of which the last tells.
  const versions = first === last ? [said] : [joinAssistant(api.dialect.read([messages[last]!], '')), said];
  for (const version of versions) {
    const turns = index.byAnswer.get(answerKey(version)) ?? [];
    if (turns.length === 0) continue;
    const userText = userTextBefore(question, first);
    const parent =
      turns.findLast((turn) => turn.userText === userText && turn.calls.every(isOpen)) ??
      turns.findLast((turn) => turn.userText === userText) ??
      (isTelling(version) && turns.length === 1 ? turns[0] : undefined);
    if (parent !== undefined) return { parent, repeated: lastCalls(version.calls, parent) };
  }
  return undefined;
}

/** Enough to know it again where the history before it was changed. Examples in a prompt are shorter. */
function isTelling({ text, calls }: Said): boolean {
  return (
    (text ?? '').trim().length >= 24 ||
    calls.some(({ input }) => input !== undefined && printJson(input) !== '{}')
  );
}

function isOpen({ result }: Turn['calls'][number]): boolean {
  return result === undefined;
}

/** Of a run that repeats several turns, the calls of the last one. */
function lastCalls(calls: readonly AskedCall[], { calls: own }: Turn): readonly AskedCall[] {
  return own.length === 0 ? [] : calls.slice(-own.length);
}

function findByItem(run: readonly Json[], index: TurnIndex): Turn | undefined {
  for (const item of run.toReversed()) {
    const id = textAt(item, 'id');
    const turn = id === undefined ? undefined : index.byItem.get(id);
    if (turn !== undefined) return turn;
  }
  return undefined;
}

/** Some servers number the calls of each response from 0 on: then the last of that name is meant. */
function latest(turns: readonly Turn[] | undefined, tool: string): Turn | undefined {
  return turns?.findLast(({ answer }) => answer.calls.some((call) => call.tool === tool)) ?? turns?.at(-1);
}

/** A request that carries a result and leaves out the call. */
function askedBefore({ api, request: { messages } }: Question, index: TurnIndex): Turn | undefined {
  for (const message of messages.toReversed()) {
    if (api.isFromModel(message)) break;
    for (const entry of api.dialect.read([message], '')) {
      const turn =
        entry.kind === 'result' && entry.id !== undefined ? index.byCall.get(entry.id)?.at(-1) : undefined;
      if (turn !== undefined) return turn;
    }
  }
  return undefined;
}

/** The last thing that the user said before a place. */
export function userTextBefore({ api, request: { messages } }: Question, end: number): string {
  for (let at = end - 1; at >= 0; at--) {
    if (!api.isFromUser(messages[at]!)) continue;
    const said = api.dialect.read([messages[at]!], '').findLast((entry) => entry.kind === 'user');
    if (said !== undefined) return said.text;
  }
  return '';
}

function answerKey({ text, refusal, calls }: Said): string {
  const asked = calls.map(({ tool, input }) => `${tool}(${input === undefined ? '' : printJson(input)})`);
  return [(text ?? refusal ?? '').trim(), ...asked].join('\n');
}

function push(map: Map<string, Turn[]>, key: string, turn: Turn): void {
  const turns = map.get(key);
  if (turns === undefined) map.set(key, [turn]);
  else turns.push(turn);
}
