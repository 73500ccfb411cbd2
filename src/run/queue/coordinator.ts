import { randomBytes } from 'node:crypto';
import type { Worker } from 'bullmq';
import type { PlannedAttempt } from '../plan/plan.ts';
import type { RunTestsOptions } from '../run-tests.ts';
import { BatchSize } from './batch-size.ts';
import type { CoordinatorOptions } from './coordinator-options.ts';
import { Latch } from './latch.ts';
import { Fleet } from './fleet.ts';
import { Ledger } from './ledger.ts';
import { pack, tryUnpack } from './packed.ts';
import { BEAT_MS, queueNames, RUNS_QUEUE, type Batch, type RunOffer } from './protocol.ts';
import { QueueAway, QueueError } from './queue-error.ts';
import type { WorkQueue } from './queue-server.ts';
import { readResult } from './result-pieces.ts';
import { noWorkers, runWithoutQueue, takenOver } from './reasons-to-stop.ts';
import { removeForgottenRuns, removeRun } from './remove-run.ts';
import { monotonicMs, sleep, timestamp } from '../../base/system/system-time.ts';
import { within } from './within.ts';

/**
 * The most attempts dispatched at once, for any number of workers: everything waiting on the queue is in our memory
 * too.
 */
const MOST_OPEN = 8192;
/** Extra jobs beyond what the workers are running, so that no worker waits for us. */
const JOBS_PER_SLOT = 4;
const FEWEST_JOBS = 8;
const COLLECTED_AT_ONCE = 64;
const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;
const NEVER = 1_000_000;
const EARLY_BEATS = 20;
/** How long a run waits for existing workers to report, before it starts to count its time. */
const GREETING_MS = BEAT_MS / 2;
/** If a beat takes longer, the queue did not answer. */
const ANSWER_MS = 5 * BEAT_MS;

/** Dispatches the attempts of a run to workers on a queue, and collects their records. */
export class Coordinator {
  private readonly options: CoordinatorOptions;
  private readonly owner = randomBytes(6).toString('hex');
  private readonly runs: WorkQueue;
  private readonly work: WorkQueue;
  private readonly members: WorkQueue;
  private readonly checker: Worker<string, string>;
  private readonly ledger: Ledger;
  private readonly fleet: Fleet;
  private readonly batchSize = new BatchSize();
  private readonly stalled: string[] = [];
  private readonly refusals = new Set<string>();
  /** Jobs that we told the queue to remove, whether or not it answered. */
  private readonly removed = new Set<string>();
  private room = new Latch();
  private unsent: { readonly id: string; readonly batch: Batch }[] = [];
  private jobCount = 0;
  private beat = 0;
  private missing = 0;
  private lastProgressAt: number;
  private readonly over = new AbortController();
  private isTakenOver = false;
  private isAnnounced = false;
  private isSilent = false;
  private loops: Promise<unknown> = Promise.resolve();

  constructor(options: CoordinatorOptions) {
    this.options = options;
    this.lastProgressAt = options.waitsSince;
    const { server, offer, hashes } = options;
    const names = queueNames(offer.run_id);
    this.runs = server.openQueue(RUNS_QUEUE);
    this.work = server.openQueue(names.work, { isNew: true });
    this.members = server.openQueue(names.members);
    this.ledger = new Ledger(hashes);
    this.fleet = new Fleet(this.members, { lostAfterMs: offer.lost_after_ms });
    // Only the coordinator looks for silent workers: one place decides which worker is lost, and what to do about
    // it.
    this.checker = server.openWorker(names.work, null, {
      autorun: false,
      stalledInterval: Math.ceil(offer.lost_after_ms / 3),
      maxStalledCount: NEVER,
    });
    this.checker.on('stalled', (jobId: string) => this.stalled.push(jobId));
  }

