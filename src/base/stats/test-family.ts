import { passSplit, splitKey, type TestCounts } from './pass-split.ts';

/**
 * The tests of a comparison, each checked for a change on its own.
 *
 * A test's own p is that of Fisher's exact test, for the direction in which it changed. The correction is Holm's,
 * adapted to counts: a test weighs as much as its chance of getting a result this rare at all. Of 100 tests that
 * always pass, none could have fallen so low by chance, so they cost the others nothing; Holm's own correction
 * would multiply by 100.
 */
export class TestFamily {
  private readonly groups: readonly Group[];
  private readonly members: readonly Member[];

  constructor(tests: readonly TestCounts[]) {
    const groups = new Map<string, Group>();
    this.members = tests.map((test) => {
      const key = splitKey(test);
      let group = groups.get(key);
      if (group === undefined) groups.set(key, (group = createGroup(test)));
      group.tests++;
      return { group, place: test.after.passed - group.low, change: changeOf(test) };
    });
    this.groups = [...groups.values()];
  }

  /** For each test: the probability that any of them would change this much, two-sided. In the order of the input. */
  pValues(): readonly number[] {
    const corrected = { drops: this.stepDown('drops'), rises: this.stepDown('rises') };
    return this.members.map(({ group, place, change }) => {
      if (change === 0) return 1;
      const side = change < 0 ? 'drops' : 'rises';
      return Math.min(1, 2 * corrected[side].get(group[side][place]!)!);
    });
  }

  /**
   * The corrected, two-sided p of a drop with this p of its own, if one of the tests with so many attempts dropped.
   * It replaces that test: counted beside it, a broken test would hide itself.
   */
  pOfDrop(p: number, attempts: Attempts): number {
    let [sum, replaced] = [p, 0];
    for (const { tests, drops, before, after } of this.groups) {
      const chance = reachable(drops, p);
      sum += tests * chance;
      if (before === attempts.before && after === attempts.after) replaced = Math.max(replaced, chance);
    }
    return Math.min(1, 2 * (sum - replaced));
  }

  /**
   * From the smallest p on: each gets the probability that any test that is not settled yet could have reached it.
   */
  private stepDown(side: Side): ReadonlyMap<number, number> {
    const open = new Map(this.groups.map((group) => [group, group.tests]));
    const byP = new Map<number, Group[]>();
    for (const { group, place } of this.members) {
      const p = group[side][place]!;
      const own = byP.get(p);
      if (own === undefined) byP.set(p, [group]);
      else own.push(group);
    }
    const corrected = new Map<number, number>();
    let largest = 0;
    for (const p of [...byP.keys()].sort((a, b) => a - b)) {
      if (largest < 1) {
        let sum = 0;
        for (const [group, tests] of open) sum += tests * reachable(group[side], p);
        largest = Math.max(largest, Math.min(1, sum));
      }
      corrected.set(p, largest);
      for (const group of byP.get(p)!) open.set(group, open.get(group)! - 1);
    }
    return corrected;
  }
}

/** How often a test was measured in either run. */
export interface Attempts {
  readonly before: number;
  readonly after: number;
}

type Side = 'drops' | 'rises';

/** Tests with the same attempts and passes: the p of each possible number of passes after. */
interface Group extends Attempts {
  readonly low: number;
  readonly drops: readonly number[];
  readonly rises: readonly number[];
  tests: number;
}

interface Member {
  readonly group: Group;
  readonly place: number;
  readonly change: number;
}

function createGroup(test: TestCounts): Group {
  const { low, chances } = passSplit(test);
  return {
    before: test.before.measured,
    after: test.after.measured,
    low,
    drops: sums(chances),
    rises: sums(chances.toReversed()).toReversed(),
    tests: 0,
  };
}

function sums(chances: Float64Array): readonly number[] {
  let sum = 0;
  return Array.from(chances, (chance) => Math.min(1, (sum += chance)));
}

/** The largest of the values that is at most p: the probability of a p of at most this. */
function reachable(values: readonly number[], p: number): number {
  let largest = 0;
  for (const value of values) if (value <= p * (1 + ROUNDING) && value > largest) largest = value;
  return largest;
}

/** Equally rare results may differ in the last digits. */
const ROUNDING = 1e-9;

function changeOf({ before, after }: TestCounts): number {
  return after.passed * before.measured - before.passed * after.measured;
}
