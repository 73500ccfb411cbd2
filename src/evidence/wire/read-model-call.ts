import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import { tryParseJson } from '../../base/model/parse-json.ts';
import type { AskedCall, Entry, ResultEntry, UnknownEntry } from '../entry.ts';
import type { Exchange } from '../exchange.ts';
import { listAt, textAt } from '../foreign-fields.ts';
import { parseJsonLines, parseServerSentEvents, type ParsedEvents } from '../parse-events.ts';
import type { ModelApi, ModelRequest, ModelResponse } from '../apis/model-api.ts';
import { rawUsageOf } from './raw-usage.ts';
import { apiOfPath, pathWithoutQuery } from './recognise-model-call.ts';

/** One exchange with a model, read. */
export interface ModelCall {
  readonly api: ModelApi;
  readonly request: ModelRequest;
  readonly outcome: Outcome;
}

/**
 * `failed`: the server refused or could not be reached, so nothing was generated. `broken`: something was, and its end is
 * missing or cannot be read. `hidesCalls`: it may have held tool calls.
 */
export type Outcome =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'failed' }
  | {
      readonly kind: 'broken';
      readonly problem: string;
      readonly hidesCalls: boolean;
      /** The tools that it asks for, as far as it goes. */
      readonly calls?: readonly string[] | undefined;
      /** Nothing in it shows that a model wrote it. */
      readonly isForeign?: boolean | undefined;
    };

/** What the model said in one response. */
export interface Answer extends Omit<
  ModelResponse,
  'messages' | 'failure' | 'isPending' | 'hasOtherCalls' | 'provided'
> {
  readonly text?: string | undefined;
  readonly refusal?: string | undefined;
  readonly calls: readonly AskedCall[];
  /** The ids of the parts, where the API gives them any. */
  readonly itemIds: readonly string[];
  readonly unknown: readonly UnknownEntry[];
  /** As the provider writes it. */
  readonly rawUsage?: Json | undefined;
}

/** Undefined: this is not a model call. Each exchange is read only once. */
export function readModelCall(exchange: Exchange): ModelCall | undefined {
  const known = READ.get(exchange);
  if (known !== undefined) return known.call;
  const call = read(exchange);
  READ.set(exchange, { call });
  return call;
}

const READ = new WeakMap<Exchange, { readonly call: ModelCall | undefined }>();

function read(exchange: Exchange): ModelCall | undefined {
  const api = apiOfPath(exchange.method, exchange.path);
  if (api === undefined || (exchange.request !== undefined && !api.matchesBody(exchange.request)))
    return undefined;
  const request = api.readRequest(exchange.request ?? {}, pathWithoutQuery(exchange.path));
  const outcome = readOutcome(exchange, api);
  // A request that was not kept is a model call unless its response is something else.
  if (outcome.kind !== 'broken') return { api, request, outcome };
  if (exchange.request === undefined)
    return outcome.isForeign === true ? undefined : { api, request, outcome };
  // A tool may be written so that nobody can say its name.
  const listed = listAt(exchange.request, 'tools') ?? [];
  const hidesCalls =
    outcome.hidesCalls && (request.tools.length > 0 || listed.length > 0 || request.hasHiddenTools === true);
  return { api, request, outcome: { ...outcome, hidesCalls } };
}

function readOutcome(exchange: Exchange, api: ModelApi): Outcome {
  if (exchange.status < 200 || exchange.status > 299) return { kind: 'failed' };
  const at = `model call ${exchange.seq}`;
  const text = exchange.response_text ?? '';
  const body = exchange.response ?? readWholeBody(text);
  const isLines = api.streamType === 'application/x-ndjson';
  // One line may be all of the response, or the beginning of a stream.
  if (isJsonObject(body)) return isLines ? readStream({ events: [body] }, api, at) : readBody(body, api, at);
  if (isJsonList(body)) return readStream({ events: body }, api, at);
  const stream = isLines ? parseJsonLines(text) : parseServerSentEvents(text);
  const isDamaged = stream.isBroken && stream.isCut !== true;
  if (exchange.aborted === true) return isDamaged ? broken(CUT) : readStream(stream, api, at);
  if (isDamaged) return broken('a response that is not valid JSON');
  const isNoStream = stream.events.length === 0 && text.trim() !== '';
  return isNoStream ? foreign('a response that is not valid JSON') : readStream(stream, api, at);
}

