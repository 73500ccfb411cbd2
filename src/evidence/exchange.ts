import type { Json, JsonObject } from '../base/model/json.ts';

/** One request to a server and its response, as the recorder in this process and the proxy see it. */
export interface Exchange {
  /** In order of arrival, from 1 on. */
  readonly seq: number;
  /** The step of the test that it belongs to, from 1 on. */
  readonly step: number;
  readonly started_ms: number;
  readonly ended_ms: number;
  readonly first_byte_ms?: number | undefined;
  readonly method: string;
  /** With the query, without the host. */
  readonly path: string;
  readonly request?: JsonObject | undefined;
  /** 0: there was no response. */
  readonly status: number;
  /** A header's name is in lower case. */
  readonly response_headers: Readonly<Record<string, string>>;
  /** The body where it is JSON, else `response_text`: streams are kept as they came. */
  readonly response?: Json | undefined;
  readonly response_text?: string | undefined;
  /** What is kept of the response is not what came: it was too long, or could not be unpacked. */
  readonly is_cut?: boolean | undefined;
  /** The connection broke, or the body was larger than the limit. */
  readonly aborted?: boolean | undefined;
}
