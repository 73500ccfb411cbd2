import { setMaxListeners } from 'node:events';
import type { Worker } from 'bullmq';
import { recordSize } from '../../base/model/record-size.ts';
import type { FinishedAttempt } from '../attempt/attempt.ts';
import { pack, unpack } from './packed.ts';
import {
  queueNames,
  type AttemptReference,
  type Batch,
  type BatchResult,
  type Member,
  type RunOffer,
} from './protocol.ts';
import type { QueueServer, WorkJob, WorkQueue } from './queue-server.ts';
import { writeResult } from './result-pieces.ts';
import type { Slots } from './slots.ts';
import { monotonicMs } from '../../base/system/system-time.ts';

/** After this long, or this much, a batch is returned unfinished: slow or large work is spread over more jobs. */
const BATCH_MS = 1000;
const BATCH_CHARACTERS = 1_000_000;
/** How often a worker looks for jobs it does not know of, after a connection broke. */
const LOOKS_AFTER_BREAK = 4;
/** Stands in for a job's token when nobody holds the job. */
const NO_TOKEN = '0';

/** Runs the attempts of one run on this machine. */
export interface AttemptRunner {
  /** How many attempts the agents can take at once, when that is known. */
  readonly capacity: number | undefined;
  /** Throws a Refusal if this machine does not have the same test. */
  make(reference: AttemptReference, files: Batch['files'], signal: AbortSignal): Promise<FinishedAttempt>;
  close(): Promise<void>;
}

/** Why a worker does not join a run. */
export class Refusal extends Error {}

export interface MemberOptions {
  readonly server: QueueServer;
  readonly offer: RunOffer;
  readonly workerId: string;
  readonly version: string;
  readonly slots: Slots;
  readonly runner: AttemptRunner | Refusal;
  readonly onRefusal: (refusal: Refusal) => void;
  readonly onFinished: (record: FinishedAttempt['record']) => void;
}

/** A worker's part in one run. */
export class RunMember {
  beatSeen = -1;
  beatSeenAt = monotonicMs();
  private readonly options: MemberOptions;
  private readonly members: WorkQueue;
  /** The jobs that reached this worker and have not ended, as far as it knows. */
  private readonly held = new Set<string>();
  private readonly worker: Worker<string, string> | undefined;
  private readonly stop = new AbortController();
  private refusal: Refusal | undefined;
  private isStopping = false;
  private busy = 0;
  private beat = 0;
  private work: WorkQueue | undefined;
  private breaks: number;
  private looksLeft = 0;
  private unheard: ReadonlySet<string> = new Set();

  constructor(options: MemberOptions) {
    this.options = options;
    this.breaks = options.server.breaks;
    // Every running attempt listens to it.
    setMaxListeners(0, this.stop.signal);
    const { server, offer, runner } = options;
    const names = queueNames(offer.run_id);
    this.members = server.openQueue(names.members);
    if (runner instanceof Refusal) {
      this.refuse(runner);
      return;
    }
    this.worker = server.openWorker(names.work, (job, token) => this.process(job, token ?? ''), {
      // Jobs use this name to say which worker has them.
      name: options.workerId,
      // It is started once its share is known: BullMQ notices a larger share only when a job ends.
      autorun: false,
      lockDuration: offer.lost_after_ms,
      skipStalledCheck: true,
      drainDelay: 1,
      runRetryDelay: 1000,
    });
    for (const event of ['completed', 'failed'] as const)
      this.worker.on(event as 'completed', ({ id }) => this.held.delete(id!));
  }

  get hasRefused(): boolean {
    return this.refusal !== undefined;
  }

  get isBusy(): boolean {
    return this.busy > 0;
  }

  /** How many of the worker's slots this run may use. */
  set share(share: number) {
    const { worker } = this;
    if (worker === undefined || this.refusal !== undefined || this.isStopping) return;
    worker.concurrency = Math.max(1, share);
    if (!worker.isRunning()) void worker.run().catch(() => {});
  }

