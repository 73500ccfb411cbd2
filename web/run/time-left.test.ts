import { expect, test } from 'vitest';
import { timeLeft } from './time-left.ts';

const pace = (ended: number, elapsed_ms: number) => ({ ended, elapsed_ms });

test.each([
  [{ planned: 40, pace: pace(10, 30_000) }, 10, 'About 2 minutes left'],
  [{ planned: 11, pace: pace(10, 30_000) }, 10, 'A few seconds left'],
  [{ planned: 21, pace: pace(10, 30_000) }, 10, 'About 30 seconds left'],
  [{ planned: 30, pace: pace(10, 30_000) }, 10, 'About 1 minute left'],
  [{ planned: 1000, pace: pace(10, 30_000) }, 10, 'About 50 minutes left'],
  [{ planned: 2200, pace: pace(10, 30_000) }, 10, 'About 2 hours left'],
  // A resumed run: 500 were there already, and say nothing about the pace.
  [{ planned: 520, pace: pace(10, 60_000) }, 510, 'About 1 minute left'],
  [{ planned: 40, pace: pace(2, 30_000) }, 2, 'Time left not known yet'],
  [{ planned: 40, pace: pace(9, 200) }, 9, 'Time left not known yet'],
  [{ planned: 40 }, 0, 'Time left not known yet'],
  [
    { planned: undefined, pace: pace(10, 30_000) },
    10,
    'Time left unknown: results decide how many attempts follow',
  ],
  [{ planned: 10, pace: pace(10, 30_000) }, 10, 'Nearly done'],
])('%o after %i: %s', (live, done, words) => {
  expect(timeLeft(live, done)).toBe(words);
});
