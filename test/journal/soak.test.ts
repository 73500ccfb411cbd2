import { expect, test } from 'vitest';
import { soakRound } from '../../scripts/soak/soak-round.ts';
import { effort } from '../effort.ts';

/** One of each kind of agent; `npm run soak` goes on from there. */
const KINDS = [
  { seed: 11, kinds: ['function'] },
  { seed: 12, kinds: ['python'] },
  { seed: 24, kinds: ['command'] },
  { seed: 14, kinds: ['http'] },
] as const;
const LONG = [1, 2, 3, 4, 5].flatMap((more) =>
  KINDS.map(({ seed, kinds }) => ({ seed: seed * more, kinds })),
);
const DISTURBANCES = effort({ short: 1, long: 4 });

test.each(effort<readonly (typeof LONG)[number][]>({ short: KINDS.slice(0, 2), long: LONG }))(
  'a run that is killed, interrupted and resumed gives the same results as an undisturbed one: $kinds, seed $seed',
  { timeout: 180_000 },
  async ({ seed, kinds }) => {
    const { violations, attempts } = await soakRound(seed, { kinds, disturbances: DISTURBANCES });
    expect(violations).toEqual([]);
    expect(attempts).toBeGreaterThan(0);
  },
);
