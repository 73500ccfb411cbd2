import type { AttemptRecord } from '../../base/model/record.ts';
import { tryUnpack } from './packed.ts';
import { BEAT_MS, PROTOCOL, RUNS_QUEUE, type RunOffer } from './protocol.ts';
import { QueueAway } from './queue-error.ts';
import type { QueueServer, WorkQueue } from './queue-server.ts';
import { workerWithoutQueue } from './reasons-to-stop.ts';
import { removeQueues } from './remove-run.ts';
import { Refusal, RunMember, type AttemptRunner } from './run-member.ts';
import { Slots } from './slots.ts';
import { epochMs, monotonicMs, sleep } from '../../base/system/system-time.ts';
import { within } from './within.ts';

/** A worker leaves a run that has had no coordinator for this long; it joins again if somebody resumes the run. */
const UNFOLLOWED_MS = 10 * 60 * 1000;
/** A run is over when its offer is missing this many times: a restarted server may have lost it for a moment. */
const ABSENCES = 2;
/** If a look at the queue takes longer, the queue did not answer. */
const ANSWER_MS = 5 * BEAT_MS;
/** A probe ends by itself before this. */
const REACH_MS = 10 * BEAT_MS;
/** How long a stopping worker waits for the queue after its last attempt. */
const FAREWELL_MS = 8 * BEAT_MS;

export interface QueueWorkerOptions {
  readonly server: QueueServer;
  readonly workerId: string;
  readonly version: string;
  /** How many attempts at once; undefined: the agents decide. */
  readonly concurrency?: number | undefined;
  /** End after this long without work. */
  readonly idleMs?: number | undefined;
  /** How long to wait while the queue does not answer. */
  readonly patienceMs: number;
  /** Prepares for a run, or explains why it cannot. */
  readonly join: (offer: RunOffer) => Promise<AttemptRunner | Refusal>;
  readonly onLeave: (run_id: string) => void;
  readonly onRefusal: (run_id: string, refusal: Refusal) => void;
  readonly onFinished: (record: AttemptRecord) => void;
  /** Whether the queue answers; if not, what is known about it. */
  readonly onConnection: (isThere: boolean, problem?: string) => void;
  /** What may lose jobs on this server. */
  readonly onWeakness: (weakness: string) => void;
  /** It ended without telling the queue, which did not answer. */
  readonly onStranded: () => void;
}

interface Membership {
  readonly member: RunMember;
  readonly runner: AttemptRunner | Refusal;
}

/** Joins every run on a queue, until it is stopped. */
export class QueueWorker {
  private readonly options: QueueWorkerOptions;
  private readonly runs: WorkQueue;
  private readonly slots: Slots;
  private readonly members = new Map<string, Membership>();
  /** Runs that are being left, each until it has been left. */
  private readonly leaving = new Map<RunMember, Promise<void>>();
  private readonly absences = new Map<string, number>();
  /** Runs to join after the look that found them. */
  private offered: RunOffer[] = [];
  /** Runs whose agents are being created, which may take long. */
  private readonly joining = new Map<string, Promise<void>>();
  private busyAt = monotonicMs();
  private answeredAt = monotonicMs();
  private problem = 'the queue does not answer';
  /** One look at a time: otherwise a slow look and the next one would join the same run. */
  private looking: Promise<void> | undefined;
  private isStopping = false;

  constructor(options: QueueWorkerOptions) {
    this.options = options;
    this.runs = options.server.openQueue(RUNS_QUEUE);
    this.slots = new Slots(options.concurrency ?? 1);
  }

