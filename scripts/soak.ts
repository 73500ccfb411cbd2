// `npm run soak [MINUTES] [-- --memory]`: until the time is over, random suites and faulty agents in runs that are killed,
// interrupted and resumed; and beside them one long run, the page and a worker, which must hold no more at the end than
// after their warm-up. `--memory`: only those. `--seed N --rounds N`: only rounds; one that violated something is repeated
// by its own seed.
import { parseArgs } from 'node:util';
import { memorySoak } from './soak/memory/memory-soak.ts';
import { soakRounds } from './soak/soak-rounds.ts';

/** So many looks at the memory are enough. */
const SAMPLES = 600;

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string' }, rounds: { type: 'string' }, memory: { type: 'boolean' } },
  allowPositionals: true,
});
const durationMs = Number(positionals[0] ?? 10) * 60_000;
const firstSeed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
const maxRounds = Number(values.rounds ?? Infinity);
const isOnlyRounds = values.seed !== undefined || values.rounds !== undefined;

const [rounds, memory] = await Promise.all([
  values.memory === true
    ? { line: '', violations: [] }
    : soakRounds({ end: Date.now() + durationMs, firstSeed, maxRounds }),
  isOnlyRounds
    ? { lines: [], violations: [] }
    : memorySoak({ durationMs, everyMs: Math.max(250, durationMs / SAMPLES) }),
]);
if (rounds.line !== '') console.log(`seed ${firstSeed}: ${rounds.line}`);
for (const line of memory.lines) console.log(line);
const violations = [...rounds.violations, ...memory.violations];
for (const violation of violations) console.error(`violation ${violation}`);
console.log(`${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;
