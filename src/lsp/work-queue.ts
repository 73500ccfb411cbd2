type Work = () => Promise<void>;

/**
 * One piece of work at a time: checks depend on the current folder. What somebody waits for comes before what has time, such as
 * looking again at all open documents.
 */
export class WorkQueue {
  private readonly waiting: Readonly<Record<Urgency, Work[]>> = { now: [], later: [] };
  private isBusy = false;

  /** Resolves with what the work returns; undefined if it throws, after `onError`. */
  add<T>(
    work: () => Promise<T> | T,
    { urgency, onError }: { readonly urgency: Urgency; onError(error: unknown): void },
  ): Promise<T | undefined> {
    return new Promise((resolve) => {
      this.waiting[urgency].push(async () => {
        try {
          resolve(await work());
        } catch (error) {
          onError(error);
          resolve(undefined);
        }
      });
      if (!this.isBusy) void this.workOff();
    });
  }

  private async workOff(): Promise<void> {
    this.isBusy = true;
    for (;;) {
      const next = this.waiting.now.shift() ?? this.waiting.later.shift();
      if (next === undefined) break;
      await next();
    }
    this.isBusy = false;
  }
}

export type Urgency = 'now' | 'later';