  /** Takes over what an earlier process left of this run, and starts to look for workers. */
  async start(): Promise<void> {
    const { server, offer, signal } = this.options;
    const onAbort = (): void => {
      this.ledger.abandon();
      this.room.open();
    };
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    await this.persist(async () => {
      await server.probe();
      if (server.weakness !== undefined && !this.isAnnounced) this.options.onWeakness(server.weakness);
      await removeForgottenRuns(server, this.runs, offer.run_id);
      await this.adopt();
      await this.announce();
    });
    if (signal.aborted) return;
    await within(ANSWER_MS, () => this.greet(), signal).catch(() => false);
    void this.checker.startStalledCheckTimer();
    this.lastProgressAt = monotonicMs();
    this.loops = Promise.all([this.follow(), this.beatOn()]);
  }

  /** What the runner needs to let free workers run these attempts. */
  giveOut(
    attempts: AsyncIterable<PlannedAttempt>,
  ): Pick<RunTestsOptions, 'attempts' | 'workers' | 'execute'> {
    return {
      attempts: this.pace(attempts),
      // `pace` keeps the runner from requesting more at once than is useful.
      workers: MOST_OPEN,
      execute: (attempt) => this.ledger.ask(attempt),
    };
  }

  /** Removes the run from the queue; workers that are still busy with it stop. */
  async close(): Promise<void> {
    this.over.abort();
    this.room.open();
    // If the queue does not remove something in time, a later run removes it.
    const limitMs = this.isSilent ? BEAT_MS / 4 : BEAT_MS;
    await this.settle(this.isSilent ? limitMs : ANSWER_MS, async () => {
      await this.loops;
      await this.checker.close(true);
      if (this.isAnnounced && !this.isTakenOver)
        await removeRun(this.options.server, this.runs, this.options.offer.run_id);
    });
    await this.settle(limitMs, () =>
      Promise.all([this.runs.close(), this.work.close(), this.members.close()]),
    );
    await this.settle(limitMs, () => this.options.server.close());
  }

  /** The run is over: if the queue fails now, nothing changes. */
  private async settle(limitMs: number, task: () => Promise<unknown>): Promise<void> {
    await within(limitMs, task).catch(() => false);
  }

  /** Tries until the queue has answered, for as long as a run waits. The action may happen twice. */
  private async persist(task: () => Promise<void>): Promise<void> {
    const { signal, patienceMs } = this.options;
    let problem = SILENT;
    for (let limitMs = ANSWER_MS; !signal.aborted; limitMs *= 2) {
      const leftMs = this.patienceLeftMs();
      if (leftMs <= 0) throw runWithoutQueue(problem, patienceMs);
      const isDone = await within(Math.min(limitMs, leftMs), task, signal).catch((error: unknown) => {
        if (error instanceof QueueError && !(error instanceof QueueAway)) throw error;
        if (error instanceof QueueAway) problem = error.message;
        return false;
      });
      this.isSilent = !isDone;
      if (isDone) return;
      this.report({ problem });
      await this.pause(LONGEST_PAUSE_MS * 5);
    }
  }

  /**
   * The attempts in the form they are dispatched in. What only the agent needs is left out: it would use memory for
   * nothing.
   */
  private async *pace(attempts: AsyncIterable<PlannedAttempt>): AsyncGenerator<PlannedAttempt> {
    for await (const attempt of attempts) {
      while (this.ledger.open >= this.mostOpen() && !this.options.signal.aborted) await this.room.opened;
      const { memory: _m, input_messages: _i, expected_messages: _e, ...test } = attempt.test;
      yield { ...attempt, test: { ...test, steps: [], assertions: [] } };
    }
  }

  private async adopt(): Promise<void> {
    // An earlier removal may have stopped halfway.
    await this.work.resume();
    for (const job of await this.work.getJobs(['waiting', 'active', 'completed', 'failed'], 0, -1)) {
      const batch = tryUnpack<Batch>(job.data);
      // Anybody who can write to the queue may have written it.
      if (Array.isArray(batch?.attempts)) this.ledger.adopt(job.id!, batch);
    }
  }

  private async greet(): Promise<void> {
    const start = monotonicMs();
    while (monotonicMs() - start < GREETING_MS) {
      await this.pause(BEAT_MS / 20);
      await this.fleet.look();
    }
  }

