import type { Random } from '../random.ts';
import type { Shape } from './simulated-runs.ts';

const always = (attempts: number) => (): number => attempts;
const between =
  (low: number, high: number) =>
  (random: Random): number =>
    low + random.below(high - low + 1);

/** Pairs of runs that a comparison must cope with. */
export const SHAPES: readonly Shape[] = [
  { name: '100 tests x 3, agent-like', tests: 100, rates: 'agent-like', before: always(3), after: always(3) },
  { name: '100 tests x 3, flaky', tests: 100, rates: 'flaky', before: always(3), after: always(3) },
  {
    name: '20 tests x 10, agent-like',
    tests: 20,
    rates: 'agent-like',
    before: always(10),
    after: always(10),
  },
  { name: '20 tests x 10, flaky', tests: 20, rates: 'flaky', before: always(10), after: always(10) },
  { name: '50 tests x 10, bimodal', tests: 50, rates: 'bimodal', before: always(10), after: always(10) },
  { name: '5 tests x 40, flaky', tests: 5, rates: 'flaky', before: always(40), after: always(40) },
  { name: '1 test x 20, flaky', tests: 1, rates: 'flaky', before: always(20), after: always(20) },
  { name: '60 tests, 10 against 4', tests: 60, rates: 'agent-like', before: always(10), after: always(4) },
  {
    name: '60 tests, 2 to 12 against 2 to 12',
    tests: 60,
    rates: 'flaky',
    before: between(2, 12),
    after: between(2, 12),
  },
  {
    name: '40 tests x 8, a tenth errors',
    tests: 40,
    rates: 'agent-like',
    before: always(8),
    after: always(8),
    errors: 0.1,
  },
  {
    name: '60 tests, baseline file of 5, run of 10',
    tests: 60,
    rates: 'flaky',
    before: always(5),
    after: always(10),
    asFile: true,
  },
  {
    name: '40 tests, --repeats auto',
    tests: 40,
    rates: 'agent-like',
    before: () => 'auto',
    after: () => 'auto',
  },
];
