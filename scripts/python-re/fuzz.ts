/*
 * Compares random searches with Python's own re until the time is up.
 *
 *     npx jiti scripts/python-re/fuzz.ts [seconds] [seed]
 *
 * Exits with 1 if any search, span, group or error text differs.
 */
import { fuzzRound, SEARCHES_PER_ROUND } from './fuzz/fuzz-round.ts';
import { knownVectors } from './fuzz/known-vectors.ts';
import { startPythonOracle } from './fuzz/python-oracle.ts';
import { randomFrom } from '../random.ts';

const seconds = Number(process.argv[2] ?? 60);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
const MOST_SHOWN = 40;

const random = randomFrom(seed);
const known = knownVectors();
const oracle = startPythonOracle();
const deadline = Date.now() + seconds * 1000;
const differences: string[] = [];
let rounds = 0;
let undecided = 0;
while (Date.now() < deadline && differences.length < MOST_SHOWN) {
  const comparison = await fuzzRound(random, known, oracle);
  differences.push(...comparison.differences);
  undecided += comparison.undecided;
  rounds += 1;
}
oracle.close();

for (const difference of differences.slice(0, MOST_SHOWN)) console.log(difference);
console.log(
  `seed ${seed}: ${rounds * SEARCHES_PER_ROUND} searches, ` +
    `${undecided} undecided, ${differences.length} differences`,
);
process.exitCode = differences.length > 0 ? 1 : 0;