  /** `signal` ends the worker in order: running attempts finish. `force` stops those too. */
  async work(signal: AbortSignal, force: AbortSignal): Promise<void> {
    force.addEventListener('abort', () => {
      for (const { member } of this.members.values()) member.abort();
      for (const member of this.leaving.keys()) member.abort();
    });
    const isReached = await this.reach(signal);
    while (!signal.aborted && !this.isIdle() && !this.isOutOfPatience()) {
      const started = monotonicMs();
      const isAnswered = await within(ANSWER_MS, () => this.lookOnce(), signal).catch(() => false);
      if (isAnswered) this.answeredAt = monotonicMs();
      if (!signal.aborted) this.options.onConnection(isAnswered);
      if (await this.joinOffered(signal)) continue;
      // An idle worker looks more often.
      const everyMs = this.isBusy() && this.absences.size === 0 ? BEAT_MS : BEAT_MS / 4;
      const restMs = Math.max(50, everyMs - (monotonicMs() - started));
      await sleep(restMs, undefined, { signal }).catch(() => {});
    }
    if (isReached && !(await this.leaveAll())) this.options.onStranded();
    await within(BEAT_MS, () => this.runs.close()).catch(() => false);
    if (!signal.aborted && this.isOutOfPatience())
      throw workerWithoutQueue(this.problem, this.options.patienceMs);
  }

