/**
 * How long the attempts of one job should take together: long compared with the queue's own work, short compared
 * with a run.
 */
const JOB_MS = 200;
const MOST = 500;
/** The weight of a new measurement against the earlier ones. */
const FRESH = 0.3;

/** How many attempts go into one job: one if they are slow, many if they are fast. */
export class BatchSize {
  private attemptMs: number | undefined;

  measured({ attempts, durationMs }: { readonly attempts: number; readonly durationMs: number }): void {
    if (attempts === 0) return;
    const latest = durationMs / attempts;
    this.attemptMs = this.attemptMs === undefined ? latest : this.attemptMs * (1 - FRESH) + latest * FRESH;
  }

  /** `most`: the number of free places. */
  next(most: number): number {
    if (this.attemptMs === undefined) return 1;
    const fitting = Math.round(JOB_MS / Math.max(this.attemptMs, JOB_MS / MOST));
    return Math.max(1, Math.min(fitting, most));
  }
}
