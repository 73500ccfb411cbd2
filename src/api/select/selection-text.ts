import { join, relative, resolve } from 'node:path';
import type { RunDescription } from '../../runs/journal/run-directory.ts';
import type { RunOptions } from '../basics/run-options.ts';
import { splitLines } from './split-lines.ts';

interface SelectionOptions extends Pick<
  RunOptions,
  'grep' | 'grepInvert' | 'tags' | 'excludedTags' | 'paths' | 'lastFailed'
> {
  /** Tests of the files say `only`. */
  readonly only?: boolean | undefined;
}

export const EVERY_TEST = 'every test';

/** The filters of a run, as on the command line. */
export function filterTexts(
  { grep, grepInvert, tags, excludedTags, paths, lastFailed }: SelectionOptions,
  folder = '',
): readonly string[] {
  const { lines } = splitLines(paths ?? []);
  const places = [...lines].flatMap(([file, numbers]) =>
    numbers.map((line) => `${join(folder, file)}:${line}`),
  );
  return [
    ...new Set(places.toSorted()),
    ...(grep === undefined ? [] : [`--grep ${JSON.stringify(grep)}`]),
    ...(grepInvert === undefined ? [] : [`--grep-invert ${JSON.stringify(grepInvert)}`]),
    ...[...new Set(tags)].toSorted().map((tag) => `--tag ${tag}`),
    ...[...new Set(excludedTags)].toSorted().map((tag) => `--exclude-tag ${tag}`),
    ...(lastFailed === true ? ['--last-failed'] : []),
  ];
}

/** Which tests of its files a run selects, in words: equal words mean an equal selection. */
function selectionText(asked: SelectionOptions, folder: string): string {
  const said = [...filterTexts(asked, folder), ...(asked.only === true ? ['`only` in its files'] : [])];
  return said.length === 0 ? EVERY_TEST : said.join(' ');
}

/** The same for a run of this process. */
export function selectionHere(asked: SelectionOptions, projectRoot: string): string {
  return selectionText(asked, relative(projectRoot, resolve('.')));
}

/** The same for a recorded run. */
export function selectionOf({ options, cwd }: RunDescription): string {
  return selectionText(options as SelectionOptions, cwd);
}