  /** Waits for a queue that is not up yet. False: it did not come up. */
  private async reach(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted && !this.isIdle() && !this.isOutOfPatience()) {
      try {
        if (!(await within(REACH_MS, () => this.options.server.probe(), signal))) continue;
        this.answeredAt = monotonicMs();
        this.options.onConnection(true);
        const { weakness } = this.options.server;
        if (weakness !== undefined) this.options.onWeakness(weakness);
        return true;
      } catch (error) {
        if (!(error instanceof QueueAway)) throw error;
        this.problem = error.message;
        this.options.onConnection(false, error.message);
      }
      await sleep(BEAT_MS / 2, undefined, { signal }).catch(() => {});
    }
    return false;
  }

  private isOutOfPatience(): boolean {
    return monotonicMs() - this.answeredAt > this.options.patienceMs;
  }

  private lookOnce(): Promise<void> {
    this.looking ??= this.look().finally(() => (this.looking = undefined));
    return this.looking;
  }

  /** Outside of a look, since creating agents says nothing about the queue. True if all runs were joined at once. */
  private async joinOffered(signal: AbortSignal): Promise<boolean> {
    const offers = this.offered.splice(0).filter(({ run_id }) => !this.joining.has(run_id));
    if (offers.length === 0 || signal.aborted) return false;
    const joined = offers.map((offer) => {
      const ended = this.join(offer).finally(() => this.joining.delete(offer.run_id));
      this.joining.set(offer.run_id, ended);
      return ended;
    });
    const areJoined = await within(BEAT_MS, () => Promise.all(joined), signal);
    this.answeredAt = monotonicMs();
    return areJoined;
  }

  private async look(): Promise<void> {
    const jobs = await this.runs.getJobs(['waiting'], 0, -1);
    const offers = jobs.flatMap(({ data }) => tryUnpack<RunOffer>(data) ?? []).filter(isOffer);
    for (const offer of offers) {
      this.absences.delete(offer.run_id);
      this.follow(offer);
    }
    const there = new Set(offers.map(({ run_id }) => run_id));
    for (const run_id of this.members.keys()) if (!there.has(run_id)) this.missed(run_id);
    this.shareSlots();
    // Nothing is written for a run whose offer is gone: it may be over, and nobody would remove it.
    for (const [run_id, { member }] of this.members) if (there.has(run_id)) await member.tell();
  }

  private follow(offer: RunOffer): void {
    if (this.isStopping || this.joining.has(offer.run_id)) return;
    const joined = this.members.get(offer.run_id)?.member;
    if (joined === undefined) {
      if (epochMs() - Date.parse(offer.beat_at) < UNFOLLOWED_MS) this.offered.push(offer);
      return;
    }
    if (joined.beatSeen !== offer.beat) {
      joined.beatSeen = offer.beat;
      joined.beatSeenAt = monotonicMs();
    } else if (monotonicMs() - joined.beatSeenAt > UNFOLLOWED_MS) void this.leave(offer.run_id);
  }

  private async join(offer: RunOffer): Promise<void> {
    const { server, workerId, version, onFinished } = this.options;
    const runner = await this.options.join(offer);
    if (this.isStopping) return runner instanceof Refusal ? undefined : runner.close();
    const member = new RunMember({
      server,
      offer,
      workerId,
      version,
      slots: this.slots,
      runner,
      onRefusal: (refusal) => this.options.onRefusal(offer.run_id, refusal),
      onFinished: (record) => {
        this.busyAt = monotonicMs();
        onFinished(record);
      },
    });
    this.members.set(offer.run_id, { member, runner });
    this.shareSlots();
  }

  private missed(run_id: string): void {
    const absences = (this.absences.get(run_id) ?? 0) + 1;
    this.absences.set(run_id, absences);
    if (absences < ABSENCES) return;
    this.absences.delete(run_id);
    // Nobody is waiting for its attempts any more.
    this.members.get(run_id)?.member.abort();
    void this.leave(run_id);
  }

  /** Not awaited while there is other work: the running attempts may take a while. */
  private leave(run_id: string): Promise<void> {
    const left = this.members.get(run_id);
    if (left === undefined) return Promise.resolve();
    this.members.delete(run_id);
    const gone = this.part(run_id, left)
      // The queue failed; a later run removes what is left on it.
      .catch(() => {})
      .finally(() => this.leaving.delete(left.member));
    this.leaving.set(left.member, gone);
    return gone;
  }

  private async part(run_id: string, { member, runner }: Membership): Promise<void> {
    await member.finish();
    await member.close();
    await this.sweep(run_id).catch(() => {});
    if (!(runner instanceof Refusal) && !member.hasRefused) this.options.onLeave(run_id);
  }

  /** Leaving a finished run removes what was written to its queues since. */
  private async sweep(run_id: string): Promise<void> {
    if ((await this.runs.getJob(run_id)) === undefined) await removeQueues(this.options.server, run_id);
  }

  /** Running attempts have no limit; the queue has one. False: it did not answer in time. */
  private async leaveAll(): Promise<boolean> {
    this.isStopping = true;
    // A look in progress would write to what is left.
    await within(FAREWELL_MS / 2, () => Promise.all([this.looking, ...this.joining.values()])).catch(
      () => false,
    );
    for (const run_id of this.members.keys()) void this.leave(run_id);
    // This includes runs that were left before: the connection is closed next.
    const left = Promise.all(this.leaving.values());
    let quietAt = monotonicMs();
    while (!(await within(BEAT_MS / 4, () => left))) {
      if ([...this.leaving.keys()].some(({ isBusy }) => isBusy)) quietAt = monotonicMs();
      if (monotonicMs() - quietAt > FAREWELL_MS) return false;
    }
    return true;
  }

  /** Runs share the slots evenly. The agents decide how many there are, unless an option does. */
  private shareSlots(): void {
    const runners = [...this.members].flatMap(([run_id, { runner }]) =>
      runner instanceof Refusal || this.absences.has(run_id) ? [] : [runner],
    );
    const known = runners.flatMap(({ capacity }) => capacity ?? []);
    if (this.options.concurrency === undefined && known.length > 0) this.slots.resize(Math.max(...known));
    const share = Math.floor(this.slots.total / Math.max(1, runners.length));
    for (const { member, runner } of this.members.values()) {
      const most = runner instanceof Refusal ? 0 : (this.options.concurrency ?? runner.capacity ?? 1);
      member.share = Math.min(share, most);
    }
  }

  private isBusy(): boolean {
    return this.joining.size > 0 || [...this.members.values()].some(({ member }) => member.isBusy);
  }

  private isIdle(): boolean {
    const { idleMs } = this.options;
    if (this.isBusy()) this.busyAt = monotonicMs();
    return idleMs !== undefined && monotonicMs() - this.busyAt > idleMs;
  }
}

/** Anybody who can write to the queue may have written it. */
function isOffer({ protocol, run_id, owner, settings, beat_at, agents }: Partial<RunOffer>): boolean {
  return (
    [run_id, owner, beat_at].every((text) => typeof text === 'string') &&
    typeof settings === 'object' &&
    settings !== null &&
    // A run of another version is refused by name.
    (protocol !== PROTOCOL ||
      (Array.isArray(agents) && agents.every((agent) => typeof agent?.file === 'string')))
  );
}
