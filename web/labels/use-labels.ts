import { useEffect } from 'preact/hooks';
import { useObservable } from '../parts/observable.ts';
import type { Source } from '../source/source.ts';
import { useSource } from '../source/source-context.ts';
import { LabelBook } from './label-book.ts';

let kept: LabelBook | undefined;

/** The labels of a run: read once, and again when the window gets the focus back. */
export function useLabels(runId: string): LabelBook {
  const book = bookOf(useSource(), runId);
  useObservable(book, () => book.version);
  useEffect(() => {
    const reload = (): void => void book.load();
    addEventListener('focus', reload);
    return () => removeEventListener('focus', reload);
  }, [book]);
  return book;
}

function bookOf(source: Source, runId: string): LabelBook {
  if (kept?.runId !== runId) kept = new LabelBook(source, runId);
  return kept;
}
