import type { ComponentChildren } from 'preact';
import { FoundSnippet } from '../find/found-snippet.tsx';
import { RowLabel } from '../labels/row-label.tsx';
import { Icon } from '../parts/icon.tsx';
import { KnownCost } from '../parts/known-cost.tsx';
import { VerdictBar } from '../parts/verdict-bar.tsx';
import { VerdictCounts } from '../parts/verdict-counts.tsx';
import { VerdictMark } from '../parts/verdict-mark.tsx';
import type { Columns } from '../table/column.ts';
import { formatDuration, formatScore, plural } from '../text/format.ts';
import { previewText } from '../text/markdown/preview-text.ts';
import { Text } from '../text/text.tsx';
import { isGroup, type ListRow } from './group-rows.ts';
import { RepeatMarks } from './repeat-marks.tsx';
import { SORT_KEYS, type Order, type SortKey } from './sort.ts';
import { lacksCost, type TestRow } from './test-row.ts';

interface ColumnOptions {
  /** A column that says the same in every row says nothing. */
  readonly tests: readonly TestRow[];
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
  readonly linkOf: (row: TestRow) => string;
}

/** The columns of the list of tests; most of them sort it. */
export function testColumns({ tests, order, onOrder, linkOf }: ColumnOptions): Columns<ListRow> {
  const title = (name: string, sort: SortKey): ComponentChildren => (
    <SortButton name={name} sort={sort} order={order} onOrder={onOrder} />
  );
  const has = (test: (row: TestRow) => boolean): boolean => tests.some(test);
  const columns: Columns<TestRow> = [
    {
      name: 'test',
      title: title('Test', 'name'),
      width: 'minmax(13rem, 2fr)',
      phone: { order: 0 },
      cell: (row) => <TestName row={row} link={linkOf(row)} hasFile={order.group !== 'file'} />,
    },
    {
      name: 'problem',
      title: title('Problem or answer', 'problems'),
      width: 'minmax(10rem, 3fr)',
      phone: { order: 2, isWide: true },
      cell: (row) => <Problem row={row} />,
    },
    has(({ target }) => target !== tests[0]?.target) && {
      name: 'agent',
      title: 'Agent',
      width: 'minmax(4rem, 9rem)',
      phone: { order: 3, isWide: true },
      cell: ({ target }) => <Text value={target} />,
    },
    has(({ attempts }) => attempts.length > 1) && {
      name: 'repeats',
      title: 'Repeats',
      width: '6.5rem',
      from: 850,
      cell: ({ attempts }) => attempts.length > 1 && <RepeatMarks attempts={attempts} />,
    },
    has(({ score }) => score !== undefined) && {
      name: 'score',
      title: title('Score', 'score'),
      width: '3.25rem',
      isNumber: true,
      cell: ({ score }) => formatScore(score),
    },
    has(({ costUsd }) => costUsd !== undefined) && {
      name: 'cost',
      title: title('Cost', 'cost'),
      width: '4.5rem',
      isNumber: true,
      from: 1000,
      cell: (row) => <KnownCost usd={row.costUsd} lacks={lacksCost(row)} />,
    },
    {
      name: 'time',
      title: title('Duration', 'time'),
      width: '4.75rem',
      isNumber: true,
      phone: { order: 1 },
      cell: ({ durationMs }) => formatDuration(durationMs),
    },
  ];
  // Headings of groups have no cells.
  return columns as Columns<ListRow>;
}

function SortButton({
  name,
  sort,
  order,
  onOrder,
}: { readonly name: string; readonly sort: SortKey } & Pick<ColumnOptions, 'order' | 'onOrder'>) {
  const isCurrent = order.key === sort;
  return (
    <button
      type="button"
      class="bare sort"
      aria-pressed={isCurrent}
      title={`Sort: ${SORT_KEYS[sort]}`}
      onClick={() => onOrder({ ...order, key: sort, isReversed: isCurrent && !order.isReversed })}
    >
      {name}
      {isCurrent && (order.isReversed ? ' ↑' : ' ↓')}
    </button>
  );
}

/** The heading of a group; undefined for a test. */
export function groupSpan(row: ListRow): ComponentChildren | undefined {
  if (!isGroup(row)) return undefined;
  return (
    <>
      <span class={`fold ${row.isOpen ? 'is-open' : ''}`}>
        <Icon name="chevron" label={row.isOpen ? 'Open' : 'Closed'} />
      </span>
      {row.kind === 'reason' ? (
        <span class="dim">and {plural(row.count, 'more test')}, for the same reason</span>
      ) : (
        <>
          <span class="group-file">
            <Text value={row.file} />
          </span>
          <VerdictBar counts={row.counts} />
          <VerdictCounts counts={row.counts} />
        </>
      )}
    </>
  );
}

function TestName({
  row,
  link,
  hasFile,
}: {
  readonly row: TestRow;
  readonly link: string;
  readonly hasFile: boolean;
}) {
  const { test, description, verdict, isFlaky, file } = row;
  return (
    <>
      <VerdictMark outcome={verdict} />
      {isFlaky && <VerdictMark outcome="flaky" />}
      <RowLabel row={row} />
      <a class="name" href={link} tabIndex={-1}>
        <Text value={test} />
      </a>
      {description !== undefined && (
        <span class="dim description">
          <Text value={description} />
        </span>
      )}
      {hasFile && (
        <span class="dim file">
          <Text value={file} />
        </span>
      )}
    </>
  );
}

function Problem({ row }: { readonly row: TestRow }) {
  const { problem, attempts } = row;
  return (
    <FoundSnippet row={row}>
      {problem === undefined ? (
        <span class="answer">
          <Text value={previewText(attempts[0]?.answer ?? '').replaceAll('\n', ' ')} />
        </span>
      ) : (
        <Text value={problem.slice(0, 300)} />
      )}
    </FoundSnippet>
  );
}
