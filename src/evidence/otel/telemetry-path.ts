import { randomBytes } from 'node:crypto';
import type { Json } from '../../base/model/json.ts';
import { epochMs, monotonicMs, startTimer, stopTimer } from '../../base/system/system-time.ts';
import type { Trace, TraceProblem, TraceWarning } from '../trace.ts';
import { withGap } from '../unfinished-trace.ts';
import { lowerBound } from './assemble.ts';
import { TelemetryCollector } from './collector.ts';
import { createForwarder, type Forwarder } from './forward-telemetry.ts';
import { readCollected } from './read-otlp.ts';
import { readTelemetry, type TelemetryListener } from './read-telemetry.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { HOW_TO_SEND, telemetrySwitches } from './switches.ts';

/** How telemetry is waited for, and where else it goes. */
export interface TelemetrySettings {
  /** A trace is complete if nothing came for so long. Default: 3 seconds. */
  readonly quietMs?: number | undefined;
  /** The longest wait. Default: 30 seconds. */
  readonly waitMs?: number | undefined;
  /** To the collector that the environment names. */
  readonly forward?: boolean | undefined;
  /** For agents that Assay does not start. Default: 4318, the port of OTLP. */
  readonly port?: number | undefined;
}

export interface PathOptions extends TelemetrySettings {
  /** Of the program, as it is without telemetry. */
  readonly env: NodeJS.ProcessEnv;
  /**
   * `one`: whatever comes is of the step that runs. `own`: several steps run at once in one program, and each has its trace.
   * `public`: anybody may send, and only what belongs to a trace of a step counts.
   */
  readonly use: 'one' | 'own' | 'public';
}

/** Why no more telemetry can come: its program has ended, or has sent everything. */
export type TelemetryEnd = 'exited' | 'flushed';

/** Takes the telemetry of one program, or of one server. */
export class TelemetryPath {
  /** What the environment of the program must hold. */
  readonly env: Readonly<Record<string, string>>;
  private readonly traceparent = newTraceparent();
  private readonly options: PathOptions;
  private readonly receiver: Receiver;
  private readonly forwarder: Forwarder | undefined;
  private readonly steps: Set<TelemetryStep>;
  /** Of the steps before: what comes of them is late. */
  private readonly earlier = new Set<string>();
  /** Nothing came for the step before. */
  private isMute = false;

  static async open(options: PathOptions): Promise<TelemetryPath> {
    const steps = new Set<TelemetryStep>();
    const forwarder = options.forward === true ? createForwarder(options.env) : undefined;
    let path: TelemetryPath | undefined;
    const receiver = await startReceiver({
      port: options.use === 'public' ? (options.port ?? DEFAULT_PORT) : undefined,
      onTelemetry: (body) => path?.take(body),
      onLost: (why) => {
        for (const step of steps) step.lose(why);
      },
      onRaw: forwarder && ((request) => forwarder.send(request)),
    });
    return (path = new TelemetryPath(options, { receiver, forwarder, steps }));
  }

  private constructor(
    options: PathOptions,
    { receiver, forwarder, steps }: Pick<PathParts, 'receiver' | 'forwarder' | 'steps'>,
  ) {
    this.options = options;
    this.receiver = receiver;
    this.forwarder = forwarder;
    this.steps = steps;
    const switches = telemetrySwitches(receiver.endpoint, options.env);
    this.env = { ...switches, TRACEPARENT: this.traceparent };
  }

  get endpoint(): string {
    return this.receiver.endpoint;
  }

  /** `inherited`: the program knows the trace of its environment only. */
  begin({ inherited = false }: { readonly inherited?: boolean | undefined } = {}): TelemetryStep {
    const own = this.traceparent;
    const step = new TelemetryStep(inherited ? own : newTraceparent(), spanOf(own));
    this.steps.add(step);
    return step;
  }

  /** What came for a step, once it is all there; it is over then. */
  async finish(
    step: TelemetryStep,
    { end, signal }: { readonly end?: TelemetryEnd | undefined; readonly signal: AbortSignal },
  ): Promise<Trace> {
    const { quietMs = 3000, waitMs = 30_000 } = this.options;
    // Beside another step, what one flushes may be on its way for the other.
    const isFlushed = end === 'flushed' && this.steps.size === 1 && (step.isWhole || step.isSilent);
    // A program that its children outlive keeps its connections.
    if (end === 'exited') await until(this.receiver.disconnected(), Math.min(quietMs, waitMs), signal);
    else if (!isFlushed) await step.settle({ quietMs, waitMs: this.isMute ? quietMs : waitMs, signal });
    // The longest wait is for an agent that may send something.
    this.isMute = step.isSilent;
    this.steps.delete(step);
    for (const trace of step.collector.traces.keys()) this.earlier.add(trace);
    return step.toTrace(this.forwarder?.problems ?? new Set());
  }

  /** Nobody waits for the step any more. */
  drop(step: TelemetryStep): void {
    this.steps.delete(step);
    for (const trace of step.collector.traces.keys()) this.earlier.add(trace);
  }

  async close(): Promise<void> {
    await this.receiver.close();
    await this.forwarder?.end();
  }

  private take(body: Json): void {
    const used = new Set<TelemetryStep>();
    const forward = (
      traceId: string | undefined,
      startMs: number,
      pass: (to: TelemetryCollector) => void,
    ): void => {
      for (const step of this.stepsOf(traceId, startMs)) {
        used.add(step);
        pass(step.collector);
      }
    };
    const listener: TelemetryListener = {
      onSpan: (span) => forward(span.traceId, span.startMs, (to) => to.onSpan(span)),
      onLog: (log) => forward(log.traceId, log.timeMs, (to) => to.onLog(log)),
      onProblem: ({ at, message }) => {
        for (const step of this.steps) step.lose(`${at}: ${message}`);
      },
    };
    readTelemetry(body, listener);
    for (const step of used) step.touch();
  }

