import type { ComponentChildren } from 'preact';

/** A column of any table of the page: how wide it is, when it is left out, and where it stands on a phone. */
export interface Column<Row> {
  readonly name: string;
  readonly title: ComponentChildren;
  /** A track of the style sheet's grid. Default: as much as is left. */
  readonly width?: string;
  /** Numbers stand under each other, at the right. */
  readonly isNumber?: boolean;
  /** Less important ones are left out of windows narrower than this many pixels. */
  readonly from?: number;
  /** On a phone a row has two columns. Without a place there, this one is left out. */
  readonly phone?: { readonly order: number; readonly isWide?: boolean };
  readonly cell: (row: Row, position: RowPosition) => ComponentChildren;
  /** More attributes of the cell, for cells that can be active. */
  readonly attributes?: (row: Row, position: RowPosition) => Readonly<Record<string, unknown>>;
}

export interface RowPosition {
  readonly isActive: boolean;
  /** The id of one of its cells, which an active cell must have. */
  readonly cellId: (column: number) => string;
}

/** A row that is no row of cells: the heading of a group. */
export type SpanOf<Row> = (row: Row) => ComponentChildren | undefined;

/** What is printed of a table. */
export interface PrintedRows<Row> {
  readonly rows: readonly Row[];
  /** What is not printed, in a sentence; absent if everything is. */
  readonly note?: string | undefined;
}

/** No one reads more than this on paper. */
export const MOST_PRINTED = 500;
const PHONE = 700;

const REST = 'minmax(0, 1fr)';

/** A column that says nothing in this table is `false`. */
export type Columns<Row> = readonly (Column<Row> | false)[];

export function presentColumns<Row>(columns: Columns<Row>): readonly Column<Row>[] {
  return columns.filter((column) => column !== false);
}

/** The columns that a window has room for, and their tracks. */
export function columnsFor<Row>(
  columns: readonly Column<Row>[],
  width: number,
): { readonly shown: readonly Column<Row>[]; readonly tracks: string; readonly isPhone: boolean } {
  const isPhone = width <= PHONE;
  if (isPhone) {
    const shown = columns.filter(({ phone }) => phone !== undefined);
    return {
      shown: shown.toSorted((a, b) => a.phone!.order - b.phone!.order),
      tracks: `${REST} auto`,
      isPhone,
    };
  }
  const shown = columns.filter(({ from = 0 }) => width >= from);
  return { shown, tracks: shown.map(({ width: track = REST }) => track).join(' '), isPhone };
}
