import { tryUnpack } from './packed.ts';
import { BEAT_MS, type Member } from './protocol.ts';
import type { WorkQueue } from './queue-server.ts';
import { monotonicMs } from '../../base/system/system-time.ts';

interface Seen {
  readonly member: Member;
  /** When its beat last changed, by our own clock: the clocks of two machines never agree. */
  readonly at: number;
}

/** The workers of a run: those with a beat. */
export class Fleet {
  private readonly queue: WorkQueue;
  private readonly silentAfterMs: number;
  private readonly members = new Map<string, Seen>();

  constructor(queue: WorkQueue, { lostAfterMs }: { readonly lostAfterMs: number }) {
    this.queue = queue;
    this.silentAfterMs = Math.max(lostAfterMs, 3 * BEAT_MS);
  }

  async look(): Promise<void> {
    const now = monotonicMs();
    const jobs = await this.queue.getJobs(['waiting'], 0, -1);
    for (const job of jobs) {
      const member = tryUnpack<Member>(job.data);
      if (member === undefined) continue;
      if (this.members.get(member.id)?.member.beat !== member.beat)
        this.members.set(member.id, { member, at: now });
    }
    const there = new Set(jobs.map(({ id }) => id));
    for (const [id, { at }] of this.members) {
      if (there.has(id) && now - at < this.silentAfterMs) continue;
      this.members.delete(id);
      if (there.has(id)) await this.queue.remove(id);
    }
  }

  get willing(): readonly Member[] {
    return [...this.members.values()]
      .map(({ member }) => member)
      .filter(({ refused }) => refused === undefined);
  }

  get refusing(): readonly Member[] {
    return [...this.members.values()]
      .map(({ member }) => member)
      .filter(({ refused }) => refused !== undefined);
  }

  get slots(): number {
    return this.willing.reduce((sum, { slots }) => sum + slots, 0);
  }

  get busy(): number {
    return this.willing.reduce((sum, { busy }) => sum + busy, 0);
  }
}
