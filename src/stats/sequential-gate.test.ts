import * as fc from '../../test/seeded-fast-check.ts';
import { describe, expect, test } from 'vitest';
import { oracle } from '../../test/stats/oracle.ts';
import { createRandom } from '../../test/stats/random.ts';
import {
  decideGate,
  evidenceAbove,
  evidenceBelow,
  fewestToDecide,
  type GateOutcome,
} from './sequential-gate.ts';

interface Evidence {
  readonly share: number;
  readonly passed: number;
  readonly measured: number;
  readonly above: number;
  readonly below: number;
}

interface Chances extends Readonly<Record<GateOutcome, number>> {
  readonly share: number;
  readonly confidence: number;
  readonly cap: number;
  readonly truth: number;
  readonly attempts: number;
}

const { evidence, chances } = oracle<{
  readonly evidence: readonly Evidence[];
  readonly chances: readonly Chances[];
}>('sequential-gate');

test('the evidence agrees with the oracle', () => {
  const wrong = evidence.filter(({ share, above, below, ...counts }) => {
    return (
      !isRelativelyClose(evidenceAbove(counts, share), above) ||
      !isRelativelyClose(evidenceBelow(counts, share), below)
    );
  });
  expect(wrong).toEqual([]);
});

describe.each(chances)('share $share, confidence $confidence, a test that passes with $truth', (wanted) => {
  const { share, confidence, cap, truth } = wanted;

  test('is decided wrongly with no more than the promised probability', () => {
    expect(truth < share ? wanted.held : wanted.broken).toBeLessThanOrEqual(1 - confidence);
  });

  test('comes out in a simulation as the oracle says', () => {
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
    expect(Math.abs(counted.attempts / runs - wanted.attempts)).toBeLessThanOrEqual(
      (4 * cap) / Math.sqrt(runs),
    );
  });
});

const rule = fc.record({
  share: fc.double({ min: 0.05, max: 0.99, noNaN: true }),
  confidence: fc.double({ min: 0.55, max: 0.99, noNaN: true }),
});
const counts = fc
  .integer({ min: 0, max: 60 })
  .chain((measured) =>
    fc.record({ measured: fc.constant(measured), passed: fc.integer({ min: 0, max: measured }) }),
  );

test('a further pass speaks for the gate, a further failure against it', () => {
  fc.assert(
    fc.property(rule, counts, ({ share }, { passed, measured }) => {
      const pass = { passed: passed + 1, measured: measured + 1 };
      const failure = { passed, measured: measured + 1 };
      return (
        evidenceAbove(pass, share) >= evidenceAbove(failure, share) &&
        evidenceBelow(failure, share) >= evidenceBelow(pass, share)
      );
    }),
  );
});

test('passes and failures are symmetric', () => {
  fc.assert(
    fc.property(rule, counts, ({ share }, { passed, measured }) =>
      isRelativelyClose(
        evidenceAbove({ passed, measured }, share),
        evidenceBelow({ passed: measured - passed, measured }, 1 - share),
      ),
    ),
  );
});

test('no truth of the other side lets the evidence grow on average', () => {
  fc.assert(
    fc.property(
      rule,
      counts,
      fc.double({ min: 0, max: 1, noNaN: true }),
      ({ share }, { passed, measured }, part) => {
        const pass = { passed: passed + 1, measured: measured + 1 };
        const failure = { passed, measured: measured + 1 };
        const tooLow = share * part;
        const above = tooLow * evidenceAbove(pass, share) + (1 - tooLow) * evidenceAbove(failure, share);
        const enough = share + (1 - share) * part;
        const below = enough * evidenceBelow(pass, share) + (1 - enough) * evidenceBelow(failure, share);
        return (
          above <= evidenceAbove({ passed, measured }, share) * (1 + 1e-9) &&
          below <= evidenceBelow({ passed, measured }, share) * (1 + 1e-9)
        );
      },
    ),
  );
});

test('fewer further results than it says decide nothing, whatever they are', () => {
  fc.assert(
    fc.property(rule, counts, fc.infiniteStream(fc.boolean()), (wanted, { passed, measured }, results) => {
      fc.pre(decideGate({ passed, measured }, wanted) === 'undecided');
      let state = { passed, measured };
      for (let more = fewestToDecide(state, wanted, 20); more > 1; more--) {
        const { value } = results.next() as { readonly value: boolean };
        state = { passed: state.passed + Number(value), measured: state.measured + 1 };
        if (decideGate(state, wanted) !== 'undecided') return false;
      }
      return true;
    }),
  );
});

test('that a test always passes is never seen, and refuted by one failure', () => {
  const always = { share: 1, confidence: 0.95 };
  expect(decideGate({ passed: 10_000, measured: 10_000 }, always)).toBe('undecided');
  expect(decideGate({ passed: 9999, measured: 10_000 }, always)).toBe('broken');
});

function simulate(
  { share, confidence, cap }: { readonly share: number; readonly confidence: number; readonly cap: number },
  passes: () => boolean,
): { readonly outcome: GateOutcome; readonly attempts: number } {
  let passed = 0;
  for (let measured = 1; measured <= cap; measured++) {
    if (passes()) passed++;
    const outcome = decideGate({ passed, measured }, { share, confidence });
    if (outcome !== 'undecided') return { outcome, attempts: measured };
  }
  return { outcome: 'undecided', attempts: cap };
}

function isRelativelyClose(actual: number, wanted: number): boolean {
  return Math.abs(actual - wanted) <= 1e-9 * Math.max(Math.abs(actual), Math.abs(wanted));
}
