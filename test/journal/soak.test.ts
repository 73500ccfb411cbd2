import { expect, test } from 'vitest';
import { soakRound } from '../../scripts/soak/soak-round.ts';

/** One of each kind of agent; `npm run soak` goes on from there. */
const ROUNDS = [
  { seed: 11, kinds: ['function'] },
  { seed: 12, kinds: ['python'] },
  { seed: 24, kinds: ['command'] },
  { seed: 14, kinds: ['http'] },
] as const;

test.each(ROUNDS)(
  'killed, interrupted and resumed, a run comes to what it comes to undisturbed: $kinds',
  { timeout: 180_000 },
  async ({ seed, kinds }) => {
    const { violations, attempts } = await soakRound(seed, { kinds, disturbances: 4 });
    expect(violations).toEqual([]);
    expect(attempts).toBeGreaterThan(0);
  },
);
