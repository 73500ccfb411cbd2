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

/** Sets the range of a key, or removes it if it is the same. */
export function toggleRange(query: SearchQuery, key: NumberKey, range: Pick<RangeTerm, 'low' | 'high'>): SearchQuery {
  const rest = clearKey(query, key);
  if (hasRange(query, key, range)) return rest;
  return { terms: [...rest.terms, { kind: 'range', isNegated: false, key, ...range }] };
}

export function hasRange(query: SearchQuery, key: NumberKey, { low, high }: Pick<RangeTerm, 'low' | 'high'>): boolean {
  return query.terms.some(
    (term) =>
      term.kind === 'range' &&
      term.key === key &&
      !term.isNegated &&
      term.low?.value === low?.value &&
      term.high?.value === high?.value,
  );
}

function termOf({ terms }: SearchQuery, key: ValueKey): ValuesTerm | undefined {
  return terms.find(
    (term): term is ValuesTerm =>
      term.kind === 'values' && term.key === key && !term.isNegated && term.path === undefined,
  );
}
