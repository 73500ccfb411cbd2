import { useEffect, useState } from 'preact/hooks';
import type { Source } from '../source/source.ts';
import { useSource } from '../source/source-context.ts';
import { LabelBook } from './label-book.ts';

let kept: LabelBook | undefined;

/** The labels of a run: read once, and again when the window gets the focus back. */
export function useLabels(runId: string): LabelBook {
  const book = bookOf(useSource(), runId);
  const [, redraw] = useState(0);
  useEffect(() => {
    const update = (): void => redraw((count) => count + 1);
    const reload = (): void => void book.load();
    update();
    addEventListener('focus', reload);
    const leave = book.subscribe(update);
    return () => {
      removeEventListener('focus', reload);
      leave();
    };
  }, [book]);
  return book;
}

function bookOf(source: Source, runId: string): LabelBook {
  if (kept?.runId !== runId) kept = new LabelBook(source, runId);
  return kept;
}
