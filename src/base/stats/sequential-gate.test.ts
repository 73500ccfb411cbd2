import * as fc from '../../../test/seeded-fast-check.ts';
import { describe, expect, test } from 'vitest';
import { oracle } from '../../../test/stats/oracle.ts';
import { createRandom } from '../../../test/stats/random.ts';
import { crossingTimes } from './crossing-times.ts';
import {
  decideGate,
  fewestToEnd,
  isBeyondDecision,
  leastCapToHold,
  type GateOutcome,
  type SequentialRule,
} from './sequential-gate.ts';

interface Boundaries extends SequentialRule {
  readonly hold_at: readonly number[];
  readonly break_at: readonly number[];
}

interface Chances extends SequentialRule, Readonly<Record<GateOutcome, number>> {
  readonly truth: number;
  readonly attempts: number;
}

const { boundaries, chances, savings } = oracle<{
  readonly boundaries: readonly Boundaries[];
  readonly chances: readonly Chances[];
  readonly savings: readonly { readonly mix: string; readonly saving: number }[];
}>('sequential-gate');

test.each(boundaries)(
  'share $share, confidence $confidence, cap $cap: the boundaries match the oracle',
  ({ share, confidence, cap, hold_at, break_at }) => {
    const error = 1 - confidence;
    expect(crossingTimes({ rate: share, cap, error })).toEqual(hold_at);
    expect(crossingTimes({ rate: 1 - share, cap, error })).toEqual(break_at);
  },
);

test('the gate saves at least these shares of attempts over a fixed number that is right as often', () => {
  const saved = Object.fromEntries(savings.map(({ mix, saving }) => [mix, saving]));
  expect(saved['agent-like']).toBeGreaterThan(0.25);
  expect(saved['bimodal']).toBeGreaterThan(0.45);
});

describe.each(chances)('share $share, confidence $confidence, a test that passes with $truth', (wanted) => {
  const { share, confidence, cap, truth } = wanted;

  test('is decided wrongly with no more than the promised probability', () => {
    if (truth <= share) expect(wanted.held).toBeLessThanOrEqual(1 - confidence + 1e-9);
    if (truth >= share) expect(wanted.broken).toBeLessThanOrEqual(1 - confidence + 1e-9);
  });

  test('agrees with the oracle in a simulation', () => {
    const runs = 4000;
    const random = createRandom(20_261_115);
    const counted = { held: 0, broken: 0, undecided: 0, attempts: 0 };
    for (let run = 0; run < runs; run++) {
      const { outcome, attempts } = simulate({ share, confidence, cap }, () => random() < truth);
      counted[outcome]++;
      counted.attempts += attempts;
    }
    for (const outcome of ['held', 'broken', 'undecided'] as const) {
      const deviation = Math.sqrt((wanted[outcome] * (1 - wanted[outcome])) / runs);
      expect(Math.abs(counted[outcome] / runs - wanted[outcome])).toBeLessThanOrEqual(4 * deviation + 1e-9);
    }
    // No number of attempts is further from its mean than half the cap.
    expect(Math.abs(counted.attempts / runs - wanted.attempts)).toBeLessThanOrEqual(
      (2 * cap) / Math.sqrt(runs),
    );
  });
});

const rule = fc.record({
  share: fc.double({ min: 0.02, max: 1, noNaN: true }),
  confidence: fc.double({ min: 0.5, max: 0.995, noNaN: true }),
  cap: fc.integer({ min: 1, max: 80 }),
});
const ruleAndCounts = rule.chain((wanted) =>
  fc.integer({ min: 0, max: wanted.cap }).chain((measured) =>
    fc.record({
      wanted: fc.constant(wanted),
      measured: fc.constant(measured),
      passed: fc.integer({ min: 0, max: measured }),
    }),
  ),
);

test('at the edge of any gate, no decision is made too often, however long it runs', () => {
  fc.assert(
    fc.property(rule, (wanted) => {
      const { share, confidence } = wanted;
      for (const outcome of ['held', 'broken'] as const)
        expect(chanceOfEver(outcome, wanted, share)).toBeLessThanOrEqual((1 - confidence) * (1 + 1e-6));
    }),
    { numRuns: 60 },
  );
});

test('one more pass never speaks against the gate, one more failure never for it', () => {
  const order: readonly GateOutcome[] = ['broken', 'undecided', 'held'];
  fc.assert(
    fc.property(ruleAndCounts, ({ wanted, passed, measured }) => {
      fc.pre(measured < wanted.cap);
      const rank = (counts: { passed: number; measured: number }) =>
        order.indexOf(decideGate(counts, wanted));
      const now = rank({ passed, measured });
      const withPass = rank({ passed: passed + 1, measured: measured + 1 });
      const withFailure = rank({ passed, measured: measured + 1 });
      expect(withFailure).toBeLessThanOrEqual(withPass);
      if (now === 2) expect(withPass).toBe(2);
      if (now === 0) expect(withFailure).toBe(0);
    }),
  );
});