  /** The offer never disappears in between: workers that do not find it leave the run. */
  private async announce(): Promise<void> {
    const { run_id } = this.options.offer;
    this.isAnnounced = true;
    const job = await this.runs.getJob(run_id);
    if (job === undefined) await this.runs.add('run', this.offer(), { jobId: run_id });
    else await job.updateData(this.offer());
  }

  private offer(): string {
    const { owner, beat } = this;
    return pack({
      ...this.options.offer,
      owner,
      beat,
      beat_at: timestamp(),
    } satisfies RunOffer);
  }

  /** Dispatches and collects, in turn, until the run is over. */
  private async follow(): Promise<void> {
    let pauseMs = SHORTEST_PAUSE_MS;
    while (!this.over.signal.aborted) {
      try {
        const didSomething = (await this.recoverStalled()) + (await this.send()) + (await this.collect());
        pauseMs = didSomething > 0 ? SHORTEST_PAUSE_MS : Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
        if (didSomething > 0) this.makeRoom();
      } catch {
        // The server is away, or was for a moment. Trying again loses nothing.
        pauseMs = LONGEST_PAUSE_MS;
      }
      await this.pause(pauseMs);
    }
  }

  private async send(): Promise<number> {
    // While more attempts are on their way from the plan, half a batch can wait to be filled.
    while (this.ledger.hasWaiting && this.unsent.length < COLLECTED_AT_ONCE) {
      const batch = this.ledger.nextBatch(this.batchSize.next(this.mostInBatch()))!;
      const id = `${this.owner}-${++this.jobCount}`;
      this.unsent.push({ id, batch });
      this.ledger.opened(id, batch);
    }
    if (this.unsent.length === 0) return 0;
    const sent = this.unsent;
    // The ids stay the same if this has to be repeated: a job that already exists is not added twice.
    await this.work.addBulk(
      sent.map(({ id, batch }) => ({
        name: 'batch',
        data: pack(batch),
        opts: { jobId: id, lifo: batch.alone },
      })),
    );
    this.unsent = [];
    return sent.length;
  }

  private async collect(): Promise<number> {
    const ids = await this.work.getRanges(['completed'], 0, COLLECTED_AT_ONCE - 1, true);
    const jobs = await Promise.all(ids.map((id) => this.work.getJob(id)));
    let unread = 0;
    for (const job of jobs) {
      if (job === undefined) continue;
      const read = await readResult(job, this.work);
      const result = read ?? NOTHING;
      this.ledger.lost(job.id!, job.stalledCounter + (read === undefined ? 1 : 0));
      const before = this.ledger.retries;
      this.ledger.closed(job.id!, result);
      if (read === undefined) unread += this.ledger.retries - before;
      this.batchSize.measured({ attempts: result.finished.length, durationMs: result.duration_ms });
    }
    if (unread > 0) this.options.onDataLoss(unread);
    // By now the run has the records: it receives them in the order of these calls.
    await Promise.all(ids.map((id) => this.work.remove(id)));
    return ids.length;
  }

  private async recoverStalled(): Promise<number> {
    const ids = this.stalled.splice(0);
    for (const id of ids) {
      this.ledger.lost(id, this.ledger.lossesOf(id) + 1);
      this.removed.add(id);
      // If a worker has it again already, that worker returns it untouched.
      if ((await this.work.remove(id)) === 1) this.ledger.closed(id, NOTHING);
    }
    return ids.length;
  }

  private async beatOn(): Promise<void> {
    while (!this.over.signal.aborted) {
      // At the start, workers are still joining.
      await this.pause(this.beat < EARLY_BEATS ? BEAT_MS / 4 : BEAT_MS);
      if (this.over.signal.aborted) return;
      const limitMs = Math.min(ANSWER_MS, Math.max(BEAT_MS, this.patienceLeftMs()));
      const answered = await within(limitMs, () => this.oneBeat()).catch(() => false);
      this.isSilent = !answered;
      this.makeRoom();
      this.watchPatience(answered);
      this.report(answered ? {} : { problem: SILENT });
    }
  }

