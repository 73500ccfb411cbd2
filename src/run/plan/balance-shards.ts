import type { Attempt } from '../attempt/attempt.ts';
import { testKey } from '../../base/model/test-key.ts';

/** Enough of an attempt to look up how long it took before. */
type TimedAttempt = Pick<Attempt, 'id' | 'file' | 'target'> & { readonly test: { readonly id: string } };

/** The key of recorded durations: a test has one for all its repeats. */
function durationKey({ file, test, target }: Omit<TimedAttempt, 'id'>): string {
  return testKey({ file, test: test.id, target });
}

interface Weighed {
  readonly id: string;
  readonly durationMs: number;
}

/**
 * Shards of about equal duration: the longest attempt first, each to the shard with the least work. The same plan
 * and the same durations give the same shards on every machine.
 */
export class BalancedShards {
  private readonly durations: ReadonlyMap<string, number>;
  private readonly usual: number;
  private readonly attempts: Weighed[] = [];

  constructor(durations: ReadonlyMap<string, number>) {
    this.durations = durations;
    const all = [...durations.values()];
    this.usual = all.length === 0 ? 1 : all.reduce((sum, duration) => sum + duration, 0) / all.length;
  }

  /** A test that was not in the earlier run counts as the mean of those that were. */
  add(attempt: TimedAttempt): void {
    this.attempts.push({
      id: attempt.id,
      durationMs: this.durations.get(durationKey(attempt)) ?? this.usual,
    });
  }

  /** The shard of each attempt, from 1 on. */
  split(total: number): ReadonlyMap<string, number> {
    const loads = new Float64Array(total);
    const shards = new Map<string, number>();
    for (const { id, durationMs } of this.attempts.toSorted(byDuration)) {
      let least = 0;
      for (let index = 1; index < total; index++) if (loads[index]! < loads[least]!) least = index;
      loads[least]! += durationMs;
      shards.set(id, least + 1);
    }
    return shards;
  }
}

function byDuration(a: Weighed, b: Weighed): number {
  return b.durationMs - a.durationMs || (a.id < b.id ? -1 : 1);
}
