import type { JsonObject } from '../../base/model/json.ts';
import { textAt } from '../foreign-fields.ts';
import { TELEMETRY_DIALECTS } from './dialects/registry.ts';
import type { Fact, TelemetryDialect } from './fact.ts';
import type { TelemetryListener } from './read-telemetry.ts';
import type { LogEvent, Span, TelemetryProblem } from './telemetry.ts';

/** A fact, and where and when it was told. */
export interface Told<F extends Fact = Fact> {
  readonly fact: F;
  readonly dialect: TelemetryDialect;
  /** The span that it is told by, or that an event names. */
  readonly spanId: string | undefined;
  readonly isEvent: boolean;
  readonly startMs: number;
  readonly endMs: number;
}

/** What is kept of a span: of most of them nothing else is needed. */
export interface SpanNode {
  readonly parentId: string | undefined;
  readonly startMs: number;
  told: Told | undefined;
}

/** Everything with one trace id; or, of events without one, with one id of a conversation. */
export interface CollectedTrace {
  readonly id: string;
  readonly nodes: Map<string, SpanNode>;
  readonly told: Told[];
  readonly links: Set<string>;
  startMs: number;
  endMs: number;
}

/** Takes spans and events in any order, and keeps what they tell of agents. */
export class TelemetryCollector implements TelemetryListener {
  readonly traces = new Map<string, CollectedTrace>();
  readonly problems: TelemetryProblem[] = [];
  /** Of spans and of named events, also of those that tell nothing. */
  spans = 0;
  logs = 0;
  private problemCount = 0;

  onSpan(span: Span): void {
    this.spans++;
    const trace = this.traceOf(span.traceId);
    const known = trace.nodes.get(span.spanId);
    if (known !== undefined) {
      // An exporter that got no answer sends a batch again.
      if (known.startMs === span.startMs && known.parentId === span.parentId) return;
      return this.onProblem({
        at: span.spanId,
        message: 'a second span with this id: the first one counts',
        isRepeated: true,
      });
    }
    const node: SpanNode = { parentId: span.parentId, startMs: span.startMs, told: undefined };
    trace.nodes.set(span.spanId, node);
    extend(trace, span.startMs, span.endMs);
    addLinks(trace, span.attributes);
    for (const dialect of TELEMETRY_DIALECTS) {
      const facts = dialect.span?.(span);
      if (facts === undefined) continue;
      for (const fact of facts) {
        const { spanId, startMs, endMs } = span;
        const told = { fact, dialect, spanId, isEvent: false, startMs, endMs };
        node.told = told;
        trace.told.push(told);
      }
      return;
    }
  }

  onLog(log: LogEvent): void {
    this.logs++;
    for (const dialect of TELEMETRY_DIALECTS) {
      const facts = dialect.log?.(log);
      if (facts === undefined) continue;
      if (facts.length === 0) return;
      const { spanId, timeMs, attributes } = log;
      const trace = this.traceOf(log.traceId ?? linksOf(attributes)[0] ?? '');
      extend(trace, timeMs, timeMs);
      addLinks(trace, attributes);
      for (const fact of facts)
        trace.told.push({ fact, dialect, spanId, isEvent: true, startMs: timeMs, endMs: timeMs });
      return;
    }
  }

  onProblem(problem: TelemetryProblem): void {
    // Garbage by the gigabyte must not be kept as messages about it.
    if (++this.problemCount <= 100) this.problems.push(problem);
  }

  private traceOf(id: string): CollectedTrace {
    let trace = this.traces.get(id);
    if (trace === undefined) {
      trace = { id, nodes: new Map(), told: [], links: new Set(), startMs: Infinity, endMs: -Infinity };
      this.traces.set(id, trace);
    }
    return trace;
  }
}

function extend(trace: CollectedTrace, startMs: number, endMs: number): void {
  trace.startMs = Math.min(trace.startMs, startMs);
  trace.endMs = Math.max(trace.endMs, endMs);
}

function addLinks(trace: CollectedTrace, attributes: JsonObject): void {
  for (const link of linksOf(attributes)) trace.links.add(link);
}

/** What names the same conversation in several traces. */
const LINKS = ['gen_ai.conversation.id', 'session.id', 'conversation.id', 'prompt.id', 'thread.id'];

/** Gemini CLI names one id by two names, so the name is no part of the link. */
function linksOf(attributes: JsonObject): readonly string[] {
  const links: string[] = [];
  for (const name of LINKS) {
    const id = textAt(attributes, name);
    if (id !== undefined && id !== '') links.push(id);
  }
  return links;
}
