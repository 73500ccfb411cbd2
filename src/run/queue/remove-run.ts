import { tryUnpack } from './packed.ts';
import { queueNames, runOfQueue, type RunOffer } from './protocol.ts';
import type { QueueServer, WorkQueue } from './queue-server.ts';
import { epochMs } from '../../base/system/system-time.ts';

/** A run without a coordinator for this long will not be resumed from the queue. */
const FORGOTTEN_MS = 24 * 60 * 60 * 1000;

/** Removes everything of a run from the queue, its offer first: workers stop when the offer is gone. */
export async function removeRun(server: QueueServer, runs: WorkQueue, run_id: string): Promise<void> {
  await runs.remove(run_id);
  await removeQueues(server, run_id);
}

/** Everything but the offer. */
export async function removeQueues(server: QueueServer, run_id: string): Promise<void> {
  const { work, members } = queueNames(run_id);
  for (const name of [work, members]) {
    const queue = server.openQueue(name);
    try {
      await queue.obliterate({ force: true });
    } finally {
      await queue.close().catch(() => {});
    }
  }
}

/**
 * Removes runs that lost their coordinator long ago, and leftovers of finished runs: a worker that was killed while
 * its run ended leaves a row that nothing else would remove.
 */
export async function removeForgottenRuns(
  server: QueueServer,
  runs: WorkQueue,
  ownRunId: string,
): Promise<void> {
  // Queues first: a queue that has no offer afterwards had none before either.
  const names = await server.listQueues();
  const jobs = await runs.getJobs(['waiting'], 0, -1);
  const offered = new Set(jobs.map(({ id }) => id));
  const found = new Set(names.flatMap((name) => runOfQueue(name) ?? []));
  for (const run_id of found)
    if (!offered.has(run_id) && run_id !== ownRunId) await removeQueues(server, run_id);
  for (const job of jobs) {
    const offer = tryUnpack<RunOffer>(job.data);
    if (offer !== undefined && epochMs() - Date.parse(offer.beat_at) > FORGOTTEN_MS)
      await removeRun(server, runs, offer.run_id);
  }
}
