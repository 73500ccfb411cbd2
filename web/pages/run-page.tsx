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
  const { runId, tests, isComplete } = results;
  const filter = useMemo(() => readFilter(query), [query]);
  const order = useMemo(() => readOrder(query), [query]);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const shown = useMemo(() => sortTests(filterTests(tests, filter), order), [tests, filter, order]);
  const rows = useMemo<readonly ListRow[]>(
    () => (order.isGrouped ? groupByFile(shown, { order, closed }) : shown),
    [shown, order, closed],
  );
  const change = (next: { readonly filter?: Filter; readonly order?: Order }): void =>
    replaceRoute(linkTo(['runs', runId], listQuery(next.filter ?? filter, next.order ?? order)));
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
      />
      {rows.length === 0 && isComplete && (
        <NothingShown isFiltered={isFiltered(filter)} onClear={() => change({ filter: NO_FILTER })} />
      )}
      {rows.length === 0 && !isComplete && results.error === undefined && <Loading />}
      {rows.length > 0 && (
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

function listQuery(filter: Filter, order: Order): Query {
  return { ...filterQuery(filter), ...orderQuery(order) };
}

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
