import * as fc from '../../../test/seeded-fast-check.ts';
import { expect, test } from 'vitest';
import { isClose, oracle } from '../../../test/stats/oracle.ts';
import { passAtK, passHatK } from './pass-at-k.ts';

interface Case {
  readonly passed: number;
  readonly measured: number;
  readonly k: number;
  readonly pass_at_k?: number;
  readonly pass_hat_k?: number;
}

test('agree with the oracle, and are undefined where it is', () => {
  const wrong = oracle<readonly Case[]>('pass-k').filter((wanted) => {
    const at = passAtK(wanted, wanted.k);
    const hat = passHatK(wanted, wanted.k);
    if (wanted.pass_at_k === undefined || at === undefined)
      return at !== wanted.pass_at_k || hat !== undefined;
    return !isClose(at, wanted.pass_at_k) || !isClose(hat!, wanted.pass_hat_k!);
  });
  expect(wrong).toEqual([]);
});

const counts = fc
  .integer({ min: 1, max: 60 })
  .chain((measured) =>
    fc.record({ measured: fc.constant(measured), passed: fc.integer({ min: 0, max: measured }) }),
  );

test('with one attempt both are the rate', () => {
  fc.assert(
    fc.property(counts, (test_) => {
      const rate = test_.passed / test_.measured;
      return isClose(passAtK(test_, 1)!, rate) && isClose(passHatK(test_, 1)!, rate);
    }),
  );
});

test('more attempts make one pass likelier and all of them less likely', () => {
  fc.assert(
    fc.property(counts, fc.integer({ min: 1, max: 59 }), (test_, k) => {
      fc.pre(k < test_.measured);
      const rises = passAtK(test_, k + 1)! >= passAtK(test_, k)! - 1e-12;
      return rises && passHatK(test_, k + 1)! <= passHatK(test_, k)! + 1e-12;
    }),
  );
});

test('pass^k is one minus pass@k of the failures', () => {
  fc.assert(
    fc.property(counts, fc.integer({ min: 1, max: 60 }), ({ passed, measured }, k) => {
      const failures = { passed: measured - passed, measured };
      const allFail = passHatK(failures, k);
      return allFail === undefined
        ? passAtK({ passed, measured }, k) === undefined
        : isClose(passAtK({ passed, measured }, k)!, 1 - allFail);
    }),
  );
});

test('unbiased: the mean over all outcomes of n attempts is the probability for k', () => {
  for (const rate of [0.2, 0.5, 0.9]) {
    for (const [n, k] of [
      [4, 2],
      [6, 4],
      [5, 5],
    ] as const) {
      let at = 0;
      let hat = 0;
      for (let passed = 0; passed <= n; passed++) {
        const chance = choose(n, passed) * rate ** passed * (1 - rate) ** (n - passed);
        at += chance * passAtK({ passed, measured: n }, k)!;
        hat += chance * passHatK({ passed, measured: n }, k)!;
      }
      expect(at).toBeCloseTo(1 - (1 - rate) ** k, 12);
      expect(hat).toBeCloseTo(rate ** k, 12);
    }
  }
});

function choose(n: number, k: number): number {
  return k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k;
}
