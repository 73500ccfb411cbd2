import { isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import type { TokenUsage } from '../../base/model/reply.ts';
import type { AskedCall } from '../entry.ts';
import type { MessageDialect } from '../dialects/dialect.ts';

/** All that is known of one provider's API. One file each, with its line in the registry. */
export interface ModelApi {
  /** For records: `chat`. */
  readonly name: string;
  /** What follows the host and any prefix, without the query. */
  readonly path: RegExp;
  matchesBody(body: JsonObject): boolean;
  readRequest(body: JsonObject, path: string): ModelRequest;
  /** Undefined: this is not a response of this API. */
  readResponse(body: JsonObject): ModelResponse | undefined;
  /** The type of content of its streams. Default: server-sent events. */
  readonly streamType?: 'application/x-ndjson' | 'application/vnd.amazon.eventstream';
  /** Joins the events of a stream into the body that the same call has without streaming. */
  assembleStream(events: readonly JsonObject[]): AssembledStream;
  /** How messages are written, in requests and in responses. */
  readonly dialect: MessageDialect;
  /** Whether a message of a request is one that the model wrote. */
  isFromModel(message: Json): boolean;
  /** Whether a message of a request carries something that a person or program wrote as the user. */
  isFromUser(message: Json): boolean;
  /** Where programs that call it read its address. Default: where another API has it. */
  readonly addresses?: readonly ApiAddress[];
  /** How its requests grow from call to call. */
  readonly growth: RequestGrowth;
  /** How a program returns a response of it as it came. */
  readonly asReply?: ResponseShape | undefined;
  /** How it says that a request failed. */
  errorBody(status: number, message: string): JsonObject;
  /** A text as an answer of the model. It used no tokens. */
  answerBody(text: string, asked: AskedAnswer): Json;
  /** The same as a stream. Undefined: the stream is one JSON document, `answerBody`. */
  answerEvents(text: string, asked: AskedAnswer): readonly StreamEvent[] | undefined;
  /** The request with changed results of tools. `change` is asked about each result, in order. */
  mapResults(request: JsonObject, change: ChangeResult): JsonObject;
}

/** An address that programs take from the environment. */
interface ApiAddress {
  /** The names that SDKs and frameworks read. */
  readonly variables: readonly string[];
  /** Where its SDKs go when none is set, and the names that mean the same to all who read them. */
  readonly standard?: {
    readonly address: string;
    /** The beginning of its paths. Some SDKs expect it in the variable, some add it themselves. */
    readonly version: string;
    readonly variables: readonly string[];
  };
}

interface RequestGrowth {
  /** The field with the messages, to which each request adds some. */
  readonly list: string;
  /** Fields of messages and their parts that hold messages and parts. All others hold data, whose ids mean something. */
  readonly parts: readonly string[];
  /** Fields with ids that are made anew for each call, by the provider or by the agent's framework. */
  readonly ids: readonly string[];
}

/** How a response is recognised where a program returns it, whole or as the events of a stream. */
export interface ResponseShape {
  /** For messages: "an OpenAI chat completion". */
  readonly name: string;
  isBody(body: JsonObject): boolean;
  /** Whether no other API sends such an event. */
  isEvent(event: JsonObject): boolean;
  /** Whether the API sends such an event at all. */
  isKnownEvent(event: JsonObject): boolean;
  /** The conversation before the response, if an SDK ran the tools itself. */
  historyOf?(body: JsonObject): readonly Json[];
  /** Of a body or an event that Python wrote. */
  normalise?(body: JsonObject): JsonObject;
}

/** One server-sent event. Its data is JSON where it could be read as such, else text. */
export interface StreamEvent {
  readonly event?: string | undefined;
  readonly data?: Json | undefined;
  readonly text?: string | undefined;
}

export interface AskedAnswer {
  /** Different for each call of an attempt. */
  readonly id: string;
  readonly model: string;
  readonly path: string;
  readonly request: JsonObject;
}

/** Undefined: it stays as it is. */
export type ChangeResult = (result: FoundResult) => ChangedResult | undefined;

/** The result of a tool call in a request. */
export interface FoundResult {
  readonly id?: string | undefined;
  readonly tool?: string | undefined;
  readonly text: string;
}

export interface ChangedResult {
  readonly value: Json;
  /** Only the text is changed; images beside it stay. */
  readonly keepsRest: boolean;
}

export interface ModelRequest {
  readonly model?: string | undefined;
  readonly isStreamed: boolean;
  /** Beside the messages. */
  readonly system?: Json | undefined;
  readonly messages: readonly Json[];
  readonly tools: readonly string[];
  /** Further tools stand where Assay cannot see them: in a stored prompt, a cache, a server. */
  readonly hasHiddenTools?: boolean | undefined;
  /** The model has no choice: it must call a tool, which is how programs ask for structured output. */
  readonly isToolForced: boolean;
  /** The answer must be JSON. */
  readonly isStructured: boolean;
  /** The id of the response that this request continues. */
  readonly previousResponse?: string | undefined;
  /** The id of a conversation that the provider keeps. */
  readonly conversation?: string | undefined;
}

export interface ModelResponse {
  readonly id?: string | undefined;
  readonly model?: string | undefined;
  /** What the model wrote, in the form in which requests repeat it. */
  readonly messages: readonly Json[];
  readonly finish: Finish;
  /** Tools that the provider ran itself and that stand beside the messages. */
  readonly provided?: readonly AskedCall[] | undefined;
  readonly usage?: CallUsage | undefined;
  /** The provider or the model refused to answer. */
  readonly isRefused?: boolean | undefined;
  /** The provider says that it failed: HTTP 200 is not always a success. */
  readonly failure?: string | undefined;
  /** Answers that the agent may have used instead of the first one ask for tools. */
  readonly hasOtherCalls?: boolean | undefined;
  /** It runs in the background: what it says is not known yet. */
  readonly isPending?: boolean | undefined;
}

export type Finish = 'stop' | 'tool_calls' | 'length' | 'pause' | 'blocked';

export interface CallUsage extends TokenUsage {
  /** The part of `input` that was written to a cache. It has its own price. */
  readonly cache_write?: number | undefined;
}

export interface AssembledStream {
  readonly body: JsonObject;
  /** False: the stream ended before its end. */
  readonly isComplete: boolean;
  /** What the provider says went wrong. */
  readonly failure?: string | undefined;
}

export function hasRole(message: Json, role: string): boolean {
  return isJsonObject(message) && message['role'] === role;
}
