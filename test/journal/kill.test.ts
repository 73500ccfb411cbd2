import { expect, test } from 'vitest';
import { soakRound } from '../../scripts/soak/soak-round.ts';
import { effort } from '../effort.ts';

/** Of each kind of agent. */
const KILLS = effort({ short: 2, long: 25 });
const DISTURBANCES = effort({ short: 4, long: 15 });

const KINDS = effort<readonly ('function' | 'python')[]>({
  short: ['function'],
  long: ['function', 'python'],
});

test.concurrent.each(KINDS)(
  'killed at random moments with %s agents: no shown result is lost, no recorded attempt runs twice, each ends with one record',
  { timeout: 600_000 },
  async (kind) => {
    for (let kills = 0; kills < KILLS;) {
      const seed = Math.floor(Math.random() * 1e9);
      const options = { kinds: [kind], signals: ['SIGKILL'] as const, disturbances: DISTURBANCES };
      const { signals, violations } = await soakRound(seed, options);
      expect(violations, `seed ${seed}`).toEqual([]);
      kills += signals.SIGKILL;
    }
  },
);
