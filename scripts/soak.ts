// `npm run soak [MINUTES]`: runs with faulty agents, killed at random moments and resumed, until the time is over.
import { killRound } from '../test/journal/kill-round.ts';

const minutes = Number(process.argv[2] ?? 10);
const end = Date.now() + minutes * 60_000;
const kinds = [
  { agent: 'agent.mjs', workers: 1 },
  { agent: 'agent.mjs', workers: 8 },
  { agent: 'agent.py', workers: 1 },
  { agent: 'agent.py', workers: 4 },
] as const;

let rounds = 0;
let kills = 0;
let attempts = 0;
const violations: string[] = [];
while (Date.now() < end) {
  const kind = kinds[rounds % kinds.length]!;
  const result = await killRound({
    ...kind,
    isFaulty: rounds % 3 !== 0,
    killAfter: () => 100 + Math.random() * 600,
  });
  rounds++;
  kills += result.kills;
  attempts += result.attempts;
  for (const violation of result.violations) {
    violations.push(violation);
    console.error(`round ${rounds} (${kind.agent}, ${kind.workers} workers): ${violation}`);
  }
}
console.log(`${rounds} rounds, ${kills} kills, ${attempts} attempts, ${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;
