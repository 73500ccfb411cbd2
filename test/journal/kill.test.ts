import { expect, test } from 'vitest';
import { soakRound } from '../../scripts/soak/soak-round.ts';

const KILLS = 50;

test(
  'fifty kills at random moments: nothing shown is lost, nothing recorded runs twice, every attempt ends with one record',
  { timeout: 600_000 },
  async () => {
    const kinds = ['function', 'python'] as const;
    for (let round = 0, kills = 0; kills < KILLS; round++) {
      const seed = Math.floor(Math.random() * 1e9);
      const options = { kinds: [kinds[round % 2]!], signals: ['SIGKILL'] as const, disturbances: 15 };
      const { signals, violations } = await soakRound(seed, options);
      expect(violations, `seed ${seed}`).toEqual([]);
      kills += signals.SIGKILL;
    }
  },
);
