import type { AttemptRecord } from '../model/record.ts';
import { tryUnpack } from './packed.ts';
import { BEAT_MS, RUNS_QUEUE, type RunOffer } from './protocol.ts';
import type { QueueServer, WorkQueue } from './queue-server.ts';
import { removeQueues } from './remove-run.ts';
import { Refusal, RunMember, type AttemptMaker } from './run-member.ts';
import { Slots } from './slots.ts';
import { epochMs, monotonicMs, sleep } from '../system-time.ts';

/** A run that nobody has followed for so long is left; should somebody go on with it, it is joined again. */
const UNFOLLOWED_MS = 10 * 60 * 1000;
/** A run is over when its offer is not there this often: a server that was restarted may have lost it for a moment. */
const ABSENCES = 2;

export interface QueueWorkerOptions {
  readonly server: QueueServer;
  readonly workerId: string;
  readonly version: string;
  /** How many attempts at once; undefined: what the agents say. */
  readonly concurrency?: number | undefined;
  /** End when there was nothing to do for so long. */
  readonly idleMs?: number | undefined;
  /** Prepares for a run, or says why not. */
  readonly join: (offer: RunOffer) => Promise<AttemptMaker | Refusal>;
  readonly onJoin: (offer: RunOffer) => void;
  readonly onLeave: (run_id: string) => void;
  readonly onRefusal: (run_id: string, refusal: Refusal) => void;
  readonly onFinished: (record: AttemptRecord) => void;
  /** Whether the queue answers. */
  readonly onConnection: (isThere: boolean) => void;
}

interface Membership {
  readonly member: RunMember;
  readonly maker: AttemptMaker | Refusal;
}

/** Takes part in every run on a queue, until it is told to stop. */
export class QueueWorker {
  private readonly options: QueueWorkerOptions;
  private readonly runs: WorkQueue;
  private readonly slots: Slots;
  private readonly members = new Map<string, Membership>();
  /** Runs that are being left, each until that is done. */
  private readonly leaving = new Map<RunMember, Promise<void>>();
  private readonly absences = new Map<string, number>();
  private busyAt = monotonicMs();

  constructor(options: QueueWorkerOptions) {
    this.options = options;
    this.runs = options.server.openQueue(RUNS_QUEUE);
    this.slots = new Slots(options.concurrency ?? 1);
  }

  /** `signal` ends it in order: what is under way is finished. `force` stops that too. */
  async work(signal: AbortSignal, force: AbortSignal): Promise<void> {
    force.addEventListener('abort', () => {
      for (const { member } of this.members.values()) member.abort();
      for (const member of this.leaving.keys()) member.abort();
    });
    while (!signal.aborted && !this.isIdle()) {
      const started = monotonicMs();
      await Promise.race([this.look(), sleep(5 * BEAT_MS, 'late')])
        .then((result) => this.options.onConnection(result !== 'late'))
        .catch(() => this.options.onConnection(false));
      // Who has nothing to do looks more often.
      const everyMs = this.isBusy() && this.absences.size === 0 ? BEAT_MS : BEAT_MS / 4;
      const restMs = Math.max(50, everyMs - (monotonicMs() - started));
      await sleep(restMs, undefined, { signal }).catch(() => {});
    }
    await this.leaveAll();
    await this.runs.close();
  }

  private async look(): Promise<void> {
    const jobs = await this.runs.getJobs(['waiting'], 0, -1);
    const offers = jobs.flatMap(({ data }) => tryUnpack<RunOffer>(data) ?? []);
    for (const offer of offers) {
      this.absences.delete(offer.run_id);
      await this.follow(offer);
    }
    const there = new Set(offers.map(({ run_id }) => run_id));
    for (const run_id of this.members.keys()) if (!there.has(run_id)) this.missed(run_id);
    this.shareSlots();
    for (const { member } of this.members.values()) await member.tell();
  }

  private async follow(offer: RunOffer): Promise<void> {
    const joined = this.members.get(offer.run_id)?.member;
    if (joined === undefined) {
      if (epochMs() - Date.parse(offer.beat_at) < UNFOLLOWED_MS) await this.join(offer);
      return;
    }
    if (joined.beatSeen !== offer.beat) {
      joined.beatSeen = offer.beat;
      joined.beatSeenAt = monotonicMs();
    } else if (monotonicMs() - joined.beatSeenAt > UNFOLLOWED_MS) void this.leave(offer.run_id);
  }

  private async join(offer: RunOffer): Promise<void> {
    const { server, workerId, version, onFinished } = this.options;
    const maker = await this.options.join(offer);
    if (!(maker instanceof Refusal)) this.options.onJoin(offer);
    const member = new RunMember({
      server,
      offer,
      workerId,
      version,
      slots: this.slots,
      maker,
      onRefusal: (refusal) => this.options.onRefusal(offer.run_id, refusal),
      onFinished: (record) => {
        this.busyAt = monotonicMs();
        onFinished(record);
      },
    });
    this.members.set(offer.run_id, { member, maker });
  }

  private missed(run_id: string): void {
    const absences = (this.absences.get(run_id) ?? 0) + 1;
    this.absences.set(run_id, absences);
    if (absences < ABSENCES) return;
    this.absences.delete(run_id);
    // Nobody waits for its attempts any more.
    this.members.get(run_id)?.member.abort();
    void this.leave(run_id);
  }

  /** Not waited for while others are worked for: what is under way may take its time. */
  private leave(run_id: string): Promise<void> {
    const left = this.members.get(run_id);
    if (left === undefined) return Promise.resolve();
    this.members.delete(run_id);
    const gone = this.part(run_id, left).finally(() => this.leaving.delete(left.member));
    this.leaving.set(left.member, gone);
    return gone;
  }

  private async part(run_id: string, { member, maker }: Membership): Promise<void> {
    await member.finish();
    await member.close();
    await this.sweep(run_id).catch(() => {});
    if (!(maker instanceof Refusal)) this.options.onLeave(run_id);
  }

  /** Whoever leaves a run that is over takes along what was written to its queues since. */
  private async sweep(run_id: string): Promise<void> {
    if ((await this.runs.getJob(run_id)) === undefined) await removeQueues(this.options.server, run_id);
  }

  private async leaveAll(): Promise<void> {
    for (const run_id of this.members.keys()) void this.leave(run_id);
    // Also those that were left before: the connection is closed next.
    await Promise.all(this.leaving.values());
  }

  /** Runs share the slots evenly; how many there are, the agents say unless somebody else did. */
  private shareSlots(): void {
    const makers = [...this.members].flatMap(([run_id, { maker }]) =>
      maker instanceof Refusal || this.absences.has(run_id) ? [] : [maker],
    );
    const known = makers.flatMap(({ capacity }) => capacity ?? []);
    if (this.options.concurrency === undefined && known.length > 0) this.slots.resize(Math.max(...known));
    const share = Math.floor(this.slots.total / Math.max(1, makers.length));
    for (const { member, maker } of this.members.values()) {
      const most = maker instanceof Refusal ? 0 : (this.options.concurrency ?? maker.capacity ?? 1);
      member.share = Math.min(share, most);
    }
  }

  private isBusy(): boolean {
    return [...this.members.values()].some(({ member }) => member.isBusy);
  }

  private isIdle(): boolean {
    const { idleMs } = this.options;
    if (this.isBusy()) this.busyAt = monotonicMs();
    return idleMs !== undefined && monotonicMs() - this.busyAt > idleMs;
  }
}
