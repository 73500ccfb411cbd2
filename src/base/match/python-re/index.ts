import { rememberPattern } from './compiled-patterns.ts';
import { searchPlain } from './matcher/search-plain.ts';
import { type Match, searchProgram } from './matcher/search-program.ts';
import { checkCompilable } from './parser/check-compilable.ts';
import { flagBits } from './parser/parse-flags.ts';
import { parsePattern } from './parser/parse-pattern.ts';
import { readPlainPattern } from './parser/plain-pattern.ts';
import { compileProgram } from './program/compile-program.ts';
import type { Program } from './program/program.ts';

export { BudgetError } from './matcher/budget-error.ts';
export type { Match } from './matcher/search-program.ts';
export { PatternError } from './pattern-error.ts';

/** A pattern of Python 3.11's `re`, ready to search with. */
export interface Pattern {
  readonly source: string;
  readonly groupCount: number;
  /** Group numbers by name. */
  readonly groupNames: ReadonlyMap<string, number>;
  readonly find: (subject: string, stepBudget?: number) => Match | null;
}

export interface SearchOptions {
  /** How much backtracking to allow; the default ends a hopeless search in about a tenth of a second. */
  readonly stepBudget?: number;
}

/**
 * `flags` are letters, as in `(?ims)`. Throws a PatternError, in Python's words, where Python's `re.compile` raises one.
 */
export function compile(pattern: string, flags = ''): Pattern {
  return rememberPattern(`${flags} ${pattern}`, () => compileAnew(pattern, flags));
}

function compileAnew(source: string, flags: string): Pattern {
  const plain = flags === '' ? readPlainPattern(source) : undefined;
  if (plain !== undefined)
    return { source, groupCount: 0, groupNames: NO_NAMES, find: (subject) => searchPlain(plain, subject) };
  const parsed = parsePattern(source, flagBits(flags));
  checkCompilable(parsed);
  // Made by the first search: a suite that is only checked needs none.
  let program: Program | undefined;
  return {
    source,
    groupCount: parsed.groupWidths.length - 1,
    groupNames: parsed.groupNames,
    find: (subject, stepBudget) => searchProgram((program ??= compileProgram(parsed)), subject, stepBudget),
  };
}

const NO_NAMES: ReadonlyMap<string, number> = new Map();

/** The first match, as Python's `re.search` finds it. Throws a BudgetError when it takes too long to tell. */
export function search(
  pattern: string | Pattern,
  subject: string,
  options: SearchOptions = {},
): Match | null {
  const { find } = typeof pattern === 'string' ? compile(pattern) : pattern;
  return find(subject, options.stepBudget);
}
