import { foldText } from '../../src/base/model/fold-text.ts';
import type { EvaluatorScore, ResultRow } from '../../src/base/model/page-data.ts';
import type { TestRow } from '../run/test-row.ts';
import { NOT_KNOWN, type RangeTerm, type SearchQuery, type Term, type ValuesTerm } from './query.ts';

/** What is known about a test besides its row. */
export interface MatchContext {
  /** By the folded text: the records in whose conversation it occurs. Absent while it is being searched. */
  readonly found?: ReadonlyMap<string, ReadonlySet<number>> | undefined;
  /** By the index of a record: the labels that people gave it. */
  readonly labels?: ReadonlyMap<number, 'right' | 'wrong'> | undefined;
}

type Test = (row: TestRow) => boolean;

/** Which tests a query finds. */
export function matchQuery({ terms }: SearchQuery, context: MatchContext = {}): Test {
  const tests = terms.map((term) => {
    const test = matchTerm(term, context);
    return term.isNegated ? (row: TestRow): boolean => !test(row) : test;
  });
  const [only, ...more] = tests;
  if (only !== undefined && more.length === 0) return only;
  return (row) => tests.every((test) => test(row));
}

/** The texts that must be searched in conversations, as they are compared. */
export function textsOf({ terms }: SearchQuery): readonly string[] {
  const texts = terms.flatMap((term) => (term.kind === 'text' ? [foldText(term.text)] : []));
  return [...new Set(texts)].filter((text) => text.trim() !== '');
}

/** The texts to mark in what was found. */
export function wordsOf({ terms }: SearchQuery): readonly string[] {
  return terms.flatMap((term) =>
    term.kind === 'text' && !term.isNegated && term.text.trim() !== '' ? [term.text] : [],
  );
}

function matchTerm(term: Term, context: MatchContext): Test {
  if (term.kind === 'text') {
    const text = foldText(term.text);
    const found = context.found?.get(text);
    return ({ searchText, attempts }) =>
      searchText.includes(text) || (found !== undefined && attempts.some(({ index }) => found.has(index)));
  }
  return term.kind === 'range' ? matchRange(term) : matchValues(term, context);
}

function matchRange(term: RangeTerm): Test {
  const isIn = rangeTest(term);
  switch (term.key) {
    case 'score':
      return ({ score }) => isIn(score);
    case 'cost':
      return ({ costUsd }) => isIn(costUsd);
    case 'time':
      return ({ durationMs }) => isIn(durationMs);
    case 'tokens':
      return (row) => isIn(tokensOf(row));
    case 'evaluator': {
      const isNamed = wordTest(term.path ?? '');
      return anyEvaluator((one) => isEvaluator(one, isNamed) && isIn(one.score));
    }
  }
}

function rangeTest({ low, high, decimals }: RangeTerm): (value: number | undefined) => boolean {
  if (decimals !== undefined) {
    const shown = low!.value.toFixed(decimals);
    return (value) => value !== undefined && value.toFixed(decimals) === shown;
  }
  return (value) => {
    if (value === undefined) return false;
    if (low !== undefined && (low.isOpen ? value <= low.value : value < low.value)) return false;
    return high === undefined || (high.isOpen ? value < high.value : value <= high.value);
  };
}

function matchValues({ key, path, values }: ValuesTerm, { labels }: MatchContext): Test {
  const isOne = wordsTest(values);
  switch (key) {
    case 'verdict':
      return ({ verdict, isFlaky }) => isOne(verdict) || (isFlaky && isOne('flaky'));
    case 'flaky':
      return ({ isFlaky }) => isOne(isFlaky ? 'yes' : 'no');
    case 'tag':
      return ({ tags }) => tags.some(isOne);
    case 'target':
      return ({ target }) => isOne(target);
    case 'test':
      return ({ test }) => isOne(test);
    case 'file':
      return ({ file }) => fileEndings(file).some(isOne);
    case 'error':
      return anyAttempt(({ error_kind }) => error_kind !== undefined && isOne(error_kind));
    case 'label':
      return anyAttempt(({ index }) => isOne(labels?.get(index) ?? NOT_KNOWN));
    case 'metadata': {
      const isField = wordTest(path ?? '');
      return anyAttempt(
        ({ metadata_fields }) =>
          metadata_fields?.some(([field, value]) => isField(field) && isOne(value)) ?? false,
      );
    }
    case 'evaluator': {
      if (path === undefined) return anyEvaluator((one) => isEvaluator(one, isOne));
      const isNamed = wordTest(path);
      return anyEvaluator((one) => isEvaluator(one, isNamed) && isOne(outcomeOf(one)));
    }
    case 'score':
      return ({ score }) => score === undefined;
    case 'cost':
      return ({ costUsd }) => costUsd === undefined;
    case 'time':
      return () => false;
    case 'tokens':
      return (row) => tokensOf(row) === undefined;
  }
}

function anyAttempt(test: (attempt: ResultRow) => boolean): Test {
  return ({ attempts }) => attempts.some(test);
}

function anyEvaluator(test: (evaluator: EvaluatorScore) => boolean): Test {
  return anyAttempt(({ evaluators }) => evaluators?.some(test) ?? false);
}

function isEvaluator({ name, kind }: EvaluatorScore, isNamed: (word: string) => boolean): boolean {
  return isNamed(name) || (kind !== undefined && isNamed(kind));
}

function outcomeOf({ passed }: EvaluatorScore): string {
  return passed === undefined ? 'error' : passed ? 'passed' : 'failed';
}

/** Over all repeats; undefined if one of them does not report it. */
export function tokensOf({ attempts }: TestRow): number | undefined {
  let sum = 0;
  for (const { token_usage } of attempts) {
    if (token_usage === undefined) return undefined;
    sum += token_usage.input + token_usage.output;
  }
  return sum;
}

/** `a/b/c.yaml`, `b/c.yaml` and `c.yaml`. */
function fileEndings(file: string): readonly string[] {
  const parts = file.split('/');
  return parts.map((_, index) => parts.slice(index).join('/'));
}

function wordsTest(words: readonly string[]): (word: string) => boolean {
  const tests = words.map(wordTest);
  return tests.length === 1 ? tests[0]! : (word) => tests.some((test) => test(word));
}

/** Without case. A star stands for anything. */
function wordTest(pattern: string): (word: string) => boolean {
  const folded = foldText(pattern);
  if (!folded.includes('*')) return (word) => word === pattern || foldText(word) === folded;
  const [first = '', ...rest] = folded.split('*');
  const last = rest.pop() ?? '';
  return (word) => {
    const text = foldText(word);
    if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last))
      return false;
    let at = first.length;
    const end = text.length - last.length;
    for (const part of rest) {
      const found = text.indexOf(part, at);
      if (found === -1 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}
