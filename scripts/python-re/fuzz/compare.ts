import { isDeepStrictEqual } from 'node:util';
import { BudgetError, compile, PatternError, search } from '../../../src/base/match/python-re/index.ts';
import type { Answer, FuzzCase, Outcome } from './python-oracle.ts';

/** What differs, in words, and how many searches could not be compared because one side gave up. */
export interface Comparison {
  readonly differences: readonly string[];
  readonly undecided: number;
}

export function compareCase(fuzzCase: FuzzCase, python: Answer): Comparison {
  const own = answer(fuzzCase);
  const pattern = JSON.stringify(fuzzCase.pattern);
  if ('error' in own || 'error' in python) {
    const agree = isDeepStrictEqual(own, python) || isAboutDepth(own, python);
    const differences = agree ? [] : [`${pattern}: ${JSON.stringify(own)}, Python ${JSON.stringify(python)}`];
    return { differences, undecided: 0 };
  }
  const differences: string[] = [];
  if (!isDeepStrictEqual(own.names, python.names)) differences.push(`${pattern}: names`);
  let undecided = 0;
  for (const [index, subject] of fuzzCase.subjects.entries()) {
    const mine = own.results[index]!;
    const theirs = python.results[index]!;
    if (mine === 'out of time' || theirs === 'out of time') undecided += 1;
    else if (!isDeepStrictEqual(mine, theirs)) {
      const outcomes = `${JSON.stringify(mine)}, Python ${JSON.stringify(theirs)}`;
      differences.push(`${pattern} on ${JSON.stringify(subject)}: ${outcomes}`);
    }
  }
  return { differences, undecided };
}

/** Small, so that a hopeless search does not take the time of many others. */
const STEP_BUDGET = 50_000;

function answer({ pattern, subjects }: FuzzCase): Answer {
  try {
    const compiled = compile(pattern);
    const results = subjects.map((subject): Outcome =>
      outcome(() => search(compiled, subject, { stepBudget: STEP_BUDGET })),
    );
    return { names: Object.fromEntries(compiled.groupNames), results };
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return { error: error.message, position: error.position ?? null };
  }
}

function outcome(run: () => Outcome): Outcome {
  try {
    return run();
  } catch (error) {
    if (error instanceof BudgetError) return 'out of time';
    if (error instanceof PatternError) return { error: error.message };
    throw error;
  }
}

/** Where Python runs out of stack depends on its caller. */
function isAboutDepth(...answers: readonly Answer[]): boolean {
  return answers.some((each) => 'error' in each && each.error.startsWith('maximum recursion depth'));
}
