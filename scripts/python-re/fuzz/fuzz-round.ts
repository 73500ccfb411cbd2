import { compareCase, type Comparison } from './compare.ts';
import type { FuzzCase, PythonOracle } from './python-oracle.ts';
import { randomPattern } from './random-pattern.ts';
import { randomSubject } from './random-subject.ts';
import type { Random } from '../../random.ts';

export interface KnownVectors {
  readonly patterns: readonly string[];
  readonly subjects: readonly string[];
}

const CASES_PER_ROUND = 200;
const SUBJECTS_PER_CASE = 6;

export const SEARCHES_PER_ROUND = CASES_PER_ROUND * SUBJECTS_PER_CASE;

/** Compares one batch of random searches with Python's. */
export async function fuzzRound(
  random: Random,
  known: KnownVectors,
  oracle: PythonOracle,
): Promise<Comparison> {
  const cases = Array.from({ length: CASES_PER_ROUND }, () => randomCase(random, known));
  const answers = await oracle.ask(cases);
  const comparisons = cases.map((fuzzCase, index) => compareCase(fuzzCase, answers[index]!));
  return {
    differences: comparisons.flatMap(({ differences }) => differences),
    undecided: comparisons.reduce((sum, { undecided }) => sum + undecided, 0),
  };
}

function randomCase(random: Random, known: KnownVectors): FuzzCase {
  const pattern = randomPattern(random, known.patterns);
  const subjects = Array.from({ length: SUBJECTS_PER_CASE }, () =>
    randomSubject(random, pattern, known.subjects),
  );
  return { pattern, subjects };
}
