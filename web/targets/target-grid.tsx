import type { TargetedMouseEvent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { TargetRow } from '../../src/model/page-data.ts';
import { Grid, type Column, type RowPosition } from '../grid/grid.tsx';
import { Cell } from '../grid/cell.tsx';
import { go } from '../route/route.ts';
import { Text } from '../text/text.tsx';
import type { GridRow } from './grid-rows.ts';
import { TargetCell } from './target-cell.tsx';
import { TargetHead } from './target-head.tsx';

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
  const columns: readonly Column[] = [
    { name: 'test', title: 'Test' },
    ...targets.map((target, index) => ({
      name: `target-${index}`,
      title: <TargetHead target={target} totals={totals.find((one) => one.target === target)} />,
    })),
  ];
  return (
    <Grid
      label="Tests by target"
      name="targets"
      columns={columns}
      rows={rows}
      keyOf={({ key }) => key}
      style={{ '--targets': String(targets.length) }}
      moving={{ column, count: targets.length, onMove: setColumn }}
      onOpen={(row) => go(linkOf(row, targets[column]))}
      cells={(row, position) => (
        <GridCells
          row={row}
          targets={targets}
          position={position}
          column={column}
          onColumn={setColumn}
          linkOf={linkOf}
        />
      )}
    />
  );
}

function GridCells({
  row,
  targets,
  position: { isActive, cellId },
  column,
  onColumn,
  linkOf,
}: {
  readonly row: GridRow;
  readonly targets: readonly string[];
  readonly position: RowPosition;
  readonly column: number;
  readonly onColumn: (column: number) => void;
  readonly linkOf: (row: GridRow, target?: string) => string;
}) {
  return (
    <>
      <Cell name="test">
        <span class="two-lines">
          <a class="name" href={linkOf(row)} tabIndex={-1}>
            <Text value={row.test} />
          </a>
          {row.first.description !== undefined && (
            <span class="dim description">
              <Text value={row.first.description} />
            </span>
          )}
          <span class="dim file">
            <Text value={row.file} />
          </span>
        </span>
      </Cell>
      {row.cells.map((cell, index) => (
        <div
          key={targets[index]}
          id={cellId(index)}
          role="gridcell"
          aria-selected={isActive && index === column}
          class={`cell target-cell ${cell === undefined ? 'is-missing' : `is-${cell.verdict}`}`}
          onMouseDown={() => onColumn(index)}
          onClick={(event: TargetedMouseEvent<HTMLDivElement>) => {
            if (!isSelectingText()) {
              event.stopPropagation();
              go(linkOf(row, targets[index]));
            }
          }}
        >
          <TargetCell row={cell} target={targets[index]!} />
        </div>
      ))}
    </>
  );
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
