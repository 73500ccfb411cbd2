interface Waiting {
  readonly count: number;
  readonly admit: () => void;
}

/**
 * How many attempts a worker runs at once, over all its runs. First come, first served, so that a request for all
 * slots is not passed over forever.
 */
export class Slots {
  private size: number;
  private taken = 0;
  private readonly waiting: Waiting[] = [];

  constructor(size: number) {
    this.size = size;
  }

  get total(): number {
    return this.size;
  }

  get busy(): number {
    return this.taken;
  }

  resize(size: number): void {
    this.size = size;
    this.admit();
  }

  /** Resolves with the function that gives them back. */
  async take({ alone }: { readonly alone: boolean }): Promise<() => void> {
    const count = alone ? Infinity : 1;
    let held = 0;
    await new Promise<void>((resolve) => {
      this.waiting.push({
        count,
        admit: () => {
          held = Math.min(count, this.size);
          this.taken += held;
          resolve();
        },
      });
      this.admit();
    });
    return () => {
      this.taken -= held;
      held = 0;
      this.admit();
    };
  }

  private admit(): void {
    for (let next = this.waiting[0]; next !== undefined; next = this.waiting[0]) {
      const fits = next.count === Infinity ? this.taken === 0 : this.taken < this.size;
      if (!fits) return;
      this.waiting.shift();
      next.admit();
    }
  }
}
