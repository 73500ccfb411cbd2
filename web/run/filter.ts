import type { Verdict } from '../../src/model/record.ts';
import type { Query } from '../route/route.ts';
import type { TestRow } from './test-row.ts';

export type Outcome = Verdict | 'flaky';

/** In the order in which people ask for them. */
export const OUTCOMES: readonly Outcome[] = ['failed', 'error', 'flaky', 'passed', 'skipped'];

/** What of a run is shown. All of it stands in the link. */
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
      (words.length === 0 || hasWords(row, words)),
  );
}

export function hasOutcome(row: TestRow, outcome: Outcome): boolean {
  return outcome === 'flaky' ? row.isFlaky : row.verdict === outcome;
}

/** Every word somewhere: in the name, the description, the problem, the tags, the file or the agent. */
function hasWords(row: TestRow, words: readonly string[]): boolean {
  const text = searchText(row);
  return words.every((word) => text.includes(word));
}

/** Made once for each row: a search through 100,000 of them then takes a few milliseconds. */
const searchTexts = new WeakMap<TestRow, string>();

function searchText(row: TestRow): string {
  let text = searchTexts.get(row);
  if (text === undefined) {
    const { test, description = '', problem = '', tags, file, target } = row;
    text = `${test}\n${description}\n${problem}\n${tags.join('\n')}\n${file}\n${target}`.toLowerCase();
    searchTexts.set(row, text);
  }
  return text;
}
