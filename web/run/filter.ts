import type { Verdict } from '../../src/model/record.ts';
import type { Query } from '../route/route.ts';
import type { TestRow } from './test-row.ts';

export type Outcome = Verdict | 'flaky';

/** The most common first. */
export const OUTCOMES: readonly Outcome[] = ['failed', 'error', 'flaky', 'passed', 'skipped'];

/** What part of a run is shown. The link contains all of it. */
export interface Filter {
  /** Empty: all of them. */
  readonly outcomes: readonly Outcome[];
  readonly text: string;
  readonly tag: string;
  readonly file: string;
  readonly agent: string;
}

export function readFilter(query: URLSearchParams): Filter {
  const asked = (query.get('verdict') ?? '').split(',');
  return {
    outcomes: OUTCOMES.filter((outcome) => asked.includes(outcome)),
    text: query.get('q') ?? '',
    tag: query.get('tag') ?? '',
    file: query.get('file') ?? '',
    agent: query.get('agent') ?? '',
  };
}

export function filterQuery({ outcomes, text, tag, file, agent }: Filter): Query {
  return { verdict: outcomes.join(','), q: text, tag, file, agent };
}

export function isFiltered({ outcomes, text, tag, file, agent }: Filter): boolean {
  return outcomes.length > 0 || `${text}${tag}${file}${agent}` !== '';
}

/** Every word must occur somewhere: in the name, the description, the problem, the tags, the file or the agent. */
export function filterTests(tests: readonly TestRow[], filter: Filter): readonly TestRow[] {
  if (!isFiltered(filter)) return tests;
  const { outcomes, tag, file, agent } = filter;
  const words = filter.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return tests.filter(
    (row) =>
      (outcomes.length === 0 || outcomes.some((outcome) => hasOutcome(row, outcome))) &&
      (tag === '' || row.tags.includes(tag)) &&
      (file === '' || row.file === file) &&
      (agent === '' || row.target === agent) &&
      words.every((word) => row.searchText.includes(word)),
  );
}

export function hasOutcome(row: TestRow, outcome: Outcome): boolean {
  return outcome === 'flaky' ? row.isFlaky : row.verdict === outcome;
}