  private stepsOf(traceId: string | undefined, startMs: number): readonly TelemetryStep[] {
    const all = [...this.steps];
    const own = all.filter((step) => step.traceId === traceId);
    if (own.length > 0 || this.options.use === 'public') return own;
    // Late: its step is over.
    const isLate =
      traceId !== undefined && this.earlier.has(traceId) && all.every((step) => startMs < step.beginMs);
    if (isLate) return [];
    for (const step of all) if (all.length > 1) step.isUnattributed = true;
    return all.length === 1 ? all : [];
  }
}

interface PathParts {
  readonly receiver: Receiver;
  readonly forwarder: Forwarder | undefined;
  readonly steps: Set<TelemetryStep>;
}

const DEFAULT_PORT = 4318;

/** A new trace, whose root is a span of ours that nobody sends: what the agent does is below it. */
function newTraceparent(): string {
  return `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
}

function spanOf(traceparent: string): string {
  return traceparent.split('-')[2]!;
}

/** What comes while one step runs, and after it. */
export class TelemetryStep {
  readonly traceparent: string;
  readonly traceId: string;
  readonly beginMs = epochMs();
  readonly collector = new TelemetryCollector();
  /** Telemetry came that may be of this step or of another. */
  isUnattributed = false;
  /** Spans of ours, which nobody sends. */
  private readonly roots: ReadonlySet<string>;
  private readonly lost = new Set<string>();
  private lastMs: number | undefined;
  private onTouch: (() => void) | undefined;

  constructor(traceparent: string, inherited: string) {
    this.traceparent = traceparent;
    this.traceId = traceparent.split('-')[1]!;
    this.roots = new Set([spanOf(traceparent), inherited]);
  }

  touch(): void {
    this.lastMs = monotonicMs();
    this.onTouch?.();
  }

  lose(why: string): void {
    if (this.lost.size < 10) this.lost.add(why);
  }

  /** Nothing came. */
  get isSilent(): boolean {
    return this.lastMs === undefined;
  }

  /** Something came, and no span above another one is missing. */
  get isWhole(): boolean {
    return this.lastMs !== undefined && this.missingParent === undefined;
  }

  /** A span that others name as their parent, and that never came. */
  private get missingParent(): string | undefined {
    const traces = [...this.collector.traces.values()];
    for (const { nodes } of traces)
      for (const { parentId } of nodes.values())
        if (
          parentId !== undefined &&
          !this.roots.has(parentId) &&
          !nodes.has(parentId) &&
          !traces.some((other) => other.nodes.has(parentId))
        )
          return parentId;
    return undefined;
  }

  /** Until nothing came for a while after the roots ended; but no longer than the limit. */
  async settle({ quietMs, waitMs, signal }: WaitLimits): Promise<void> {
    const endMs = monotonicMs() + waitMs;
    while (!signal.aborted) {
      const nowMs = monotonicMs();
      const quietAtMs = this.isWhole ? (this.lastMs ?? nowMs) + quietMs : Infinity;
      const left = Math.min(quietAtMs, endMs) - nowMs;
      if (left <= 0) return;
      await until(new Promise<void>((resolve) => (this.onTouch = resolve)), left, signal);
    }
  }

  toTrace(forwardProblems: ReadonlySet<string>): Trace {
    const { traces } = readCollected(this.collector, { isOne: true });
    const trace = traces[0]?.steps[0]?.trace;
    const warnings = [...(trace?.warnings ?? []), ...[...forwardProblems].map(notForwarded)];
    const gap = this.gap(trace);
    const whole: Trace = { ...trace, ...(warnings.length > 0 && { warnings }) };
    const own = gap === undefined ? whole : withGap(lowerBound(whole), gap);
    return this.isUnattributed ? { ...lowerBound(own), is_unattributed: true } : own;
  }

  private gap(trace: Trace | undefined): TraceProblem | undefined {
    const at = 'the telemetry';
    const [lost] = this.lost;
    if (lost !== undefined) return { at, form: `a part of it is lost: ${lost}` };
    if (this.isSilent) return { at, form: `none came from the agent\n${HOW_TO_SEND}` };
    const parent = this.missingParent;
    if (parent !== undefined)
      return { at, form: `it is not whole: the span ${parent}, which is above others, never came\n${FLUSH}` };
    if (trace === undefined) return { at, form: `it contains no call of a model or a tool\n${HOW_TO_SEND}` };
    return trace.gap;
  }
}

const FLUSH =
  'let the agent send all of its spans before it exits (`shutdown()` or `forceFlush()` of its tracer provider), or wait longer (`otel: { wait_ms: 60000 }`)';

interface WaitLimits {
  readonly quietMs: number;
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

function notForwarded(problem: string): TraceWarning {
  return {
    code: 'telemetry_not_forwarded',
    message: `telemetry was not passed on: ${problem}`,
    hint: 'set OTEL_EXPORTER_OTLP_ENDPOINT to the address of your collector, or remove `otel.forward`',
  };
}

/** Whatever comes first: what is waited for, the time, or the end of the attempt. */
async function until(wanted: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const other = new Promise<void>((resolve) => {
    timer = startTimer(resolve, ms);
    onAbort = () => resolve();
    signal.addEventListener('abort', onAbort, { once: true });
  });
  await Promise.race([wanted, other]);
  stopTimer(timer);
  signal.removeEventListener('abort', onAbort!);
}
