import type { StreamEvent } from '../apis/model-api.ts';
import type { Json } from '../../base/model/json.ts';
import type { CanonicalRequest } from './canonical-request.ts';

/** The version of the file format. A newer one is refused. */
export const CASSETTE_VERSION = 1;

/** A larger file is refused: it would take longer to read than the model to answer. */
export const MOST_CASSETTE_BYTES = 64 * 1024 * 1024;

/** The model calls of one test with one target. */
export interface Cassette {
  readonly file: string;
  readonly test: string;
  readonly target: string;
  readonly repeats: readonly RecordedRepeat[];
}

export interface RecordedRepeat {
  /** From 1 on. */
  readonly repeat: number;
  /** The agent's requests and their responses. */
  readonly agent: readonly Recording[];
  /** The same for the judges. */
  readonly judge: readonly Recording[];
}

export type CassettePart = 'agent' | 'judge';

/** One request and its response. */
export interface Recording {
  /** The step of the test, from 1 on. */
  readonly step: number;
  readonly request: CanonicalRequest;
  readonly response: RecordedResponse;
}

/** `body`, `events` or `text`, whichever it was. */
export interface RecordedResponse {
  /** 0: the connection failed before there was one. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Json | undefined;
  readonly events?: readonly StreamEvent[] | undefined;
  readonly text?: string | undefined;
  /** It broke off after what is recorded. */
  readonly broken?: true | undefined;
  readonly time?: ResponseTime | undefined;
}

/** In milliseconds: when the request was sent, counted from the first of its step, and how long the response took. */
export interface ResponseTime {
  readonly at: number;
  readonly first: number;
  readonly total: number;
}

/** The name of a recording in its file, for references and messages: `2.1` or `2.judge.1`. */
export function recordingName(repeat: number, part: CassettePart, number: number): string {
  return part === 'agent' ? `${repeat}.${number}` : `${repeat}.judge.${number}`;
}
