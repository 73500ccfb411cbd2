import { afterAll, expect, it } from 'vitest';
import { fuzzRound } from '../../scripts/python-re/fuzz/fuzz-round.ts';
import { knownVectors } from '../../scripts/python-re/fuzz/known-vectors.ts';
import { startPythonOracle } from '../../scripts/python-re/fuzz/python-oracle.ts';
import { randomFrom } from '../../scripts/random.ts';
import { effort } from '../effort.ts';

const known = knownVectors();
const oracle = startPythonOracle();
afterAll(() => oracle.close());

const SEEDS = effort({ short: 5, long: 100 });

it.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
  'agrees with Python on the random searches of seed %d',
  async (seed) => {
    const { differences } = await fuzzRound(randomFrom(seed), known, oracle);
    expect(differences).toEqual([]);
  },
);
