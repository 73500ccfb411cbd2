/** Keeps the most recently used values, up to a total weight. */
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

  /** Drops the others. */
  keepOnly(keys: { has(key: string): boolean }): void {
    for (const key of this.entries.keys()) if (!keys.has(key)) this.entries.delete(key);
  }

  /**
   * Values may grow while they are cached: all are weighed again. The value being set stays, even if it is too
   * heavy.
   */
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
