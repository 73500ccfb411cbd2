import { expect, test } from 'vitest';
import { SHAPES } from '../../scripts/comparing/shapes.ts';
import { compareSimulated } from '../../scripts/comparing/simulated-runs.ts';
import { randomFrom } from '../../scripts/random.ts';

// A quick version of `npm run simulate:comparing`, whose figures are in docs/comparing.md.
const PAIRS = 150;

test.each(SHAPES)('$name: at most 5% of equal agents are called worse', (shape) => {
  const random = randomFrom(7);
  let alarms = 0;
  for (let pair = 0; pair < PAIRS; pair++) if (compareSimulated(shape, random).regression.found) alarms++;
  // 13 of 150 or more would come up in one of 40 trials if 5% were true.
  expect(alarms).toBeLessThan(13);
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
