/** Keeps what was used last, as long as all of it together is not too heavy. */
export class BoundedCache<T> {
  private readonly entries = new Map<string, T>();
  private readonly maxWeight: number;
  private readonly weigh: (value: T) => number;

  constructor(maxWeight: number, weigh: (value: T) => number) {
    this.maxWeight = maxWeight;
    this.weigh = weigh;
  }

  get(key: string): T | undefined {
    const value = this.entries.get(key);
    if (value !== undefined) {
      this.entries.delete(key);
      this.entries.set(key, value);
    }
    return value;
  }

  /** Forgets the others. */
  keepOnly(keys: { has(key: string): boolean }): void {
    for (const key of this.entries.keys()) if (!keys.has(key)) this.entries.delete(key);
  }

  /** Values may grow while they are kept: all are weighed anew. The one that is set stays, whatever it weighs. */
  set(key: string, value: T): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    let weight = 0;
    for (const kept of this.entries.values()) weight += this.weigh(kept);
    for (const [oldest, kept] of this.entries) {
      if (weight <= this.maxWeight || oldest === key) return;
      this.entries.delete(oldest);
      weight -= this.weigh(kept);
    }
  }
}
