import type { AssertionOutcome } from '../base/model/evidence.ts';

interface PatternSearch {
  /** What is searched, for the message. */
  readonly what: string;
  readonly find: (pattern: string, subject: string) => unknown;
}

/** The result of searching for a pattern. If matching takes too long, it is an error: neither found nor missing. */
export function searchOutcome(
  pattern: string,
  subject: string,
  { what, find }: PatternSearch,
): AssertionOutcome {
  let found: boolean;
  try {
    found = find(pattern, subject) !== null;
  } catch (error) {
    return {
      error: { kind: 'assertion', message: `the pattern could not be matched: ${(error as Error).message}` },
    };
  }
  const message = found ? `the pattern is found in ${what}` : undefined;
  return { score: found ? 1 : 0, message, expected: pattern, actual: subject };
}
