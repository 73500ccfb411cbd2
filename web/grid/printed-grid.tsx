import type { ComponentChildren } from 'preact';
import type { Column } from './grid.tsx';

/** What is printed of a list. */
export interface PrintedRows<Row> {
  readonly rows: readonly Row[];
  /** What is not printed, in a sentence; absent if everything is. */
  readonly note?: string | undefined;
}

/** Nobody reads more than this on paper. */
export const MOST_PRINTED = 500;

/** A list on paper: every row at its place, and none of them active. */
export function PrintedGrid<Row>({
  name,
  columns,
  printed: { rows, note },
  keyOf,
  cells,
}: {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly printed: PrintedRows<Row>;
  readonly keyOf: (row: Row) => string;
  readonly cells: (row: Row) => ComponentChildren;
}) {
  return (
    <>
      {note !== undefined && <p class="print-note">{note}</p>}
      <div class={`grid grid-${name} is-printed`} role="table">
        <div role="row" class="grid-row">
          {columns.map(({ name: column, title }) => (
            <span key={column} role="columnheader" class={`cell cell-${column}`}>
              {title}
            </span>
          ))}
        </div>
        {rows.map((row) => (
          <div key={keyOf(row)} role="row" class="grid-row">
            {cells(row)}
          </div>
        ))}
      </div>
    </>
  );
}
