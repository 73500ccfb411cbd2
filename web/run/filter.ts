import type { Verdict } from '../../src/base/model/record.ts';
import { clearKey, toggleValue } from '../find/edit-query.ts';
import { matchQuery, type MatchContext } from '../find/match-query.ts';
import { parseQuery, type QueryProblem } from '../find/parse-query.ts';
import { printQuery } from '../find/print-query.ts';
import { EMPTY_QUERY, type SearchQuery, type Term, type ValueKey } from '../find/query.ts';
import type { Query } from '../route/route.ts';
import type { TestRow } from './test-row.ts';

export type Outcome = Verdict | 'flaky';

/** The most common first. */
export const OUTCOMES: readonly Outcome[] = ['failed', 'error', 'flaky', 'passed', 'skipped', 'not_graded'];

/** What part of a run is shown. The link contains all of it. */
export interface Filter {
  /** As it was typed. */
  readonly text: string;
  /** What the text says. If it has a problem, what it said before. */
  readonly query: SearchQuery;
  readonly problem?: QueryProblem | undefined;
}

export const NO_FILTER: Filter = { text: '', query: EMPTY_QUERY };

/** `before`: the filter that is shown now. It stays while the text is not a query. */
export function filterOf(text: string, before: Filter = NO_FILTER): Filter {
  const { query, problem } = parseQuery(text);
  return query === undefined ? { text, query: before.query, problem } : { text, query };
}

export function filterOfQuery(query: SearchQuery): Filter {
  return { text: printQuery(query), query };
}

/** Also from the links of older versions, which had a parameter for each filter. */
export function readFilter(parameters: URLSearchParams, before: Filter = NO_FILTER): Filter {
  const text = parameters.get('q') ?? '';
  const older = OLDER_KEYS.flatMap(([name, key]): readonly Term[] => {
    const value = parameters.get(name) ?? '';
    const values = name === 'verdict' ? OUTCOMES.filter((one) => value.split(',').includes(one)) : [value];
    return value === '' || values.length === 0 ? [] : [{ kind: 'values', isNegated: false, key, values }];
  });
  if (older.length === 0) return filterOf(text, before);
  return filterOf([printQuery({ terms: older }), text].filter((part) => part !== '').join(' '), before);
}

const OLDER_KEYS: readonly (readonly [name: string, key: ValueKey])[] = [
  ['verdict', 'verdict'],
  ['tag', 'tag'],
  ['file', 'file'],
  ['agent', 'target'],
];

export function filterQuery({ text }: Filter): Query {
  return { q: text };
}

export function isFiltered({ text, query }: Filter): boolean {
  return text.trim() !== '' || query.terms.length > 0;
}

export function filterTests(
  tests: readonly TestRow[],
  { query }: Filter,
  context: MatchContext = {},
): readonly TestRow[] {
  return query.terms.length === 0 ? tests : tests.filter(matchQuery(query, context));
}

/** Shows tests with this outcome too, or no longer. */
export function toggleOutcome({ query }: Filter, outcome: Outcome): Filter {
  return filterOfQuery(toggleValue(query, 'verdict', outcome));
}

export function clearOutcomes({ query }: Filter): Filter {
  return filterOfQuery(clearKey(query, 'verdict'));
}
