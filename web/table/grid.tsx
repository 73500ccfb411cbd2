import type { TargetedKeyboardEvent, TargetedMouseEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { usePrinting } from '../print/printing.ts';
import { formatCount } from '../text/format.ts';
import {
  columnsFor,
  MOST_PRINTED,
  presentColumns,
  type Columns,
  type PrintedRows,
  type SpanOf,
} from './column.ts';
import { cellClass, Table } from './table.tsx';
import { useWindowSlice } from './use-window-slice.ts';
import { useWindowWidth } from './use-window-width.ts';
import './grid.css';

interface GridProps<Row> {
  readonly label: string;
  /** For the style sheet, and to remember the active row. */
  readonly name: string;
  readonly columns: Columns<Row>;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** All rows are as high as this, in pixels: in a window, and on a phone. */
  readonly rowHeight: { readonly usual: number; readonly phone: number };
  readonly span?: SpanOf<Row>;
  readonly rowClass?: (row: Row) => string;
  readonly onOpen: (row: Row) => void;
  /** Called with the active row, for shortcuts of the page. */
  readonly onActive?: (row: Row | undefined) => void;
  /** What is printed instead of the first rows. */
  readonly printed?: () => PrintedRows<Row>;
  /** For lists with an active cell in the active row: the left and right arrows move it. */
  readonly moving?: CellMoves;
}

interface CellMoves {
  readonly column: number;
  readonly count: number;
  readonly onMove: (column: number) => void;
}

/** Where people were when they left a list: they return to the same row. */
const remembered = new Map<string, string>();

/**
 * A list of any length: only the visible rows are in the document. One row is active; keys move it, Enter opens it.
 * The grid itself keeps the focus, so that it is not lost with a row that scrolls away.
 */
export function Grid<Row>(props: GridProps<Row>) {
  const { label, name, columns, rows, keyOf, span, rowClass, onOpen, onActive, moving } = props;
  const { shown, tracks, isPhone } = columnsFor(presentColumns(columns), useWindowWidth());
  const rowHeight = isPhone ? props.rowHeight.phone : props.rowHeight.usual;
  const grid = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const { from, to } = useWindowSlice(body, rows.length, rowHeight);
  const [activeKey, setActiveKey] = useState(remembered.get(name));
  const active = useActiveIndex(rows, keyOf, activeKey);

  const moveTo = (index: number): void => {
    const next = Math.max(0, Math.min(rows.length - 1, index));
    const row = rows[next];
    if (row === undefined) return;
    setActiveKey(keyOf(row));
    remembered.set(name, keyOf(row));
    grid.current?.focus({ preventScroll: true });
    if (body.current !== null) showRow(body.current, next, rowHeight);
  };
  const open = (): void => {
    const row = rows[active];
    if (row !== undefined) onOpen(row);
  };
  useEffect(() => onActive?.(rows[active]), [rows, active]);
  useEffect(() => {
    if (active >= 0 && !hasFocusElsewhere()) moveTo(active);
  }, [rows.length > 0]);
  // The first key leads to a row of its own, not to the heading of a group, which `o` would fold.
  const first = (): number => rows.findIndex((row) => span?.(row) === undefined);
  useShortcuts([
    { keys: 'j', does: 'Next row', run: () => moveTo(active === -1 ? first() : active + 1) },
    { keys: 'k', does: 'Previous row', run: () => moveTo(active === -1 ? 0 : active - 1) },
    { keys: 'Enter', does: 'Open the row', run: open },
    { keys: 'o', does: 'Open the row', run: open },
  ]);
  const page = Math.floor(innerHeight / rowHeight / 2);
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    PageDown: active + page,
    PageUp: active - page,
    Home: 0,
    End: rows.length - 1,
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    const index = moves[event.key];
    const column = moving === undefined ? undefined : moveSideways(event.key, moving);
    if ((index ?? column) === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (column !== undefined) moving?.onMove(column);
    moveTo(index ?? Math.max(0, active));
  };
  const isPrinting = usePrinting();
  if (isPrinting) {
    const { rows: some, note } = (props.printed ?? (() => firstRows(rows)))();
    return (
      <>
        {note !== undefined && <p class="print-note">{note}</p>}
        <Table label={label} columns={columns} rows={some} keyOf={keyOf} span={span} rowClass={rowClass} />
      </>
    );
  }
  const cellIdOf = (row: number, column: number): string => `${name}-row-${row}-cell-${column}`;
  const activeId = moving === undefined ? `${name}-row-${active}` : cellIdOf(active, moving.column);
  const isRendered = active >= from && active < to;
  return (
    <div
      ref={grid}
      class={`card grid grid-${name}${isPhone ? ' is-phone' : ''}`}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={shown.length}
      aria-activedescendant={isRendered ? activeId : undefined}
      style={{ '--columns': tracks, '--row-height': `${rowHeight}px` }}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div role="rowgroup" class="grid-head">
        <div role="row" aria-rowindex={1} class="grid-row">
          {shown.map(({ name: column, title, isNumber }) => (
            <span key={column} role="columnheader" class={`cell ${cellClass(column, isNumber)}`}>
              {title}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" ref={body} class="grid-body" style={{ height: `${rows.length * rowHeight}px` }}>
        {rows.slice(from, to).map((row, offset) => {
          const index = from + offset;
          const group = span?.(row);
          const position = {
            isActive: index === active,
            cellId: (column: number) => cellIdOf(index, column),
          };
          return (
            <div
              key={keyOf(row)}
              id={`${name}-row-${index}`}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={index === active}
              class={`grid-row ${group === undefined ? '' : 'is-span'} ${rowClass?.(row) ?? ''}`}
              style={{ top: `${index * rowHeight}px` }}
              onClick={(event) => {
                if (isPlainClick(event)) onOpen(row);
              }}
              onMouseDown={() => {
                setActiveKey(keyOf(row));
                remembered.set(name, keyOf(row));
              }}
            >
              {group !== undefined ? (
                <div role="gridcell" class="cell cell-span" aria-colspan={shown.length}>
                  {group}
                </div>
              ) : (
                shown.map(({ name: column, isNumber, phone: place, cell, attributes }) => (
                  <div
                    key={column}
                    role="gridcell"
                    class={`cell ${cellClass(column, isNumber)}${isPhone && place?.isWide === true ? ' is-wide' : ''}`}
                    {...attributes?.(row, position)}
                  >
                    {cell(row, position)}
                  </div>
                ))
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function firstRows<Row>(rows: readonly Row[]): PrintedRows<Row> {
  if (rows.length <= MOST_PRINTED) return { rows };
  return {
    rows: rows.slice(0, MOST_PRINTED),
    note: `Printed: the first ${MOST_PRINTED} of ${formatCount(rows.length)} rows.`,
  };
}

/** Rows come and go while a run is live: the active one is found by its key, first at its old position. */
function useActiveIndex<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  key: string | undefined,
): number {
  const last = useRef(-1);
  if (key === undefined) return -1;
  const there = rows[last.current];
  if (there === undefined || keyOf(there) !== key) last.current = rows.findIndex((row) => keyOf(row) === key);
  return last.current;
}

function moveSideways(key: string, { column, count }: CellMoves): number | undefined {
  if (key === 'ArrowLeft') return Math.max(0, column - 1);
  return key === 'ArrowRight' ? Math.min(count - 1, column + 1) : undefined;
}

/** Below the bars at the top of the window, and above its end. */
function showRow(body: HTMLElement, index: number, rowHeight: number): void {
  const top = body.getBoundingClientRect().top + index * rowHeight;
  const bars = parseFloat(getComputedStyle(body).scrollMarginTop);
  if (top < bars) scrollBy(0, top - bars);
  else if (top + rowHeight > innerHeight) scrollBy(0, top + rowHeight - innerHeight + 8);
}

function hasFocusElsewhere(): boolean {
  const focused = document.activeElement;
  return focused !== null && focused !== document.body && focused.tagName !== 'H1';
}

/** Links and buttons of a row keep their own behaviour, and selecting text is not a click. */
function isPlainClick(event: TargetedMouseEvent<HTMLElement>): boolean {
  const isOnControl =
    event.target instanceof Element && event.target.closest('a, button, input, label') !== null;
  return !isOnControl && (getSelection()?.isCollapsed ?? true);
}
