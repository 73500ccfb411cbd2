import type { Json } from '../../base/model/json.ts';
import type { RequiredText } from '../../base/model/reply-requirements.ts';
import { compile, PatternError, search } from '../../base/match/python-re/index.ts';
import { sampleMatch } from '../../base/match/python-re/sample-match.ts';
import { jsAsPython } from '../../base/match/js-as-python.ts';
import { searchJs } from '../../base/match/search-js.ts';
import type { Wanted } from '../contract/assertion-kind.ts';
import { defineEvaluator } from '../contract/evaluator-kind.ts';
import type { Reader } from '../../base/schema/reader.ts';
import { oneOf, text } from '../../base/schema/values.ts';
import { searchOutcome } from '../search-outcome.ts';
import { isFoundEverywhere } from '../../base/match/found-everywhere.ts';
import { warnAboutVacuousCheck } from '../vacuous-check.ts';

interface RegexParameters {
  readonly value: string;
  readonly dialect?: 'python' | 'js';
  readonly flags?: string;
}

export const regex = defineEvaluator({
  kind: 'regex',
  otherNames: ['matches'],
  doc: 'The pattern is found in the output.',
  example: { value: 'Par.s' },
  reads: ['output'],
  isBinary: true,
  fields: {
    value: { schema: text(), doc: 'The pattern.', missing: 'missing_value' },
    dialect: { schema: oneOf(['python', 'js']), doc: "Python 3.11's `re` (default) or JavaScript's." },
    flags: {
      schema: text(),
      doc: 'Letters: `i`, `m`, `s`, `x`, `a` for python; `i`, `m`, `s`, `u`, `v` for js.',
    },
  },
  inAgentv: { dialect: 'js' },
  check: checkPattern,
  evaluate({ value, dialect, flags = '' }, { reply: { output } }) {
    const find =
      dialect === 'js'
        ? (pattern: string, subject: string) => searchJs(pattern, flags)(subject) || null
        : (pattern: string, subject: string) => search(withPythonFlags(pattern, flags), subject);
    return searchOutcome(value, output, { what: 'the output', find });
  },
  oracle({ value, dialect, flags = '' }) {
    if (dialect !== 'js') return wantedMatch(withPythonFlags(value, flags));
    const pattern = jsAsPython(value, flags);
    return {
      ...wantedMatch(pattern, searchJs(value, flags)),
      rule: { type: 'pattern', pattern: withPythonFlags(pattern, flags.replaceAll(/[uv]/g, '')), dialect },
    };
  },
});

/** An output with a text that matches; for some patterns none can be found. */
export function wantedMatch(pattern: string, isFound?: (text: string) => boolean): Wanted {
  const match = sampleMatch(pattern, isFound);
  const at = anchorOf(pattern);
  return {
    texts: match === undefined ? undefined : [{ text: match, at }],
    rule: { type: 'pattern', pattern },
  };
}

/** Where the match must be, as far as the first and the last character of the pattern show. */
function anchorOf(pattern: string): RequiredText['at'] {
  const isAtStart = /^(?:\(\?[a-z]+\))?(?:\^|\\A)/.test(pattern);
  const isAtEnd = /(?:^|[^\\])(?:\$|\\Z)$/.test(pattern);
  if (isAtStart === isAtEnd) return undefined;
  return isAtStart ? 'start' : 'end';
}

function checkPattern(
  authored: Json,
  reader: Reader,
  { value, dialect = reader.isAgentv ? 'js' : 'python', flags = '' }: RegexParameters,
): void {
  const errorsBefore = reader.errorCount;
  if (dialect === 'js') checkJavaScript(value, flags, reader);
  else checkPython(value, flags, reader);
  if (reader.errorCount === errorsBefore)
    warnAboutVacuousPattern(authored, reader, {
      pattern: withPythonFlags(value, flags.replaceAll(/[uv]/g, '')),
      isJs: dialect === 'js',
      at: ['value'],
    });
}

function checkPython(value: string, flags: string, reader: Reader): void {
  if (!/^[imsxa]*$/.test(flags)) {
    reader.error({
      code: 'value',
      message: `"${flags}" are not flags of a Python pattern`,
      hint: 'the flags are i, m, s, x and a',
      at: ['flags'],
    });
    return;
  }
  const flagged = withPythonFlags(value, flags);
  // If the pattern is wrong without its flags too, the position is that in the pattern as written.
  if (!isPythonPattern(flagged))
    checkPythonPattern(isPythonPattern(value) ? flagged : value, reader, ['value']);
}

function isPythonPattern(pattern: string): boolean {
  try {
    compile(pattern);
    return true;
  } catch {
    return false;
  }
}

interface VacuousPattern {
  readonly pattern: string;
  readonly isJs?: boolean;
  readonly at?: readonly string[];
}

/** A pattern that matches every text: an empty one, `.*`, `a|`. */
export function warnAboutVacuousPattern(
  authored: Json,
  reader: Reader,
  { pattern, isJs = false, at }: VacuousPattern,
): void {
  if (!isFoundEverywhere({ type: 'pattern', pattern, dialect: isJs ? 'js' : 'python' })) return;
  warnAboutVacuousCheck(authored, reader, {
    why: 'this pattern matches every text',
    hint: 'write a pattern that some strings do not match',
    at: at ?? [],
  });
}

/** Flags beside a pattern, written as Python writes them inside it. */
function withPythonFlags(pattern: string, flags: string): string {
  return flags === '' ? pattern : `(?${flags})${pattern}`;
}

/** Reports a pattern that Python's `re` would refuse, with Python's message. */
export function checkPythonPattern(pattern: string, reader: Reader, at: readonly string[] = []): void {
  try {
    compile(pattern);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    reader.error({ code: 'pattern', message: `Python's re refuses this pattern: ${error.message}`, at });
  }
}

function checkJavaScript(pattern: string, flags: string, reader: Reader): void {
  if (!/^[imsuv]*$/.test(flags)) {
    reader.error({
      code: 'value',
      message: `the flags "${flags}" cannot be used here`,
      hint: 'the flags are i, m, s, u and v',
      at: ['flags'],
    });
    return;
  }
  try {
    RegExp(pattern, flags);
  } catch (error) {
    reader.error({ code: 'pattern', message: (error as Error).message, at: ['value'] });
  }
}
