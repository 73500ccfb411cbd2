import type { TestRow } from '../run/test-row.ts';
import { FIXED_VALUES, type Key } from './query.ts';

/** The values that occur in a run, with the number of tests of each; the most common first. */
export interface Survey {
  valuesOf(key: Key, path?: string): readonly SurveyedValue[];
  /** `metadata.team`, `evaluator.tone`. */
  pathsOf(key: Key): readonly SurveyedValue[];
}

interface SurveyedValue {
  readonly value: string;
  readonly count: number;
}

/** Counted when it is first asked for: a list of tests is filtered far more often than that. */
export function surveyTests(tests: readonly TestRow[]): Survey {
  let counts: Map<string, Map<string, number>> | undefined;
  const counted = (): Map<string, Map<string, number>> => (counts ??= countValues(tests));
  return {
    valuesOf(key, path) {
      const found = listed(counted().get(path === undefined ? key : `${key}.${path}`));
      const fixed = FIXED_VALUES[key];
      return fixed === undefined
        ? found
        : fixed.map((value) => found.find((one) => one.value === value) ?? { value, count: 0 });
    },
    pathsOf: (key) =>
      key === 'evaluator' ? listed(counted().get('evaluator')) : listed(counted().get(`${key} paths`)),
  };
}

function listed(counts: ReadonlyMap<string, number> = new Map()): readonly SurveyedValue[] {
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

function countValues(tests: readonly TestRow[]): Map<string, Map<string, number>> {
  const counts = new Map<string, Map<string, number>>();
  const count = (key: string, value: string): void => {
    let values = counts.get(key);
    if (values === undefined) counts.set(key, (values = new Map<string, number>()));
    values.set(value, (values.get(value) ?? 0) + 1);
  };
  for (const row of tests) {
    count('verdict', row.verdict);
    if (row.isFlaky) count('verdict', 'flaky');
    count('flaky', row.isFlaky ? 'yes' : 'no');
    count('target', row.target);
    count('file', row.file);
    for (const tag of row.tags) count('tag', tag);
    const [attempt] = row.attempts;
    for (const { name } of attempt?.evaluators ?? []) count('evaluator', name);
    for (const [path, value] of attempt?.metadata_fields ?? []) {
      count('metadata paths', path);
      count(`metadata.${path}`, value);
    }
    for (const kind of new Set(row.attempts.flatMap(({ error_kind }) => error_kind ?? [])))
      count('error', kind);
  }
  return counts;
}
