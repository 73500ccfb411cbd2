import { tryUnpack } from './packed.ts';
import { queueNames, type RunOffer } from './protocol.ts';
import type { QueueServer, WorkQueue } from './queue-server.ts';
import { epochMs } from '../system-time.ts';

/** A run nobody has followed for so long will not be resumed from the queue. */
const FORGOTTEN_MS = 24 * 60 * 60 * 1000;

/** Takes everything of a run off the queue, its offer first: workers stop when it is gone. */
export async function removeRun(server: QueueServer, runs: WorkQueue, run_id: string): Promise<void> {
  await runs.remove(run_id);
  await removeQueues(server, run_id);
}

/** Everything but the offer. */
export async function removeQueues(server: QueueServer, run_id: string): Promise<void> {
  const { work, members } = queueNames(run_id);
  for (const name of [work, members]) {
    const queue = server.openQueue(name);
    await queue.obliterate({ force: true });
    await queue.close();
  }
}

export async function removeForgottenRuns(server: QueueServer, runs: WorkQueue): Promise<void> {
  for (const job of await runs.getJobs(['waiting'], 0, -1)) {
    const offer = tryUnpack<RunOffer>(job.data);
    if (offer !== undefined && epochMs() - Date.parse(offer.beat_at) > FORGOTTEN_MS)
      await removeRun(server, runs, offer.run_id);
  }
}
