import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SHAPES } from '../../scripts/comparing/shapes.ts';
import { compareSimulated } from '../../scripts/comparing/simulated-runs.ts';
import { effort } from '../effort.ts';
import { randomFrom, type Random } from '../../scripts/random.ts';
import { RunBaseline } from '../../src/api/baseline/run-baseline.ts';
import { printBaseline } from '../../src/runs/compare/baseline-text.ts';
import type { RecordOutline } from '../../src/base/model/record.ts';

// A quick version of `npm run simulate:comparing`, whose figures are in docs/comparing.md.
const PAIRS = effort({ short: 75, long: 150 });
/** What would come up in one of 40 trials if 5% were true, or more. */
const MANY = effort({ short: 8, long: 13 });

test.each(SHAPES)('$name: at most 5% of equal agents are called worse', (shape) => {
  const random = randomFrom(7);
  let alarms = 0;
  for (let pair = 0; pair < PAIRS; pair++) if (compareSimulated(shape, random).regression.found) alarms++;
  expect(alarms).toBeLessThan(MANY);
});

test.each([
  { tests: 20, repeats: 10, least: 0.9 },
  { tests: 100, repeats: 5, least: 0.9 },
  // Three repeats cannot tell.
  { tests: 100, repeats: 3, least: 0 },
])('one broken test among $tests solid ones is found with $repeats repeats', ({ tests, repeats, least }) => {
  const attempts = (): number => repeats;
  const shape = { name: '', tests, rates: 'solid', before: attempts, after: attempts } as const;
  const random = randomFrom(7);
  let found = 0;
  for (let pair = 0; pair < 20; pair++) {
    const { regression } = compareSimulated(shape, random, (place) => (place === 3 ? 1 : 0));
    if (regression.found) found++;
  }
  expect(found / 20).toBeGreaterThanOrEqual(least);
  if (least === 0) expect(found).toBe(0);
});

test.each([2, 3])('with %i targets, at most 5 of 100 runs of equal agents are red', (targets) => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-equal-'));
  const file = join(folder, 'baseline.json');
  const random = randomFrom(11);
  const names = Array.from({ length: targets }, (_, index) => `t${index}`);
  let red = 0;
  try {
    for (let pair = 0; pair < PAIRS; pair++) {
      const rates = Array.from({ length: 12 }, () => 0.3 + 0.05 * random.below(11));
      const passes = (): readonly (readonly boolean[])[][] =>
        names.map(() => rates.map((rate) => attemptsAt(rate, random)));
      const [before, after] = [passes(), passes()];
      const tests = names.flatMap((target, place) =>
        before[place]!.map((made, index) => {
          const passed = made.filter(Boolean).length;
          const verdict = passed === made.length ? 'passed' : 'failed';
          return { file: 's', test: `${index}`, target, verdict, passed, measured: made.length } as const;
        }),
      );
      writeFileSync(file, printBaseline({ assay_baseline: 1, run_id: 'before', tests }));
      const baseline = new RunBaseline(file, folder);
      for (const [place, target] of names.entries())
        for (const [index, made] of after[place]!.entries())
          for (const [repeat, isPassed] of made.entries())
            baseline.add({
              id: `s::${index}::${target}::${repeat + 1}`,
              file: join(folder, 's'),
              line: 1,
              column: 1,
              test: `${index}`,
              target,
              repeat: repeat + 1,
              tags: [],
              fingerprint: '',
              verdict: isPassed ? 'passed' : 'failed',
              retries: 0,
              started_at: '',
              duration_ms: 1,
            } satisfies RecordOutline);
      const compared = baseline.compare('after', { paths: [] }).targets;
      expect(compared.map(({ comparison }) => comparison.pairs)).toEqual(names.map(() => 12));
      if (compared.some(({ comparison }) => comparison.regression.found)) red++;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  expect(red).toBeLessThan(MANY);
});

function attemptsAt(rate: number, random: Random): readonly boolean[] {
  return Array.from({ length: 10 }, () => random.chance(rate));
}
