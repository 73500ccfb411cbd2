import type { Refusal } from '../evidence/observe/before-call.ts';
import { Observation } from '../evidence/observe/observation.ts';
import type { Proxy, ProxyPath } from '../evidence/observe/proxy.ts';
import type { AgentRequest } from '../base/model/reply.ts';
import type { TelemetryPath } from '../evidence/otel/telemetry-path.ts';
import {
  AgentError,
  telemetryOf,
  type Observing,
  type OpenOptions,
  type RawReply,
  type Session,
} from './contract.ts';
import { sendTraced, type TracedReply, type TracedStep } from './send-traced.ts';

/** Where the model calls of a program go, or its telemetry. */
export type WatchedPath = ProxyPath | TelemetryPath;

/** Watches the model calls of the programs of one agent, through a proxy that is started when it is first needed; or reads their telemetry. */
export class ModelCallWatch {
  private readonly env: NodeJS.ProcessEnv;
  private readonly observe: Observing;
  private proxy: Promise<Proxy> | undefined;
  private readonly telemetry = new Set<TelemetryPath>();

  constructor(env: NodeJS.ProcessEnv, observe: Observing) {
    this.env = env;
    this.observe = observe;
  }

  /** A path for a program, and its environment. */
  async open(): Promise<{ readonly path: WatchedPath; readonly env: NodeJS.ProcessEnv }> {
    const path = await this.openPath();
    return { path, env: { ...this.env, ...path.env } };
  }

  /** A session of an agent that starts a program for each step. */
  async openSession(options: OpenOptions | undefined, run: RunProgram): Promise<Session> {
    const { path, env } = await this.open();
    const watch = new SessionWatch(options);
    return {
      send: (request, signal) =>
        watch.send(path, { step: request.step, signal, end: 'exited', inherited: true }, (ending) =>
          run(request, { env, signal: ending }),
        ),
      close: () => path.close(),
    };
  }

  async close(): Promise<void> {
    await (await this.proxy)?.close();
    await Promise.all([...this.telemetry].map((path) => path.close()));
  }

  private async openPath(): Promise<WatchedPath> {
    const { env, observe } = this;
    const settings = telemetryOf(observe);
    if (settings === undefined) {
      this.proxy ??= import('../evidence/observe/proxy.ts').then(({ startProxy }) => startProxy());
      return (await this.proxy).open(env, { isOffline: observe === 'offline' });
    }
    const { TelemetryPath: Path } = await import('../evidence/otel/telemetry-path.ts');
    const path = await Path.open({ ...settings, env, use: 'one' });
    this.telemetry.add(path);
    return path;
  }
}

/** Runs a program for one step. */
export type RunProgram = (
  request: AgentRequest,
  options: { readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal },
) => Promise<RawReply>;

interface WatchedStep extends Omit<TracedStep, 'signal'> {
  readonly step: number;
  readonly signal: AbortSignal;
}

/** The model calls of one session. */
export class SessionWatch {
  private readonly observation: Observation;

  constructor(options?: OpenOptions) {
    this.observation = new Observation(options);
  }

  /** Sends a step, and adds what was seen to what comes of it. A call that is refused ends the step. */
  async send(
    path: WatchedPath,
    { step, signal, ...traced }: WatchedStep,
    send: (signal: AbortSignal, traceparent?: string) => Promise<TracedReply>,
  ): Promise<RawReply> {
    if ('begin' in path)
      return sendTraced(path, { signal, ...traced }, (traceparent) => send(signal, traceparent));
    const { observation } = this;
    const refused = new AbortController();
    let refusal: Refusal | undefined;
    observation.begin(step);
    observation.onRefused = (decision) => {
      refusal ??= decision;
      refused.abort();
    };
    path.observe(observation);
    try {
      const any = observation.beforeCall === undefined ? signal : AbortSignal.any([signal, refused.signal]);
      const reply = await send(any);
      if (refusal !== undefined)
        throw new AgentError(refusal.kind, refusal.message, { printed: reply.printed });
      return { ...reply, observed: observation.take() };
    } catch (error) {
      if (!(error instanceof AgentError)) throw error;
      const { kind, message, printed, retryAfterMs, isRateLimit, refusedStatus, cause } = error;
      const isRefused = refusal !== undefined && !signal.aborted;
      throw new AgentError(isRefused ? refusal!.kind : kind, isRefused ? refusal!.message : message, {
        printed,
        retryAfterMs,
        isRateLimit,
        refusedStatus,
        cause,
        observed: observation.take(),
      });
    } finally {
      // What was refused once stays refused, as long as the program runs.
      if (refusal === undefined) path.observe(undefined);
    }
  }
}
