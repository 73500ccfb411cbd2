import { useMemo, useState } from 'preact/hooks';
import { Grid } from '../grid/grid.tsx';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { PageFrame } from '../parts/page-frame.tsx';
import { Empty, Loading, Trouble } from '../parts/trouble.tsx';
import { go, linkTo, replaceRoute, type Query } from '../route/route.ts';
import { filterQuery, filterTests, isFiltered, readFilter, type Filter } from '../run/filter.ts';
import { groupByFile, isGroup, type ListRow } from '../run/group-by-file.ts';
import { LivePanel } from '../run/live-panel.tsx';
import { RunHead } from '../run/run-head.tsx';
import type { RunResults } from '../run/run-results.ts';
import { printedTests } from '../run/printed-tests.ts';
import { runName } from '../run/run-name.ts';
import { orderQuery, readOrder, sortTests, type Order } from '../run/sort.ts';
import { testColumns } from '../run/test-columns.tsx';
import { TestCells } from '../run/test-cells.tsx';
import { TestToolbar } from '../run/test-toolbar.tsx';
import { attemptToOpen } from '../run/test-row.ts';
import { useRunResults } from '../run/use-run-results.ts';
import { useSource } from '../source/source-context.ts';
import { TargetGrid } from '../targets/target-grid.tsx';
import { useGrid } from '../targets/use-grid.ts';
import { readView, viewQuery, ViewSwitch, type GridView } from '../targets/view-switch.tsx';
import { formatTime } from '../text/format.ts';
import { Text } from '../text/text.tsx';

/** One run: its results and its tests. */
export function RunPage({ runId, query }: { readonly runId: string; readonly query: URLSearchParams }) {
  const source = useSource();
  const results = useRunResults(runId);
  const { detail, error } = results;
  const crumbs = source.holds === 'all runs' ? [{ name: 'Runs', link: '#/' }] : [];
  useShortcuts([{ keys: 'Escape', does: 'Back', run: () => crumbs.length > 0 && go('#/') }]);
  if (detail === undefined) {
    return (
      <PageFrame title="Run" heading="Run" crumbs={crumbs}>
        {error === undefined ? <Loading /> : <Trouble error={error} />}
      </PageFrame>
    );
  }
  return (
    <PageFrame
      key="ready"
      title={`${runName(detail.run)} ${formatTime(detail.run.started_at)}`}
      heading={<Text value={runName(detail.run)} />}
      crumbs={crumbs}
    >
      <RunHead detail={detail} />
      {detail.run.state === 'running' && <LivePanel detail={detail} />}
      {detail.cut !== undefined && (
        <p class="hint">
          <Text value={detail.cut} />
        </p>
      )}
      {error !== undefined && <Trouble error={error} />}
      <TestList results={results} query={query} />
    </PageFrame>
  );
}

function TestList({ results, query }: { readonly results: RunResults; readonly query: URLSearchParams }) {
  const { runId, tests, detail, isComplete } = results;
  const filter = useMemo(() => readFilter(query), [query]);
  const order = useMemo(() => readOrder(query), [query]);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const shown = useMemo(() => sortTests(filterTests(tests, filter), order), [tests, filter, order]);
  const rows = useMemo<readonly ListRow[]>(
    () => (order.isGrouped ? groupByFile(shown, { order, closed }) : shown),
    [shown, order, closed],
  );
  const view = readView(query);
  const grid = useGrid(tests, shown, {
    named: detail?.run.targets ?? NO_TARGETS,
    onlyDiffering: view.onlyDiffering,
  });
  const isGrid = grid.isPossible && view.isGrid;
  const change = (next: Partial<Shown>): void =>
    replaceRoute(linkTo(['runs', runId], shownQuery({ filter, order, view, ...next })));
  const count = isGrid ? grid.rows.length : rows.length;
  const open = (row: ListRow): void => {
    if (isGroup(row)) setClosed((old) => toggled(old, row.file));
    else go(linkTo(['runs', runId, 'results', attemptToOpen(row.attempts).index], query));
  };
  return (
    <>
      <TestToolbar
        tests={tests}
        shownCount={shown.length}
        filter={filter}
        order={order}
        onFilter={(next) => change({ filter: next })}
        onOrder={(next) => change({ order: next })}
      >
        {grid.isPossible && (
          <ViewSwitch view={view} differing={grid.differing} onView={(next) => change({ view: next })} />
        )}
      </TestToolbar>
      {count === 0 && isComplete && (
        <NothingShown
          isFiltered={isFiltered(filter) || (isGrid && view.onlyDiffering)}
          onClear={() => change({ filter: NO_FILTER, view: { ...view, onlyDiffering: false } })}
        />
      )}
      {count === 0 && !isComplete && results.error === undefined && <Loading />}
      {isGrid && grid.rows.length > 0 && (
        <TargetGrid
          rows={grid.rows}
          targets={grid.targets}
          totals={detail?.run.by_target ?? []}
          linkOf={({ file, test }, base) =>
            linkTo(['runs', runId, 'tests', file, test], { ...Object.fromEntries(query), base })
          }
        />
      )}
      {!isGrid && rows.length > 0 && (
        <Grid
          label="Tests"
          name="tests"
          columns={testColumns(order, (next) => change({ order: next }))}
          rows={rows}
          keyOf={({ key }) => key}
          rowClass={(row) => (isGroup(row) ? 'group' : order.isGrouped ? 'grouped' : '')}
          onOpen={open}
          printed={() => printedTests(rows, shown)}
          cells={(row) => <TestCells row={row} runId={runId} query={query} isGrouped={order.isGrouped} />}
        />
      )}
    </>
  );
}

/** What the link of the page contains. */
interface Shown {
  readonly filter: Filter;
  readonly order: Order;
  readonly view: GridView;
}

function shownQuery({ filter, order, view }: Shown): Query {
  return { ...filterQuery(filter), ...orderQuery(order), ...viewQuery(view) };
}

const NO_TARGETS: readonly string[] = [];

function toggled(set: ReadonlySet<string>, item: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(item)) next.add(item);
  return next;
}

const NO_FILTER: Filter = { outcomes: [], text: '', tag: '', file: '', agent: '' };

function NothingShown({
  isFiltered: hasFilter,
  onClear,
}: {
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}) {
  return hasFilter ? (
    <Empty title="No test matches.">
      <button type="button" onClick={onClear}>
        Show all tests
      </button>
    </Empty>
  ) : (
    <Empty title="This run has no results." />
  );
}
