import type { StreamEvent } from '../../cassettes/cassette.ts';
import type { Json, JsonObject } from '../../model/json.ts';

/** How one model API writes what a fault needs. One file each. */
export interface ApiForm {
  /** How it says that a request failed. */
  errorBody(status: number, message: string): JsonObject;
  /** A text as an answer of the model. It used no tokens. */
  answerBody(text: string, asked: AskedAnswer): Json;
  /** The same as a stream. Undefined: the stream is one JSON document, `answerBody`. */
  answerEvents(text: string, asked: AskedAnswer): readonly StreamEvent[] | undefined;
  /** The request with changed results of tools. `change` is asked about each result, in order. */
  mapResults(request: JsonObject, change: ChangeResult): JsonObject;
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
