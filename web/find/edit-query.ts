import type { NumberKey, RangeTerm, SearchQuery, Term, ValueKey, ValuesTerm } from './query.ts';

/** The values that a query allows for a key; empty if it allows all. */
export function chosenValues(query: SearchQuery, key: ValueKey): readonly string[] {
  return termOf(query, key)?.values ?? [];
}

/** Adds a value to those of its key, or removes it. */
export function toggleValue(query: SearchQuery, key: ValueKey, value: string): SearchQuery {
  const term = termOf(query, key);
  if (term === undefined)
    return { terms: [...query.terms, { kind: 'values', isNegated: false, key, values: [value] }] };
  const isChosen = term.values.includes(value);
  const values = isChosen ? term.values.filter((one) => one !== value) : [...term.values, value];
  return {
    terms: query.terms.flatMap((one): readonly Term[] =>
      one !== term ? [one] : values.length === 0 ? [] : [{ ...term, values }],
    ),
  };
}

/** Without any term of the key. */
export function clearKey(query: SearchQuery, key: ValueKey | NumberKey): SearchQuery {
  return { terms: query.terms.filter((term) => term.kind === 'text' || term.key !== key) };
}

type Range = Pick<RangeTerm, 'low' | 'high'>;

/** Sets the ranges of a key, or removes them if they are the same. */
export function toggleRanges(query: SearchQuery, key: NumberKey, ranges: readonly Range[]): SearchQuery {
  const rest = clearKey(query, key);
  if (hasRanges(query, key, ranges)) return rest;
  const terms = ranges.map((range): RangeTerm => ({ kind: 'range', isNegated: false, key, ...range }));
  return { terms: [...rest.terms, ...terms] };
}

export function hasRanges({ terms }: SearchQuery, key: NumberKey, ranges: readonly Range[]): boolean {
  const own = terms.filter(
    (term): term is RangeTerm => term.kind === 'range' && term.key === key && !term.isNegated,
  );
  return own.length === ranges.length && ranges.every((range) => own.some((term) => isSame(term, range)));
}

function isSame(a: Range, b: Range): boolean {
  return a.low?.value === b.low?.value && a.high?.value === b.high?.value;
}

function termOf({ terms }: SearchQuery, key: ValueKey): ValuesTerm | undefined {
  return terms.find(
    (term): term is ValuesTerm =>
      term.kind === 'values' && term.key === key && !term.isNegated && term.path === undefined,
  );
}
