import type { Attempt, FinishedAttempt } from '../attempt/attempt.ts';
import { attemptRecord } from '../attempt/attempt-record.ts';
import type { AttemptReference, Batch, BatchResult } from './protocol.ts';
import { timestamp } from '../../base/system/system-time.ts';

/** An attempt may lose this many workers: after that it is not dispatched again. */
const MOST_LOSSES = 3;

interface Entry {
  readonly attempt: Attempt;
  readonly resolve: (finished: FinishedAttempt) => void;
  losses: number;
}

interface OpenJob {
  readonly references: readonly AttemptReference[];
  /** How many of its losses have been counted. */
  losses: number;
}

/**
 * Which attempts are dispatched, in which jobs, and their results. A job may come back twice, late, in part or
 * never: each attempt gets exactly one result.
 */
export class Ledger {
  /** How often something had to be dispatched again. */
  retries = 0;
  private readonly hashes: ReadonlyMap<string, string>;
  private readonly entries = new Map<string, Entry>();
  private readonly jobs = new Map<string, OpenJob>();
  private readonly waiting: Entry[] = [];
  /** Attempts in jobs that an earlier process dispatched, by id. */
  private readonly adopted = new Map<string, string>();
  /** Their results, if they arrived before the runner requested them. */
  private readonly early = new Map<string, FinishedAttempt>();

  constructor(hashes: ReadonlyMap<string, string>) {
    this.hashes = hashes;
  }

  /** Attempts that were requested and have no result yet. */
  get open(): number {
    return this.entries.size;
  }

  get hasWaiting(): boolean {
    return this.waiting.length > 0;
  }

  get jobIds(): readonly string[] {
    return [...this.jobs.keys()];
  }

  ask(attempt: Attempt): Promise<FinishedAttempt> {
    const { id, fingerprint } = attempt;
    const early = this.early.get(id);
    this.early.delete(id);
    if (early?.record.fingerprint === fingerprint) return Promise.resolve(early);
    return new Promise((resolve) => {
      const entry = { attempt, resolve, losses: 0 };
      this.entries.set(id, entry);
      if (this.adopted.get(id) !== fingerprint) this.waiting.push(entry);
    });
  }

  /** The next batch to dispatch. An attempt that was lost before goes alone, so that nothing else is lost with it. */
  nextBatch(size: number): Batch | undefined {
    const [first] = this.waiting;
    if (first === undefined) return undefined;
    const most = first.losses > 0 ? 1 : size;
    let count = 1;
    while (count < most && this.waiting[count]?.losses === 0) count++;
    const attempts = this.waiting.splice(0, count).map(({ attempt }) => toReference(attempt));
    const files = Object.fromEntries(attempts.map(({ file }) => [file, this.hashes.get(file) ?? '']));
    return { files, attempts, alone: first.losses >= MOST_LOSSES - 1 };
  }

  opened(jobId: string, { attempts }: Batch): void {
    this.jobs.set(jobId, { references: attempts, losses: 0 });
  }

  /** A job from the process that ran this coordinator before. */
  adopt(jobId: string, batch: Batch): void {
    this.opened(jobId, batch);
    for (const { id, fingerprint } of batch.attempts) this.adopted.set(id, fingerprint);
  }

  /** A worker was lost over a job. `total` counts the losses so far, since each may be reported twice. */
  lost(jobId: string, total: number): void {
    const job = this.jobs.get(jobId);
    if (job === undefined || total <= job.losses) return;
    for (const { id } of job.references) {
      const entry = this.entries.get(id);
      if (entry !== undefined) entry.losses += total - job.losses;
    }
    job.losses = total;
  }

  lossesOf(jobId: string): number {
    return this.jobs.get(jobId)?.losses ?? 0;
  }

  /** A job is over: attempts without a result are dispatched again. */
  closed(jobId: string, { finished }: BatchResult): void {
    const job = this.jobs.get(jobId);
    this.jobs.delete(jobId);
    const own = new Set(job?.references.map(({ id }) => id));
    for (const { record, findings } of finished) {
      // A result is about the attempts of its job.
      if (job !== undefined && !own.has(record.id)) continue;
      const entry = this.entries.get(record.id);
      if (entry?.attempt.fingerprint === record.fingerprint) this.answer(entry, { record, findings });
      else if (entry === undefined && this.adopted.get(record.id) === record.fingerprint)
        this.early.set(record.id, { record, findings });
    }
    for (const { id } of job?.references ?? []) {
      this.adopted.delete(id);
      const entry = this.entries.get(id);
      if (entry !== undefined) this.giveAgain(entry);
    }
  }

  /** Nobody is waiting any longer. */
  abandon(): void {
    for (const entry of this.entries.values()) entry.resolve(failed(entry, 'interrupted'));
    this.entries.clear();
    this.waiting.length = 0;
    this.jobs.clear();
  }

  private giveAgain(entry: Entry): void {
    if (entry.losses >= MOST_LOSSES) {
      this.answer(entry, failed(entry, quarantined(entry)));
      return;
    }
    this.retries++;
    this.waiting.unshift(entry);
  }

  private answer(entry: Entry, finished: FinishedAttempt): void {
    this.entries.delete(entry.attempt.id);
    entry.resolve(finished);
  }
}

function toReference({ id, file, test, target, repeat, fingerprint }: Attempt): AttemptReference {
  return { id, file, line: test.place.line, test: test.id, target, repeat, fingerprint };
}

function quarantined({ attempt, losses }: Entry): string {
  const { file, test } = attempt;
  return (
    `${losses} workers were lost during this attempt (killed, hung or disconnected), the last one while running nothing else: ` +
    `no other worker will run it. To run it on this machine: \`assay run ${file}:${test.place.line}\``
  );
}

function failed({ attempt, losses }: Entry, message: string): FinishedAttempt {
  return {
    record: attemptRecord(attempt, {
      verdict: 'error',
      error: { kind: 'infrastructure', message },
      steps: [],
      assertions: [],
      retries: losses,
      started_at: timestamp(),
      duration_ms: 0,
    }),
    findings: [],
  };
}