test('passes and failures are symmetric', () => {
  const mirrored = { held: 'broken', broken: 'held', undecided: 'undecided' } as const;
  // Halves are exact in floating point, and so is what they leave of 1.
  const share = fc.integer({ min: 1, max: 63 }).map((of64) => of64 / 64);
  fc.assert(
    fc.property(ruleAndCounts, share, ({ wanted, passed, measured }, half) => {
      const forth = decideGate({ passed, measured }, { ...wanted, share: half });
      const back = decideGate({ passed: measured - passed, measured }, { ...wanted, share: 1 - half });
      expect(back).toBe(mirrored[forth]);
    }),
  );
});

test('no fewer results than the stated number can decide the gate', () => {
  fc.assert(
    fc.property(ruleAndCounts, fc.infiniteStream(fc.boolean()), ({ wanted, passed, measured }, results) => {
      let state = { passed, measured };
      const isOver = () => decideGate(state, wanted) !== 'undecided' || isBeyondDecision(state, wanted);
      fc.pre(!isOver());
      for (let more = Math.min(fewestToEnd(state, wanted), 20); more > 1; more--) {
        const { value } = results.next() as { readonly value: boolean };
        state = { passed: state.passed + Number(value), measured: state.measured + 1 };
        expect(isOver()).toBe(false);
      }
    }),
  );
});

test('a gate that can no longer be decided stays undecided, whatever the results', () => {
  fc.assert(
    fc.property(ruleAndCounts, fc.infiniteStream(fc.boolean()), ({ wanted, passed, measured }, results) => {
      let state = { passed, measured };
      fc.pre(isBeyondDecision(state, wanted) && decideGate(state, wanted) === 'undecided');
      while (state.measured < wanted.cap) {
        const { value } = results.next() as { readonly value: boolean };
        state = { passed: state.passed + Number(value), measured: state.measured + 1 };
        expect(decideGate(state, wanted)).toBe('undecided');
      }
    }),
  );
});

test('a share of 1 can never be proven, and one failure refutes it', () => {
  const always = { share: 1, confidence: 0.95, cap: 1000 };
  expect(decideGate({ passed: 1000, measured: 1000 }, always)).toBe('undecided');
  expect(decideGate({ passed: 999, measured: 1000 }, always)).toBe('broken');
  expect(decideGate({ passed: 0, measured: 1 }, always)).toBe('broken');
  expect(leastCapToHold(always)).toBeUndefined();
});

test('the least cap is the smallest with which passes alone hold the gate', () => {
  for (const share of [0.5, 0.8, 0.9, 0.95, 0.99]) {
    for (const confidence of [0.9, 0.95, 0.99]) {
      const least = leastCapToHold({ share, confidence })!;
      const outcome = (cap: number): GateOutcome =>
        decideGate({ passed: cap, measured: cap }, { share, confidence, cap });
      expect([outcome(least - 1), outcome(least)]).toEqual(['undecided', 'held']);
    }
  }
});

test('more records than the cap allows are decided as if the cap allowed them', () => {
  const counts = { passed: 60, measured: 60 };
  expect(decideGate(counts, { share: 0.8, confidence: 0.95, cap: 10 })).toBe('held');
  expect(decideGate(counts, { share: 0.99, confidence: 0.95, cap: 10 })).toBe('undecided');
});

/** The chance to come into a region of decision after any attempt up to the cap, also past the other region. */
function chanceOfEver(outcome: GateOutcome, wanted: SequentialRule, truth: number): number {
  let outside: readonly number[] = [1];
  let ever = 0;
  for (let measured = 1; measured <= wanted.cap; measured++) {
    const next = Array.from({ length: measured + 1 }, (_, passed) => {
      return (outside[passed] ?? 0) * (1 - truth) + (outside[passed - 1] ?? 0) * truth;
    });
    outside = next.map((chance, passed) => {
      if (decideGate({ passed, measured }, wanted) !== outcome) return chance;
      ever += chance;
      return 0;
    });
  }
  return ever;
}

function simulate(
  wanted: SequentialRule,
  passes: () => boolean,
): { readonly outcome: GateOutcome; readonly attempts: number } {
  let passed = 0;
  for (let measured = 1; measured <= wanted.cap; measured++) {
    if (passes()) passed++;
    const outcome = decideGate({ passed, measured }, wanted);
    if (outcome !== 'undecided' || isBeyondDecision({ passed, measured }, wanted))
      return { outcome, attempts: measured };
  }
  return { outcome: 'undecided', attempts: wanted.cap };
}
