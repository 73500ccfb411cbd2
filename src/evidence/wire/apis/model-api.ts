import { isJsonObject, type Json, type JsonObject } from '../../../model/json.ts';
import type { TokenUsage } from '../../../model/reply.ts';
import type { AskedCall } from '../../entry.ts';
import type { MessageDialect } from '../../dialects/dialect.ts';

/** How one provider's API is called over HTTP. One file each. */
export interface ModelApi {
  readonly name: 'chat' | 'responses' | 'anthropic' | 'gemini';
  /** What follows the host and any prefix, without the query. */
  readonly path: RegExp;
  matchesBody(body: JsonObject): boolean;
  readRequest(body: JsonObject, path: string): ModelRequest;
  /** Undefined: this is not a response of this API. */
  readResponse(body: JsonObject): ModelResponse | undefined;
  /** Joins the events of a stream into the body that the same call has without streaming. */
  assembleStream(events: readonly JsonObject[]): AssembledStream;
  /** How messages are written, in requests and in responses. */
  readonly dialect: MessageDialect;
  /** Whether a message of a request is one that the model wrote. */
  isFromModel(message: Json): boolean;
  /** Whether a message of a request carries something that a person or program wrote as the user. */
  isFromUser(message: Json): boolean;
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
