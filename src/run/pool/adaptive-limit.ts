/**
 * How many calls may be in progress at once: grows by one with each round of clean calls, and halves when the other
 * side reports overload, as TCP does on a congested line.
 */
export class AdaptiveLimit {
  private readonly most: number;
  private allowed: number;
  private underWay = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(most: number) {
    this.most = most;
    this.allowed = most;
  }

  get current(): number {
    return Math.floor(this.allowed);
  }

  /** Rejects if the signal aborts first. */
  async acquire(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.underWay < this.current) {
      this.underWay++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const admitted = (): void => {
        signal.removeEventListener('abort', givenUp);
        resolve();
      };
      const givenUp = (): void => {
        this.waiting.splice(this.waiting.indexOf(admitted), 1);
        reject(signal.reason as Error);
      };
      this.waiting.push(admitted);
      signal.addEventListener('abort', givenUp, { once: true });
    });
  }

  release(): void {
    this.underWay--;
    this.admit();
  }

  clean(): void {
    this.allowed = Math.min(this.most, this.allowed + 1 / this.allowed);
    this.admit();
  }

  tooMuch(): void {
    this.allowed = Math.max(1, this.allowed / 2);
  }

  /** Counted here, so that a later caller cannot overtake one that is already admitted. */
  private admit(): void {
    while (this.underWay < this.current) {
      const next = this.waiting.shift();
      if (next === undefined) return;
      this.underWay++;
      next();
    }
  }
}
