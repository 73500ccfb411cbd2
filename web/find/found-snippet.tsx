import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Snippet } from '../../src/base/model/search-text.ts';
import type { TestRow } from '../run/test-row.ts';
import { markRanges } from '../text/text.tsx';
import type { MatchContext } from './match-query.ts';
import type { SnippetLoader } from './snippet-loader.ts';

/** What a search found in the conversations of the list's tests. */
export interface FoundInList {
  readonly found: NonNullable<MatchContext['found']>;
  readonly loader: SnippetLoader;
}

export const FoundContext = createContext<FoundInList | undefined>(undefined);

/** Where the searched words are in a test's conversation, or what stands there otherwise. */
export function FoundSnippet({
  row,
  children,
}: {
  readonly row: TestRow;
  readonly children: ComponentChildren;
}) {
  const list = useContext(FoundContext);
  const index = list === undefined ? undefined : foundAttempt(row, list.found);
  const [snippet, setSnippet] = useState<Snippet>();
  useEffect(() => {
    let isCurrent = true;
    setSnippet(undefined);
    if (index !== undefined) void list?.loader.load(index).then((one) => isCurrent && setSnippet(one));
    return () => {
      isCurrent = false;
    };
  }, [list, index]);
  if (snippet === undefined) return <>{children}</>;
  const ranges = snippet.marks.map(([start, end]) => ({ start, end, kind: 'found' as const }));
  return (
    <span class="snippet">
      <span class="label">{snippet.where}</span> <bdi>{markRanges(snippet.text, ranges)}</bdi>
    </span>
  );
}

/** The attempt of a test in which most of the texts were found; undefined if none was. */
export function foundAttempt({ attempts }: TestRow, found: FoundInList['found']): number | undefined {
  let best: number | undefined;
  let most = 0;
  for (const { index } of attempts) {
    let count = 0;
    for (const indexes of found.values()) if (indexes.has(index)) count++;
    if (count > most) [best, most] = [index, count];
  }
  return best;
}
