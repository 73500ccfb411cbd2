import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { filterTests, type Filter } from '../run/filter.ts';
import type { RunResults } from '../run/run-results.ts';
import type { TestRow } from '../run/test-row.ts';
import { useSource } from '../source/source-context.ts';
import { textsOf, type MatchContext } from './match-query.ts';
import type { SearchQuery } from './query.ts';

/** While a run is in progress, its new conversations are searched this often. */
const AGAIN_MS = 2000;
/** A search that takes longer than this no longer holds up what the rows themselves say. */
const PATIENCE_MS = 400;

/** Larger runs are read when somebody searches them. */
const MOST_PREPARED = 50_000;

export interface FoundTests {
  readonly tests: readonly TestRow[];
  /** What was found in conversations, by text. */
  readonly found?: MatchContext['found'];
  readonly isSearching: boolean;
  /** What was not searched, or why nothing was, for people. */
  readonly note?: string | undefined;
}

interface Settled {
  readonly query: SearchQuery;
  readonly found?: MatchContext['found'];
  readonly note?: string | undefined;
}

/**
 * The tests that a filter finds. Conversations are searched by the source: until it answers, the list stays as it
 * was, so that it does not jump with each letter.
 */
export function useFoundTests(
  results: RunResults,
  filter: Filter,
  labels: MatchContext['labels'],
): FoundTests {
  const { tests, runId } = results;
  const { query } = filter;
  const source = useSource();
  const texts = useMemo(() => textsOf(query), [query]);
  const key = JSON.stringify([runId, texts]);
  const [settled, setSettled] = useState<Settled & { readonly key: string }>();
  const isRunning = results.detail?.run.state === 'running';
  const last = useRef(settled);
  last.current = settled;

  useEffect(() => {
    // The first search of a run reads all its conversations: that is done before somebody types.
    if (!results.isComplete || tests.length > MOST_PREPARED) return undefined;
    const abort = new AbortController();
    source.search(runId, [], abort.signal).catch(() => {});
    return () => abort.abort();
  }, [runId, results.isComplete]);

  useEffect(() => {
    if (texts.length === 0) return undefined;
    const abort = new AbortController();
    const search = async (): Promise<void> => {
      try {
        const { matches, note } = await source.search(runId, texts, abort.signal);
        const found = new Map(texts.map((text, at) => [text, new Set(matches[at])]));
        setSettled({ key, query, found, note });
      } catch (error) {
        if (abort.signal.aborted) return;
        setSettled({ key, query, note: `Conversations were not searched: ${(error as Error).message}` });
      }
    };
    const impatient = setTimeout(() => {
      if (last.current?.key !== key) setSettled({ key: `${key} without`, query });
    }, PATIENCE_MS);
    void search().finally(() => clearTimeout(impatient));
    const again = isRunning ? setInterval(() => void search(), AGAIN_MS) : undefined;
    return () => {
      abort.abort();
      clearTimeout(impatient);
      clearInterval(again);
    };
  }, [key, isRunning]);

  const isSettled = texts.length === 0 || settled?.key === key;
  // A first search has nothing to wait with: the rows that match are shown at once.
  const shown: Settled =
    texts.length === 0 || settled === undefined ? { query } : isSettled ? { ...settled, query } : settled;
  const { found } = shown;
  const list = useMemo(
    () => filterTests(tests, { text: '', query: shown.query }, { found, labels }),
    [tests, shown.query, found, labels],
  );
  return { tests: list, found, isSearching: !isSettled, note: isSettled ? shown.note : undefined };
}