/** A stream may be one JSON array, and a server may answer with JSON although a stream was requested. */
function readWholeBody(text: string): Json | undefined {
  return /^\s*[[{]/.test(text) ? tryParseJson(text) : undefined;
}

function readStream(
  { events, isDone }: Pick<ParsedEvents, 'events' | 'isDone'>,
  api: ModelApi,
  at: string,
): Outcome {
  const { body, isComplete, failure } = api.assembleStream(events.filter(isJsonObject));
  if (failure === undefined && (isComplete || isDone === true)) return readBody(body, api, at);
  const problem = failure === undefined ? CUT : `a stream that failed (${failure})`;
  const begun = readBody(body, api, at);
  const calls = begun.kind === 'answered' ? begun.answer.calls.map(({ tool }) => tool) : [];
  return calls.length === 0 ? broken(problem) : { kind: 'broken', problem, hidesCalls: true, calls };
}

const CUT = 'a stream that broke off';

function readBody(body: JsonObject, api: ModelApi, at: string): Outcome {
  const response = api.readResponse(body);
  if (response === undefined) return foreign('a response in a form that Assay does not know');
  if (response.isPending === true) return broken('a response that runs in the background');
  if (response.hasOtherCalls === true)
    return broken('a response with several answers to choose from, which ask for tools');
  if (response.failure !== undefined) {
    const hidesCalls = response.messages.length > 0;
    return { kind: 'broken', problem: `a response that failed (${response.failure})`, hidesCalls };
  }
  return { kind: 'answered', answer: { ...readAnswer(response, api, at), rawUsage: rawUsageOf(body) } };
}

function broken(problem: string): Outcome {
  return { kind: 'broken', problem, hidesCalls: true };
}

function foreign(problem: string): Outcome {
  return { kind: 'broken', problem, hidesCalls: true, isForeign: true };
}

function readAnswer(response: ModelResponse, { dialect }: ModelApi, at: string): Answer {
  const { messages, provided = [], failure: _, isPending: __, hasOtherCalls: ___, ...facts } = response;
  const entries = dialect.read(messages, `${at}: response`);
  const said = joinAssistant(entries);
  const results = entries.filter((entry) => entry.kind === 'result');
  return {
    ...facts,
    ...said,
    calls: [...said.calls.map((call) => withProviderResult(call, results)), ...provided],
    itemIds: messages.flatMap((item) => textAt(item, 'id') ?? []),
    unknown: [
      ...entries.filter((entry) => entry.kind === 'unknown'),
      ...(facts.finish === 'tool_calls' && said.calls.length === 0 ? [lostCalls(at)] : []),
    ],
  };
}

function lostCalls(at: string): UnknownEntry {
  return { kind: 'unknown', at, form: 'it ends with tool calls but contains none', mayHoldCall: true };
}

/** The result of a tool that the provider ran follows the call in the same response. */
function withProviderResult(call: AskedCall, results: readonly ResultEntry[]): AskedCall {
  if (call.executed_by === undefined || call.result !== undefined) return call;
  const result = results.find(({ id, tool }) => (id === undefined ? tool === call.tool : id === call.id));
  return result === undefined ? call : { ...call, result: { output: result.output, status: result.status } };
}

export type Said = Pick<Answer, 'text' | 'refusal' | 'calls'>;

/** What the model said in a row, as one. */
export function joinAssistant(entries: readonly Entry[]): Said {
  const said = entries.filter((entry) => entry.kind === 'assistant');
  const texts = said.flatMap(({ text }) => text ?? []);
  return {
    text: texts.length === 0 ? undefined : texts.join(''),
    refusal: said.find(({ refusal }) => refusal !== undefined)?.refusal,
    calls: said.flatMap(({ calls }) => calls),
  };
}