  private async oneBeat(): Promise<void> {
    this.beat++;
    const job = await this.runs.getJob(this.options.offer.run_id);
    if (job !== undefined && tryUnpack<RunOffer>(job.data)?.owner !== this.owner) {
      this.isTakenOver = true;
      this.options.onBreak(takenOver());
      return;
    }
    if (job === undefined) await this.announce();
    else await job.updateData(this.offer());
    await this.fleet.look();
    this.tellRefusals();
    if (await this.work.isPaused()) await this.work.resume();
    await this.restoreMissing();
  }

  /**
   * A server that was restarted may have forgotten jobs: those are dispatched again. A job that a worker could not
   * end, or that we removed without an answer, is not lost data.
   */
  private async restoreMissing(): Promise<void> {
    const counts = await this.work.getJobCounts('waiting', 'active', 'completed', 'failed', 'delayed');
    const there = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const known = this.ledger.jobIds.length - this.unsent.length;
    this.missing = there < known || (counts['failed'] ?? 0) > 0 ? this.missing + 1 : 0;
    // Between two checks a job may be on its way: only a job that is missing twice is lost.
    if (this.missing < 2) return;
    this.missing = 0;
    const unsent = new Set(this.unsent.map(({ id }) => id));
    let lost = 0;
    for (const id of this.ledger.jobIds.filter((jobId) => !unsent.has(jobId))) {
      const state = await this.work.getJobState(id);
      if (state === 'failed') {
        this.ledger.lost(id, this.ledger.lossesOf(id) + 1);
        await this.work.remove(id);
      }
      if (state !== 'unknown' && state !== 'failed') continue;
      const before = this.ledger.retries;
      this.ledger.closed(id, NOTHING);
      if (state === 'unknown' && !this.removed.has(id)) lost += this.ledger.retries - before;
    }
    if (lost > 0) this.options.onDataLoss(lost);
  }

  private tellRefusals(): void {
    for (const { id, refused } of this.fleet.refusing) {
      if (this.refusals.has(id)) continue;
      this.refusals.add(id);
      this.options.onRefusal({ worker: id, reason: refused! });
    }
  }

  /** A run does not wait forever for workers that never come. */
  private watchPatience(answered: boolean): void {
    if ((answered && this.fleet.willing.length > 0) || this.ledger.open === 0)
      this.lastProgressAt = monotonicMs();
    if (this.patienceLeftMs() > 0) return;
    const { patienceMs } = this.options;
    this.options.onBreak(
      answered ? noWorkers(patienceMs, this.refusals.size) : runWithoutQueue(SILENT, patienceMs),
    );
  }

  private patienceLeftMs(): number {
    return this.lastProgressAt + this.options.patienceMs - monotonicMs();
  }

  private report({ problem }: { readonly problem?: string }): void {
    const { slots, busy, willing } = this.fleet;
    const lack = willing.length === 0 ? `waiting for workers on ${this.options.server.shown}` : undefined;
    this.options.onFleet({
      workers: willing.length,
      slots,
      in_flight: Math.min(busy, this.ledger.open),
      waiting: Math.max(0, this.ledger.open - busy),
      retries: this.ledger.retries,
      problem: problem ?? lack,
    });
  }

  private mostOpen(): number {
    return Math.min(MOST_OPEN, this.mostJobs() * this.batchSize.next(this.mostInBatch()));
  }

  private mostJobs(): number {
    const { slots } = this.fleet;
    return this.options.isCautious ? Math.max(1, slots) : Math.max(FEWEST_JOBS, JOBS_PER_SLOT * slots);
  }

  private mostInBatch(): number {
    return this.options.isCautious ? 1 : Math.max(1, Math.floor(MOST_OPEN / this.mostJobs()));
  }

  private async pause(durationMs: number): Promise<void> {
    await sleep(durationMs, undefined, { signal: this.over.signal }).catch(() => {});
  }

  private makeRoom(): void {
    this.room.open();
    this.room = new Latch();
  }
}

const SILENT = 'the queue does not answer';
const NOTHING = { finished: [], duration_ms: 0 };
