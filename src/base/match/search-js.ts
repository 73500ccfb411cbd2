import { createContext, Script, type Context } from 'node:vm';

/** Searches with a JavaScript pattern of a suite. One that takes too long is stopped. */
export function searchJs(pattern: string, flags: string): (subject: string) => boolean {
  const expression = new RegExp(pattern, flags);
  const choices = countChoices(pattern, flags);
  return (subject) => {
    // V8 compiles a pattern when it is used a second time; before that it is several times slower.
    expression.test('');
    const isQuick = subject.length ** (choices + 1) <= QUICK_STEPS;
    return isQuick ? expression.test(subject) : searchWithLimit(expression, subject);
  };
}

export class CostlyPatternError extends Error {
  override readonly name = 'CostlyPatternError';

  constructor(length: number) {
    super(
      `this JavaScript pattern takes more than ${LIMIT_MS} ms on a text of ${length} characters; ` +
        'write it without repetitions inside or next to repetitions',
    );
  }
}

/** A limit costs 60 to 200 µs for each search: below this number of steps it would be most of the time. */
const QUICK_STEPS = 1e5;
const LIMIT_MS = 200;

/**
 * How often a search may have to choose: by a repetition or by an alternative, escaped ones counted too. Each choice is between at
 * most as many ways as the text has characters, unless a group is repeated.
 */
function countChoices(pattern: string, flags: string): number {
  const hasRepeatedGroup = /\)[*+?{]/.test(pattern) || flags.includes('v');
  return hasRepeatedGroup ? Infinity : pattern.replaceAll(/[^*+?{|]/g, '').length;
}

let context: Context | undefined;
const search = new Script('expression.test(subject)');

function searchWithLimit(expression: RegExp, subject: string): boolean {
  Object.assign((context ??= createContext({})), { expression, subject });
  // A busy machine may have stopped this process for as long: then the second try ends.
  for (let triesLeft = 1; ; triesLeft--) {
    try {
      return search.runInContext(context, { timeout: LIMIT_MS }) as boolean;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      if (triesLeft === 0) throw new CostlyPatternError(subject.length);
    }
  }
}
