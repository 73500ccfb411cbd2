import { expect, test } from 'vitest';
import { killRound } from './kill-round.ts';

const KILLS = 50;

test('fifty kills at random moments: nothing shown is lost, nothing recorded runs twice, every test ends with one record', async () => {
  const kinds = [
    { agent: 'agent.mjs', workers: 1 },
    { agent: 'agent.mjs', workers: 8 },
    { agent: 'agent.py', workers: 2 },
  ] as const;
  let kills = 0;
  for (let round = 0; kills < KILLS; round++) {
    const result = await killRound({
      ...kinds[round % kinds.length]!,
      killAfter: () => 120 + Math.random() * 900,
      isFaulty: round % 2 === 1,
    });
    expect(result.violations).toEqual([]);
    kills += result.kills;
  }
  expect(kills).toBeGreaterThanOrEqual(KILLS);
}, 300_000);
