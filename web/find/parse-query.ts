import { nearestWord } from './nearest-word.ts';
import { parseRange } from './parse-range.ts';
import {
  FIXED_VALUES,
  isNumberKey,
  KEYS,
  NOT_KNOWN,
  OTHER_NAMES,
  type Key,
  type RangeTerm,
  type SearchQuery,
  type Term,
  type ValueKey,
} from './query.ts';

/** Why a text is not a query, and which part of it. */
export interface QueryProblem {
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

export type ParsedQuery =
  | { readonly query: SearchQuery; readonly problem?: undefined }
  | { readonly query?: undefined; readonly problem: QueryProblem };

/** A query as people type it. Any text is either a query, or a problem with its place. */
export function parseQuery(text: string): ParsedQuery {
  const reader = new QueryReader(text);
  const terms: Term[] = [];
  try {
    for (let term = reader.term(); term !== undefined; term = reader.term()) terms.push(term);
    return { query: { terms } };
  } catch (error) {
    if (error instanceof Problem) return { problem: error.problem };
    throw error;
  }
}

class Problem extends Error {
  readonly problem: QueryProblem;

  constructor(problem: QueryProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** A name, then possibly a dot and a path, then a colon. */
const KEY = /([\p{L}_][\p{L}\p{N}_-]*)(?:\.(?:"((?:[^"\\]|\\.)*)"|([^\s":]+)))?:/uy;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

class QueryReader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  term(): Term | undefined {
    while (/\s/.test(this.text.charAt(this.at))) this.at++;
    if (this.at >= this.text.length) return undefined;
    const start = this.at;
    // A dash alone is a word.
    const isNegated = this.text.charAt(start) === '-' && /\S/.test(this.text.charAt(start + 1));
    if (isNegated) this.at++;
    KEY.lastIndex = this.at;
    const key = KEY.exec(this.text);
    if (key === null) return { kind: 'text', isNegated, text: this.word(/\s/) };
    const path = key[2] === undefined ? key[3] : unescape(key[2]);
    return this.keyed({ name: key[1]!, path, whole: key[0], isNegated });
  }

  private keyed({
    name,
    path,
    whole,
    isNegated,
  }: {
    readonly name: string;
    readonly path: string | undefined;
    readonly whole: string;
    readonly isNegated: boolean;
  }): Term {
    const start = this.at;
    const key = this.keyNamed(name, start);
    this.at += whole.length;
    if (path !== undefined && key !== 'metadata' && key !== 'evaluator')
      throw this.problem(`"${key}" has no fields: write ${key}:`, start, this.at);
    if (path === undefined && key === 'metadata')
      throw this.problem('Name the field: metadata.FIELD:value', start, this.at);
    if (key === 'text') return { kind: 'text', isNegated, text: this.word(/\s/) };
    const valuesAt = this.at;
    const values = this.values();
    const isNumber = isNumberKey(key);
    if (isNumber && values.length === 1 && values[0] === NOT_KNOWN)
      return { kind: 'values', isNegated, key, values };
    if (isNumber || (key === 'evaluator' && path !== undefined && !OUTCOMES.has(values[0]!)))
      return this.range({ key, path, isNegated }, values, valuesAt);
    this.checkValues(key, values, valuesAt);
    return withPath({ kind: 'values', isNegated, key: key as ValueKey, values }, path);
  }

  private keyNamed(name: string, start: number): Key {
    const lower = name.toLowerCase();
    if (Object.hasOwn(KEYS, lower)) return lower as Key;
    if (Object.hasOwn(OTHER_NAMES, lower)) return OTHER_NAMES[lower]!;
    const near = nearestWord(lower, Object.keys(KEYS));
    const hint =
      near === undefined ? 'To search for this text, put it in quotes.' : `Did you mean "${near}:"?`;
    throw this.problem(`There is no filter "${name}:". ${hint}`, start, start + name.length + 1);
  }

  private values(): readonly string[] {
    const start = this.at;
    const values: string[] = [];
    do {
      if (values.length > 0) this.at++;
      const from = this.at;
      const value = this.word(/[\s,]/);
      if (value === '' && this.text.charAt(from) !== '"')
        throw this.problem('A value is missing after this.', Math.max(0, start - 1), this.at);
      values.push(value);
    } while (this.text.charAt(this.at) === ',');
    return values;
  }

  private range(
    { key, path, isNegated }: { key: Key; path: string | undefined; isNegated: boolean },
    values: readonly string[],
    start: number,
  ): RangeTerm {
    const numberKey = key as RangeTerm['key'];
    const read = values.length === 1 ? parseRange(numberKey, values[0]!) : undefined;
    if (read === undefined)
      throw this.problem(
        `This is not a range of ${numberKey}: write ${EXAMPLES[numberKey]}.`,
        start,
        this.at,
      );
    return withPath({ kind: 'range', isNegated, key: numberKey, ...read }, path);
  }

  private checkValues(key: Key, values: readonly string[], start: number): void {
    const known = FIXED_VALUES[key];
    if (known === undefined) return;
    const wrong = values.find((value) => !known.includes(value.toLowerCase()));
    if (wrong === undefined) return;
    const near = nearestWord(wrong.toLowerCase(), known);
    const hint = near === undefined ? `It is one of ${known.join(', ')}.` : `Did you mean "${near}"?`;
    throw this.problem(`There is no ${key} "${wrong}". ${hint}`, start, this.at);
  }

  /** In quotes, or up to one of the ends. */
  private word(end: RegExp): string {
    const { text } = this;
    const start = this.at;
    if (text.charAt(start) !== '"') {
      while (this.at < text.length && !end.test(text.charAt(this.at))) this.at++;
      return text.slice(start, this.at);
    }
    for (this.at++; this.at < text.length; this.at++) {
      const letter = text.charAt(this.at);
      if (letter === '\\') this.at++;
      if (letter !== '"') continue;
      this.at++;
      const next = text.charAt(this.at);
      if (next !== '' && !end.test(next))
        throw this.problem('Put a space after the closing quote.', this.at, this.at + 1);
      return unescape(text.slice(start + 1, this.at - 1));
    }
    throw this.problem('This quote is not closed.', start, text.length);
  }

  private problem(message: string, start: number, end: number): Problem {
    return new Problem({ message, start, end });
  }
}

const OUTCOMES: ReadonlySet<string> = new Set(['passed', 'failed', 'error']);

const EXAMPLES: Readonly<Record<RangeTerm['key'], string>> = {
  score: 'score:<0.7 or score:0.5..0.8',
  cost: 'cost:>0.01 or cost:0.01..0.05',
  time: 'time:>2s or time:500ms..2s',
  tokens: 'tokens:>1000 or tokens:1k..10k',
  evaluator: 'evaluator.NAME:<0.7 or evaluator.NAME:failed',
};

function withPath<T extends Term>(term: T, path: string | undefined): T {
  return path === undefined ? term : { ...term, path };
}

function unescape(text: string): string {
  return text.replaceAll(/\\(.)/gsu, (_, letter: string) => ESCAPES[letter] ?? letter);
}
