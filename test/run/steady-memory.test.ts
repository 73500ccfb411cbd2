import { describe, expect, test } from 'vitest';
import { growthOf, type Sample } from '../../scripts/soak/memory/growth.ts';
import { violationsOf } from '../../scripts/soak/memory/memory-soak.ts';
import { steadyRun } from '../../scripts/soak/memory/steady-run.ts';
import { steadyView } from '../../scripts/soak/memory/steady-view.ts';
import { steadyWorker } from '../../scripts/soak/memory/steady-worker.ts';
import { effort } from '../effort.ts';

/** `npm run soak` does the same for as long as it is asked to. */
const TIME = { durationMs: effort({ short: 6000, long: 40_000 }), everyMs: 200 };
const PARTS = effort({ short: [steadyRun], long: [steadyRun, steadyView, steadyWorker] });

test.concurrent.each(PARTS.map((part) => ({ part })))(
  'a long-running process uses no more memory at the end than after its warm-up: $part.name',
  { timeout: 120_000 },
  async ({ part }) => {
    const made = await part(TIME);
    expect(violationsOf(made)).toEqual([]);
    expect(made.work.count).toBeGreaterThan(0);
  },
);

test.concurrent('a leak is detected', { timeout: 120_000 }, async () => {
  const planted = '(globalThis.kept ??= []).push(new Array(50_000).fill(input));';
  const made = await steadyRun({ ...TIME, planted });
  expect(violationsOf(made).join('\n')).toMatch(/^run of function: it holds \d+\.\d MB more/);
});

describe('growth', () => {
  const MB = 1024 * 1024;
  const samplesOf = (held: (index: number) => number): readonly Sample[] =>
    Array.from({ length: 120 }, (_, index) => ({ at: index * 1000, held: held(index), rss: 100 * MB }));

  test('is not reported for memory that swings or is loaded at the start', () => {
    expect(growthOf(samplesOf((index) => (20 + (index % 5) * 10) * MB)).problems).toEqual([]);
    expect(growthOf(samplesOf((index) => Math.min(index, 30) * MB)).problems).toEqual([]);
  });

  test('is reported for slow growth under swings', () => {
    const { problems, heldPerMinute } = growthOf(
      samplesOf((index) => (20 + (index % 5) * 2 + index / 6) * MB),
    );
    expect(problems).toEqual([expect.stringMatching(/^it holds 1\d\.\d MB more \(at most 8\.0 MB\)$/)]);
    expect(heldPerMinute / MB).toBeCloseTo(10, 0);
  });

  test('is not reported with too few samples', () => {
    expect(growthOf(samplesOf(() => MB).slice(0, 5)).problems).toEqual(['only 5 samples were taken']);
  });
});
