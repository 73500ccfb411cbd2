/**
 * How many calls may be under way at once: grows by one with each round of clean calls, and halves when the other side
 * says that it is too much, as TCP does with a congested line.
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

  async acquire(): Promise<void> {
    if (this.underWay >= this.current) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.underWay++;
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

  /** One at a time: who is admitted counts before the next is. */
  private admit(): void {
    if (this.underWay < this.current) this.waiting.shift()?.();
  }
}
