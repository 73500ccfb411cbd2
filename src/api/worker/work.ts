import { hostname } from 'node:os';
import { withDotEnv } from '../../suites/config/dot-env.ts';
import { withProjectEnvironment } from '../../suites/config/project-environment.ts';
import type { TargetChoice } from '../../suites/config/target-resolver.ts';
import { findProjectRoot } from '../../suites/load/project-root.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import { readQueueAddress } from '../../run/queue/queue-address.ts';
import { connectQueue } from '../../run/queue/queue-server.ts';
import { within } from '../../run/queue/within.ts';
import { QueueWorker } from '../../run/queue/worker.ts';
import { version } from '../../base/system/version.ts';
import { createAttemptRunner } from './attempt-runner.ts';
import { epochMs } from '../../base/system/system-time.ts';

export interface WorkOptions extends TargetChoice {
  /** `redis://...`, `postgres://...`, or the name of a variable that contains it. */
  readonly queue: string;
  /** How many attempts at once. Default: the agents decide. */
  readonly concurrency?: number | undefined;
  readonly allowScripts?: boolean | undefined;
  readonly useCache?: boolean | undefined;
  /** End after this long without work. */
  readonly idleMs?: number | undefined;
  /** How long to wait while the queue does not answer. Default: ten minutes. */
  readonly patienceMs?: number | undefined;
  /** Take no more, and end when the running attempts have ended. */
  readonly signal: AbortSignal;
  /** Stop the running attempts. */
  readonly force: AbortSignal;
  readonly observer: WorkObserver;
}

export interface WorkObserver {
  onConnected(worker: { readonly id: string; readonly queue: string }): void;
  onConnection(isThere: boolean, problem?: string): void;
  onWeakness(weakness: string): void;
  onStranded(): void;
  onJoin(run_id: string): void;
  onLeave(run_id: string): void;
  onRefusal(run_id: string, reason: string): void;
  onFinished(record: AttemptRecord): void;
}

const DEFAULT_PATIENCE_MS = 10 * 60_000;
const CLOSE_MS = 1000;

/** Runs attempts for the runs on a queue, until it is stopped. */
export async function work(options: WorkOptions): Promise<void> {
  const { observer, signal, force, concurrency, idleMs } = options;
  const address = readQueueAddress(options.queue, withDotEnv(findProjectRoot(process.cwd()), process.env));
  const server = await connectQueue(address);
  const workerId = `${hostname()}-${process.pid}-${epochMs().toString(36)}`;
  observer.onConnected({ id: workerId, queue: server.shown });
  const worker = new QueueWorker({
    server,
    workerId,
    version,
    concurrency,
    idleMs,
    patienceMs: options.patienceMs ?? DEFAULT_PATIENCE_MS,
    join: async (offer) =>
      createAttemptRunner(offer, {
        ...options,
        secrets: address.secrets,
        onAccept: () => observer.onJoin(offer.run_id),
      }),
    onLeave: (run_id) => observer.onLeave(run_id),
    onRefusal: (run_id, { message }) => observer.onRefusal(run_id, message),
    onFinished: (record) => observer.onFinished(record),
    onConnection: (isThere, problem) => observer.onConnection(isThere, problem),
    onWeakness: (weakness) => observer.onWeakness(weakness),
    onStranded: () => observer.onStranded(),
  });
  try {
    await withProjectEnvironment(() => worker.work(signal, force));
  } finally {
    await within(CLOSE_MS, () => server.close()).catch(() => false);
  }
}
