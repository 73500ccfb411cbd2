import type { TargetedMouseEvent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { TargetRow } from '../../src/base/model/page-data.ts';
import type { Column } from '../table/column.ts';
import { Grid } from '../table/grid.tsx';
import { useWindowWidth } from '../table/use-window-width.ts';
import { go } from '../route/route.ts';
import { Text } from '../text/text.tsx';
import type { GridRow } from './grid-rows.ts';
import { TargetCell } from './target-cell.tsx';
import { TargetHead } from './target-head.tsx';
import './targets.css';

/** Tests by targets: a row for each test, and its answers side by side. */
export function TargetGrid({
  rows,
  targets,
  totals,
  linkOf,
}: {
  readonly rows: readonly GridRow[];
  readonly targets: readonly string[];
  readonly totals: readonly TargetRow[];
  /** The test with all its answers; `target` is the one that was chosen. */
  readonly linkOf: (row: GridRow, target?: string) => string;
}) {
  const [column, setColumn] = useColumn(targets.length);
  useToolbarHeight();
  useEffect(() => {
    const cell = document.querySelector('.target-cell[aria-selected="true"]');
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [column]);
  const fits = doFit(targets.length, useWindowWidth());
  const columns: readonly Column<GridRow>[] = [
    {
      name: 'test',
      title: 'Test',
      width: 'minmax(11rem, 1fr)',
      phone: { order: 0, isWide: true },
      cell: (row) => (
        <span class="two-lines">
          <a class="name" href={linkOf(row)} tabIndex={-1}>
            <Text value={row.test} />
          </a>
          <span class="dim">
            <Text value={row.first.description ?? row.file} />
          </span>
        </span>
      ),
    },
    ...targets.map((target, index): Column<GridRow> => {
      const isMissing = (row: GridRow): boolean => row.cells[index] === undefined;
      return {
        name: `target-${index}`,
        title: <TargetHead target={target} totals={totals.find((one) => one.target === target)} />,
        width: fits ? 'minmax(8.5rem, 1.5fr)' : 'minmax(12rem, 1.5fr)',
        phone: { order: index + 1, isWide: true },
        cell: ({ cells }) => <TargetCell row={cells[index]} target={target} />,
        attributes: (row, { isActive, cellId }) => ({
          id: cellId(index),
          class: `cell target-cell ${isMissing(row) ? 'is-missing' : `is-${row.cells[index]!.verdict}`} is-wide`,
          'aria-selected': isActive && index === column,
          onMouseDown: () => setColumn(index),
          onClick: (event: TargetedMouseEvent<HTMLDivElement>) => {
            if (isSelectingText()) return;
            event.stopPropagation();
            go(linkOf(row, target));
          },
        }),
      };
    }),
  ];
  return (
    <div class={fits ? '' : 'targets-scroll'}>
      <Grid
        label="Tests by target"
        name="targets"
        columns={columns}
        rows={rows}
        keyOf={({ key }) => key}
        rowHeight={{ usual: 96, phone: 44 + 88 * targets.length }}
        moving={{ column, count: targets.length, onMove: setColumn }}
        onOpen={(row) => go(linkOf(row, targets[column]))}
      />
    </div>
  );
}

/** More targets than fit scroll sideways, beside the names of the tests. */
function doFit(count: number, width: number): boolean {
  return count <= (width > 1000 ? 6 : 4);
}

/** Coming back from a test, people are in the column that they left. */
let leftColumn = 0;

function useColumn(count: number): readonly [number, (column: number) => void] {
  const [column, setColumn] = useState(leftColumn);
  const move = (next: number): void => {
    leftColumn = next;
    setColumn(next);
  };
  return [Math.min(column, count - 1), move];
}

function isSelectingText(): boolean {
  return getSelection()?.isCollapsed === false;
}

/** The names of the targets stay visible below the toolbar, which has as many lines as it needs. */
function useToolbarHeight(): void {
  useEffect(() => {
    const toolbar = document.querySelector('.toolbar');
    if (toolbar === null) return undefined;
    const observer = new ResizeObserver(() =>
      document.documentElement.style.setProperty('--toolbar', `${toolbar.getBoundingClientRect().height}px`),
    );
    observer.observe(toolbar);
    return () => observer.disconnect();
  }, []);
}
