import { byCodePoint } from './by-code-point.ts';
import type { AttemptRecord } from './record.ts';

export type RecordPlace = Pick<AttemptRecord, 'file' | 'line' | 'column' | 'row' | 'test' | 'target'>;

/**
 * The order of the files, and of the tests in them: tests finish in another order in every run, and reports of two
 * runs must be comparable line by line.
 */
export function inFileOrder(a: RecordPlace, b: RecordPlace): number {
  return byPlace(a, b) || byCodePoint(a.test, b.test);
}

/** The same without the names: tests at one place keep the order in which they are. */
export function byPlace(a: Omit<RecordPlace, 'test'>, b: Omit<RecordPlace, 'test'>): number {
  return (
    (a.file === b.file ? 0 : byCodePoint(a.file, b.file)) ||
    a.line - b.line ||
    a.column - b.column ||
    byRow(a.row, b.row) ||
    byCodePoint(a.target, b.target)
  );
}

function byRow(a: AttemptRecord['row'], b: AttemptRecord['row']): number {
  if (a === undefined || b === undefined) return (a === undefined ? 0 : 1) - (b === undefined ? 0 : 1);
  return byCodePoint(a.file, b.file) || a.line - b.line || a.column - b.column;
}
