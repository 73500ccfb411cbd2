/** How long the attempts of one job should take together: long against the queue's own work, short against a run. */
const JOB_MS = 200;
const MOST = 500;
/** How much a new measurement counts against those before. */
const FRESH = 0.3;

/** How many attempts go into one job: one when they are slow, many when they are fast. */
export class BatchSize {
  private attemptMs: number | undefined;

  measured({ attempts, durationMs }: { readonly attempts: number; readonly durationMs: number }): void {
    if (attempts === 0) return;
    const latest = durationMs / attempts;
    this.attemptMs = this.attemptMs === undefined ? latest : this.attemptMs * (1 - FRESH) + latest * FRESH;
  }

  /** `most`: how many there is room for. */
  next(most: number): number {
    if (this.attemptMs === undefined) return 1;
    const fitting = Math.round(JOB_MS / Math.max(this.attemptMs, JOB_MS / MOST));
    return Math.max(1, Math.min(fitting, most));
  }
}
