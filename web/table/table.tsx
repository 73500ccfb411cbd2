import { presentColumns, type Columns, type RowPosition, type SpanOf } from './column.ts';
import './table.css';

const POSITION: RowPosition = { isActive: false, cellId: (column) => `printed-${column}` };

/** A short table, and every table on paper. */
export function Table<Row>({
  label,
  columns,
  rows,
  keyOf,
  span,
  rowClass,
}: {
  readonly label: string;
  readonly columns: Columns<Row>;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, index: number) => string | number;
  readonly span?: SpanOf<Row> | undefined;
  readonly rowClass?: ((row: Row) => string) | undefined;
}) {
  const shown = presentColumns(columns);
  return (
    <div class="card table-box" tabIndex={0} role="region" aria-label={label}>
      <table class="table">
        <thead>
          <tr>
            {shown.map(({ name, title, isNumber }) => (
              <th key={name} scope="col" class={cellClass(name, isNumber)}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => {
            const group = span?.(row);
            return (
              <tr key={keyOf(row, index)} class={rowClass?.(row)}>
                {group !== undefined ? (
                  <td colSpan={shown.length} class="cell-span">
                    {group}
                  </td>
                ) : (
                  shown.map(({ name, isNumber, cell }, place) =>
                    place === 0 ? (
                      <th key={name} scope="row" class={cellClass(name, isNumber)}>
                        {cell(row, POSITION)}
                      </th>
                    ) : (
                      <td key={name} class={cellClass(name, isNumber)}>
                        {cell(row, POSITION)}
                      </td>
                    ),
                  )
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

export function cellClass(name: string, isNumber = false): string {
  return `cell-${name}${isNumber ? ' is-number' : ''}`;
}
