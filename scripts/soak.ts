// `npm run soak [MINUTES] [-- --seed N --rounds N]`: random suites, faulty agents, and runs that are killed, interrupted
// and resumed, until the time is over. A round that violated something is repeated by `--seed` with its own seed.
import { parseArgs } from 'node:util';
import { soakRound } from './soak/soak-round.ts';

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string' }, rounds: { type: 'string' } },
  allowPositionals: true,
});
const end = Date.now() + Number(positionals[0] ?? 10) * 60_000;
const firstSeed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
const maxRounds = Number(values.rounds ?? Infinity);
console.log(`seed ${firstSeed}`);

let [rounds, attempts, violations] = [0, 0, 0];
const signals = { SIGKILL: 0, SIGINT: 0, SIGTERM: 0 };
for (; Date.now() < end && rounds < maxRounds; rounds++) {
  const seed = firstSeed + rounds;
  const round = await soakRound(seed);
  attempts += round.attempts;
  violations += round.violations.length;
  for (const [signal, count] of Object.entries(round.signals))
    signals[signal as keyof typeof signals] += count;
  for (const violation of round.violations)
    console.error(`violation in the round of seed ${seed} (${round.kind}): ${violation}`);
}
const { SIGKILL, SIGINT, SIGTERM } = signals;
console.log(
  `${rounds} rounds, ${SIGKILL + SIGINT + SIGTERM} kills (${SIGKILL} SIGKILL, ${SIGINT} SIGINT, ${SIGTERM} SIGTERM), ` +
    `${attempts} attempts, ${violations} violations`,
);
process.exitCode = violations === 0 ? 0 : 1;
