import { join, relative, resolve } from 'node:path';
import type { RunDescription } from '../journal/run-directory.ts';
import type { RunOptions } from './run-options.ts';
import { splitLines } from './split-lines.ts';

interface Asked extends Pick<RunOptions, 'grep' | 'tags' | 'paths' | 'lastFailed'> {
  /** Tests of the files say `only`. */
  readonly only?: boolean | undefined;
}

export const EVERY_TEST = 'every test';

/** Which tests of its files a run is asked for, in words: two runs with the same words were asked for the same. */
function askedSelection({ grep, tags, paths, lastFailed, only }: Asked, folder = ''): string {
  const { lines } = splitLines(paths ?? []);
  const places = [...lines].flatMap(([file, numbers]) =>
    numbers.map((line) => `${join(folder, file)}:${line}`),
  );
  const said = [
    ...new Set(places.toSorted()),
    ...(grep === undefined ? [] : [`--grep ${JSON.stringify(grep)}`]),
    ...[...new Set(tags)].toSorted().map((tag) => `--tag ${tag}`),
    ...(lastFailed === true ? ['--last-failed'] : []),
    ...(only === true ? ['`only` in its files'] : []),
  ];
  return said.length === 0 ? EVERY_TEST : said.join(' ');
}

/** The same of a run of this process. */
export function selectionHere(asked: Asked, projectRoot: string): string {
  return askedSelection(asked, relative(projectRoot, resolve('.')));
}

/** The same of a run that was recorded. */
export function selectionOf({ options, cwd }: RunDescription): string {
  return askedSelection(options as Asked, cwd);
}
