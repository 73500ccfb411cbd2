import type { RunnableSuite } from '../../run/plan/plan.ts';
import { createSelector, type Selection } from '../../run/plan/select.ts';
import type { Test } from '../../base/model/test.ts';
import { didYouMean } from '../../base/schema/did-you-mean.ts';

/** Enough to find what somebody meant. */
const MAX_READ = 20_000;
const NAMES_SHOWN = 8;

export interface EmptySelection {
  readonly message: string;
  readonly hint: string;
}

const NO_SUITES: EmptySelection = {
  message: 'no suites found',
  hint: 'suites are found by name: *.test.yaml, *.eval.yaml, EVAL.yaml, dataset*.jsonl, ...; `assay init` writes an example',
};

interface Filter {
  readonly text: string;
  readonly selection: Selection;
  /** It leaves out what it matches. */
  readonly excludes?: boolean;
  hint(): string;
}

interface KnownTest {
  readonly file: string;
  readonly test: Test;
  readonly next: Test | undefined;
}

/** Which filter leaves no test, and what there is instead; undefined if no filter does. */
export async function explainEmpty(
  suites: readonly RunnableSuite[],
  { grep, grepInvert, tags, excludedTags, lines }: Selection,
): Promise<EmptySelection | undefined> {
  if (suites.length === 0) return NO_SUITES;
  const all = await readTests(suites);
  if (all.length === 0) return undefined;
  const filters: Filter[] = [
    ...(grep === undefined
      ? []
      : [{ text: `--grep ${JSON.stringify(grep)}`, selection: { grep }, hint: () => namesHint(grep, all) }]),
    ...(tags === undefined
      ? []
      : [{ text: `--tag ${tags.join(',')}`, selection: { tags }, hint: () => tagsHint(tags, all) }]),
    ...[...(lines ?? [])].map(([file, numbers]) => ({
      text: numbers.map((line) => `${file}:${line}`).join(' '),
      selection: { lines: new Map([[file, numbers]]) },
      hint: () => linesHint(file, all),
    })),
    ...(grepInvert === undefined
      ? []
      : [
          {
            text: `--grep-invert ${JSON.stringify(grepInvert)}`,
            selection: { grepInvert },
            excludes: true,
            hint: narrowerHint,
          },
        ]),
    ...(excludedTags === undefined
      ? []
      : [
          {
            text: `--exclude-tag ${excludedTags.join(',')}`,
            selection: { excludedTags },
            excludes: true,
            hint: narrowerHint,
          },
        ]),
  ];
  if (filters.length === 0) return undefined;
  const matchesAny = (selection: Selection): boolean => {
    const matches = createSelector(selection);
    const files = selection.lines;
    return all.some(
      ({ file, test, next }) => (files === undefined || files.has(file)) && matches(test, file, next),
    );
  };
  const empty = filters.find(({ selection }) => !matchesAny(selection));
  if (empty !== undefined) return { message: emptyText(empty, all.length), hint: empty.hint() };
  const names = filters.map(({ text }) => text).join(' and ');
  return {
    message: `no test matches ${names}`,
    hint: 'each of them matches tests, but not the same: remove one',
  };
}

function emptyText({ text, excludes = false }: Filter, tests: number): string {
  if (excludes) return `${text} leaves out ${tests === 1 ? 'the only test' : `all ${tests} tests`}`;
  return `${text} matches none of the ${tests === 1 ? '1 test' : `${tests} tests`}`;
}

async function readTests(suites: readonly RunnableSuite[]): Promise<readonly KnownTest[]> {
  const all: KnownTest[] = [];
  for (const suite of suites) {
    const tests: Test[] = [];
    for await (const batch of suite.batches()) {
      tests.push(...batch);
      if (all.length + tests.length >= MAX_READ) break;
    }
    for (const [index, test] of tests.entries()) all.push({ file: suite.file, test, next: tests[index + 1] });
    if (all.length >= MAX_READ) break;
  }
  return all;
}

function quoted(name: string): string {
  return JSON.stringify(name.length > 56 ? `${name.slice(0, 55)}…` : name);
}

function namesHint(grep: string, all: readonly KnownTest[]): string {
  const ids = all.map(({ test }) => test.id);
  return didYouMean(grep, ids) ?? `the tests are ${listed(ids.map(quoted))}`;
}

function tagsHint(tags: readonly string[], all: readonly KnownTest[]): string {
  const known = [...new Set(all.flatMap(({ test }) => test.tags))];
  if (known.length === 0) return 'no test has a tag: write `tags: [...]` in a suite or a test';
  return didYouMean(tags[0]!, known) ?? `the tags are ${listed(known.map(quoted))}`;
}

function linesHint(file: string, all: readonly KnownTest[]): string {
  const own = all.filter((one) => one.file === file);
  if (own.length === 0) return 'this file has no tests';
  return `its tests start at ${listed(own.map(({ test }) => `:${test.place.line} (${quoted(test.id)})`))}`;
}

function narrowerHint(): string {
  return 'remove it, or make it narrower';
}

function listed(names: readonly string[]): string {
  const shown = names
    .slice(0, NAMES_SHOWN)
    .map((name) => (name.length > 60 ? `${name.slice(0, 59)}…` : name));
  const more = names.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
