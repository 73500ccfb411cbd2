import { logChoose } from './log-choose.ts';
import { passSplit } from './pass-split.ts';
import type { SettleOptions } from './pairs-to-settle.ts';
import type { Attempts, TestFamily } from './test-family.ts';

export interface TestDrop {
  /** How few of the attempts after must pass for the drop to be more than chance. */
  readonly atMost: number;
  /** The drop that makes them that few as often as the power says. */
  readonly drop: number;
}

/**
 * The smallest detectable drop of a single test, if it always passed before and the other tests stay as they are.
 * Undefined if not even a test that never passes after would be detected.
 */
export function smallestTestDrop(
  attempts: Attempts,
  family: TestFamily,
  { alpha, power }: SettleOptions,
): TestDrop | undefined {
  const { before, after } = attempts;
  let atMost: number | undefined;
  for (let passed = 0; passed < after; passed++) {
    const p = passSplit({
      before: { passed: before, measured: before },
      after: { passed, measured: after },
    }).chances[0]!;
    if (family.pOfDrop(p, attempts) >= alpha) break;
    atMost = passed;
  }
  return atMost === undefined ? undefined : { atMost, drop: dropFor(atMost, after, power) };
}

/**
 * How many attempts in each run let a test show that it always passed and now never does, if this many tests,
 * including it, have mixed results. Tests without mixed results cost the others nothing.
 */
export function repeatsToShowOne(varying: number, alpha: number): number {
  let repeats = 1;
  while (2 * varying * Math.exp(-logChoose(2 * repeats, repeats)) >= alpha) repeats++;
  return repeats;
}

function dropFor(atMost: number, attempts: number, power: number): number {
  const chance = (rate: number): number => {
    let sum = 0;
    for (let passed = 0; passed <= atMost; passed++)
      sum += Math.exp(logChoose(attempts, passed)) * rate ** passed * (1 - rate) ** (attempts - passed);
    return sum;
  };
  let [seen, unseen] = [0, 1];
  while (unseen - seen > 1e-6) {
    const middle = (seen + unseen) / 2;
    if (chance(middle) >= power) seen = middle;
    else unseen = middle;
  }
  return 1 - seen;
}
