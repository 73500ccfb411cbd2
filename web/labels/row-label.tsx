import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { LabelValue } from '../../src/base/model/label.ts';
import type { TestRow } from '../run/test-row.ts';
import { LabelMark } from './label-bar.tsx';

/** By the number of a record: what people say about it. */
export const LabelContext = createContext<ReadonlyMap<number, LabelValue>>(new Map());

/** What people say about a test: wrong, if they say it about one of its repeats. */
export function RowLabel({ row }: { readonly row: TestRow }) {
  const labels = useContext(LabelContext);
  if (labels.size === 0) return null;
  const own = row.attempts.flatMap(({ index }) => labels.get(index) ?? []);
  return own.length === 0 ? null : <LabelMark label={own.includes('wrong') ? 'wrong' : 'right'} />;
}
