import { readOutlines } from './read-outlines.ts';
import type { RunDirectory } from './run-directory.ts';
import { testKey } from '../model/test-key.ts';

/** How long each test of a run took on average, in milliseconds, by `file::test::target`. */
export function recordedDurations(run: RunDirectory): ReadonlyMap<string, number> {
  const means = new Map<string, { sum: number; count: number }>();
  for (const outline of readOutlines(run.journalPath)) {
    const { verdict, duration_ms } = outline;
    if (verdict === 'skipped') continue;
    const key = testKey(outline);
    const mean = means.get(key) ?? { sum: 0, count: 0 };
    mean.sum += duration_ms;
    mean.count++;
    means.set(key, mean);
  }
  return new Map([...means].map(([key, { sum, count }]) => [key, sum / count]));
}