  /** Tells the run that this worker has joined. */
  async tell(): Promise<void> {
    const { workerId, version, slots } = this.options;
    const member: Member = {
      id: workerId,
      version,
      slots: Math.min(slots.total, this.worker?.concurrency ?? 0),
      busy: this.busy,
      refused: this.refusal?.message,
      beat: ++this.beat,
    };
    const job = await this.members.getJob(workerId);
    if (job === undefined) await this.members.add('worker', pack(member), { jobId: workerId });
    else await job.updateData(pack(member));
    await this.returnUnheard();
  }

  /** Takes no more jobs; returns when the running ones have ended. */
  async finish(): Promise<void> {
    this.isStopping = true;
    await this.worker?.close();
    await this.members.remove(this.options.workerId).catch(() => {});
  }

  /** Stops the running attempts: they are returned as not run. */
  abort(): void {
    this.isStopping = true;
    this.stop.abort(new Error('the worker was stopped'));
  }

  async close(): Promise<void> {
    const { runner } = this.options;
    // Otherwise the attempts' limits would keep it in memory, and it would keep all of this.
    this.abort();
    if (!(runner instanceof Refusal)) await runner.close();
    await this.members.close();
    await this.work?.close();
  }

  /**
   * A broken connection may lose the answer that gave us a job. Nobody runs such a job, and without this the run
   * would wait until it counts as lost. It must be seen twice: an answer may still be on its way.
   */
  private async returnUnheard(): Promise<void> {
    const { server, offer, workerId } = this.options;
    if (server.breaks !== this.breaks) this.looksLeft = LOOKS_AFTER_BREAK;
    this.breaks = server.breaks;
    if (this.worker === undefined || this.looksLeft === 0) return;
    this.looksLeft--;
    this.work ??= server.openQueue(queueNames(offer.run_id).work);
    const active = await this.work.getJobs(['active'], 0, -1);
    const unheard = active.filter(({ id, processedBy }) => processedBy === workerId && !this.held.has(id!));
    for (const job of unheard) if (this.unheard.has(job.id!)) await job.moveToWait(NO_TOKEN);
    this.unheard = new Set(unheard.map(({ id }) => id!));
  }

  private async process(job: WorkJob, token: string): Promise<string> {
    this.held.add(job.id!);
    const { files, attempts, alone } = unpack<Batch>(job.data);
    const result = { finished: [] as FinishedAttempt[], duration_ms: 0 };
    // A worker was lost over it: the coordinator decides what happens next.
    if (job.stalledCounter === 0) {
      const release = await this.options.slots.take({ alone });
      this.busy++;
      try {
        await this.makeAll(attempts, files, result);
      } finally {
        this.busy--;
        release();
      }
    }
    return writeResult(job, token, result as BatchResult);
  }

  private async makeAll(
    attempts: readonly AttemptReference[],
    files: Batch['files'],
    result: { finished: FinishedAttempt[]; duration_ms: number },
  ): Promise<void> {
    const runner = this.options.runner as AttemptRunner;
    const start = monotonicMs();
    let characters = 0;
    for (const reference of attempts) {
      if (this.isStopping || this.refusal !== undefined) return;
      try {
        const finished = await runner.make(reference, files, this.stop.signal);
        // Interrupted attempts were not measured.
        if (this.stop.signal.aborted) return;
        result.finished.push({ record: finished.record, findings: finished.findings });
        this.options.onFinished(finished.record);
        characters += recordSize(finished.record);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        this.refuse(error);
        return;
      }
      result.duration_ms = monotonicMs() - start;
      if (result.duration_ms > BATCH_MS || characters > BATCH_CHARACTERS) return;
    }
  }

  /** From now on other workers run this run's attempts. */
  private refuse(refusal: Refusal): void {
    if (this.refusal !== undefined) return;
    this.refusal = refusal;
    this.options.onRefusal(refusal);
    // Not awaited: it waits for the job that found out.
    void this.worker?.close().catch(() => {});
  }
}
