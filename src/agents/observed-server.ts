import type { AgentRequest } from '../base/model/reply.ts';
import type { Observing, OpenOptions, RawReply, Session } from './contract.ts';
import type { StartedServer } from './http-server.ts';
import { ModelCallWatch, SessionWatch, type WatchedPath } from './model-call-watch.ts';
import { OneAtATime } from './one-at-a-time.ts';

/** `traceparent`: of the step, for servers whose telemetry is read. */
export type SendRequest = (
  request: AgentRequest,
  signal: AbortSignal,
  traceparent?: string,
) => Promise<RawReply>;

type Start = (env: NodeJS.ProcessEnv) => Promise<StartedServer>;

/**
 * A server whose model calls are watched. Nobody could tell whose a call is, so it gets one attempt at a time; and it is started anew after
 * an attempt that ended without a reply, for it may still be at work on it.
 */
export class ObservedServer implements StartedServer {
  private readonly watch: ModelCallWatch;
  private readonly path: WatchedPath;
  private readonly restart: () => Promise<StartedServer>;
  private readonly turns = new OneAtATime();
  private server: StartedServer;
  private isBusy = false;

  /** `start` is called again whenever it has to be started anew. */
  static async start(start: Start, env: NodeJS.ProcessEnv, observe: Observing): Promise<ObservedServer> {
    const watch = new ModelCallWatch(env, observe);
    try {
      const { path, env: watched } = await watch.open();
      const restart = (): Promise<StartedServer> => start(watched);
      return new ObservedServer({ watch, path, restart, server: await restart() });
    } catch (error) {
      await watch.close();
      throw error;
    }
  }

  private constructor({ watch, path, restart, server }: ObservedServerParts) {
    this.watch = watch;
    this.path = path;
    this.restart = restart;
    this.server = server;
  }

  explainEnd(): string | undefined {
    return this.server.explainEnd();
  }

  /** Waits until no other session is open. */
  async openSession(options: OpenOptions | undefined, send: SendRequest): Promise<Session> {
    const close = await this.turns.take();
    try {
      if (this.isBusy) await this.startAnew();
    } catch (error) {
      close();
      throw error;
    }
    const watch = new SessionWatch(options);
    return {
      send: async (request, signal) => {
        this.isBusy = true;
        const step = { step: request.step, signal };
        const reply = await watch.send(this.path, step, (ending, traceparent) =>
          send(request, ending, traceparent),
        );
        this.isBusy = false;
        return reply;
      },
      close,
    };
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await this.watch.close();
  }

  private async startAnew(): Promise<void> {
    await this.server.stop();
    this.server = await this.restart();
    this.isBusy = false;
  }
}

interface ObservedServerParts {
  readonly watch: ModelCallWatch;
  readonly path: WatchedPath;
  readonly restart: () => Promise<StartedServer>;
  readonly server: StartedServer;
}
