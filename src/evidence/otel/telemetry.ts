import type { Json, JsonObject } from '../../base/model/json.ts';

/** A span of OpenTelemetry. Times are milliseconds since 1970. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId?: string | undefined;
  readonly name: string;
  /** The library that made it. */
  readonly scope: string;
  readonly attributes: JsonObject;
  readonly events: readonly SpanEvent[];
  readonly startMs: number;
  readonly endMs: number;
  readonly isError: boolean;
  readonly statusMessage?: string | undefined;
}

export interface SpanEvent {
  readonly name: string;
  readonly attributes: JsonObject;
}

/** A log record of OpenTelemetry that has a name, which makes it an event. */
export interface LogEvent {
  readonly name: string;
  readonly scope: string;
  readonly traceId?: string | undefined;
  readonly spanId?: string | undefined;
  readonly timeMs: number;
  readonly attributes: JsonObject;
  readonly body: Json | undefined;
}

/** What is wrong with a part of a request. Everything else of it was read. */
export interface TelemetryProblem {
  /** `resourceSpans[0].scopeSpans[0].spans[3]`. */
  readonly at: string;
  readonly message: string;
  /** Something came twice: nothing is lost. */
  readonly isRepeated?: true | undefined;
}
