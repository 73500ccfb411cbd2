import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { Grid } from '../table/grid.tsx';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { PageFrame } from '../parts/page-frame.tsx';
import { Empty, Loading, LoadNotice, Trouble } from '../parts/trouble.tsx';
import { go, linkTo, replaceRoute, type Query } from '../route/route.ts';
import { FoundContext, foundAttempt } from '../find/found-snippet.tsx';
import { highlightsOf } from '../find/highlights-of.ts';
import { wordsOf } from '../find/match-query.ts';
import { RunCharts } from '../find/run-charts.tsx';
import { SnippetLoader } from '../find/snippet-loader.ts';
import { useFoundTests } from '../find/use-found-tests.ts';
import { filterQuery, isFiltered, NO_FILTER, readFilter, type Filter } from '../run/filter.ts';
import { BlindRun } from '../labels/blind-run.tsx';
import { LabelStart } from '../labels/label-start.tsx';
import { attemptCount, isBlind, nextUnlabelled, setBlind } from '../labels/labelling.ts';
import { LabelContext } from '../labels/row-label.tsx';
import { useLabels } from '../labels/use-labels.ts';
import { groupRows, isGroup, type ListRow } from '../run/group-rows.ts';
import { runReasons } from '../run/run-reasons.ts';
import { LivePanel } from '../run/live-panel.tsx';
import { RunHead } from '../run/run-head.tsx';
import { isJsonObject } from '../../src/base/model/json.ts';
import type { RunDetail } from '../source/source.ts';
import type { RunResults } from '../run/run-results.ts';
import { printedTests } from '../run/printed-tests.ts';
import { runName } from '../run/run-name.ts';
import { orderQuery, readOrder, sortTests, type Order } from '../run/sort.ts';
import { groupSpan, testColumns } from '../run/test-columns.tsx';
import { TestToolbar } from '../run/test-toolbar.tsx';
import { attemptToOpen, estimateOf, isBad, type TestRow } from '../run/test-row.ts';
import { useRunResults } from '../run/use-run-results.ts';
import { useSource } from '../source/source-context.ts';
import { TargetComparison } from '../targets/target-comparison.tsx';
import { TargetGrid } from '../targets/target-grid.tsx';
import { useGrid } from '../targets/use-grid.ts';
import { readView, viewQuery, ViewSwitch, type GridView } from '../targets/view-switch.tsx';
import { formatTime, plural } from '../text/format.ts';
import { HighlightContext } from '../text/highlight.ts';
import { Text } from '../text/text.tsx';

/** One run: its results and its tests. */
export function RunPage({ runId, query }: { readonly runId: string; readonly query: URLSearchParams }) {
  const source = useSource();
  const results = useRunResults(runId);
  const { detail, error, tests } = results;
  const book = useLabels(runId);
  const [isHidden, setHidden] = useState(isBlind());
  useShortcuts([{ keys: 'Escape', does: 'Back', run: () => source.holds === 'all runs' && go('#/') }]);
  if (detail === undefined) {
    return (
      <PageFrame title="Run" heading="Run" crumbs={[]}>
        <LoadNotice isLoading error={error} />
      </PageFrame>
    );
  }
  if (isHidden && book.canWrite) {
    const next = nextUnlabelled(tests, { book, isBlind: true });
    return (
      <PageFrame key="blind" title="Run" heading={<Text value={runName(detail.run)} />} crumbs={[]}>
        <BlindRun
          done={book.byIndex.size}
          total={attemptCount(tests)}
          onNext={next === undefined ? undefined : () => go(linkTo(['runs', runId, 'results', next], query))}
          onShow={() => {
            setBlind(false);
            setHidden(false);
          }}
        />
      </PageFrame>
    );
  }
  return (
    <PageFrame
      key="ready"
      title={`${runName(detail.run)} ${formatTime(detail.run.started_at)}`}
      heading={<Text value={runName(detail.run)} />}
      crumbs={[]}
    >
      <TestList
        results={results}
        query={query}
        notes={
          <>
            {detail.run.state === 'running' && <LivePanel detail={detail} />}
            {detail.cut !== undefined && (
              <p class="hint">
                <Text value={detail.cut} />
              </p>
            )}
            {book.unreadable > 0 && (
              <p class="hint">{plural(book.unreadable, 'line')} of labels.jsonl could not be read.</p>
            )}
            {error !== undefined && <Trouble error={error} />}
          </>
        }
        onBlind={() => {
          setBlind(true);
          setHidden(true);
        }}
      />
    </PageFrame>
  );
}

function TestList({
  results,
  query,
  notes,
  onBlind,
}: {
  readonly results: RunResults;
  readonly query: URLSearchParams;
  /** What stands between the summary and the list. */
  readonly notes: ComponentChildren;
  readonly onBlind: () => void;
}) {
  const { runId, tests, detail, isComplete } = results;
  const source = useSource();
  const last = useRef(NO_FILTER);
  // A text that is being typed may not be a query yet; a link with a mistake shows everything.
  const isTyped = last.current.text === (query.get('q') ?? '');
  const filter = useMemo(
    () => (last.current = readFilter(query, isTyped ? last.current : NO_FILTER)),
    [query],
  );
  const book = useLabels(runId);
  const found = useFoundTests(results, filter, book.latest);
  const words = useMemo(() => wordsOf(filter.query), [filter.query]);
  const inList = useMemo(
    () =>
      found.found === undefined || words.length === 0
        ? undefined
        : { found: found.found, loader: new SnippetLoader(source, runId, words) },
    [source, runId, words, found.found],
  );
  const order = useMemo(() => readOrder(query), [query]);
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const shown = useMemo(() => sortTests(found.tests, order), [found.tests, order]);
  const rows = useMemo(() => groupRows(shown, order, changed), [shown, order, changed]);
  const reasons = useMemo(() => runReasons(tests), [tests]);
  const failures = useMemo(() => estimateOf(tests.filter(isBad)), [tests]);
  const view = readView(query);
  const grid = useGrid(tests, shown, {
    named: detail?.run.targets ?? NO_TARGETS,
    query: filter.query,
    onlyDiffering: view.onlyDiffering,
  });
  const isGrid = grid.isPossible && view.isGrid;
  const change = (next: Partial<Shown>): void => {
    if (next.filter !== undefined) last.current = next.filter;
    replaceRoute(linkTo(['runs', runId], shownQuery({ filter, order, view, ...next })));
  };
  const count = isGrid ? grid.rows.length : rows.length;
  const labelNext = (): void => {
    const next = nextUnlabelled(shown, { book, isBlind: false });
    if (next !== undefined) go(linkTo(['runs', runId, 'results', next], query));
  };
  useShortcuts(book.canWrite ? [{ keys: 'l', does: 'Next without a label', run: labelNext }] : []);
  const linkOf = ({ attempts }: TestRow, index = attemptToOpen(attempts).index): string =>
    linkTo(['runs', runId, 'results', index], query);
  const open = (row: ListRow): void => {
    if (isGroup(row)) setChanged((old) => toggled(old, row.key));
    else {
      const index = inList === undefined ? undefined : foundAttempt(row, inList.found);
      go(linkOf(row, index));
    }
  };
  return (
    <>
      {detail !== undefined && (
        <RunHead
          detail={detail}
          reasons={reasons}
          failures={failures}
          charts={
            <RunCharts
              tests={tests}
              shown={found.tests}
              filter={filter}
              onFilter={(next) => change({ filter: next })}
            />
          }
        >
          {book.canWrite && (
            <LabelStart
              done={book.byIndex.size}
              total={attemptCount(tests)}
              onNext={labelNext}
              onBlind={onBlind}
            />
          )}
        </RunHead>
      )}
      {notes}
      <TestToolbar
        tests={tests}
        shown={found}
        isComplete={isComplete}
        filter={filter}
        order={order}
        hasGroups={!isGrid}
        onFilter={(next) => change({ filter: next })}
        onOrder={(next) => change({ order: next })}
      >
        {grid.isPossible && (
          <ViewSwitch view={view} differing={grid.differing} onView={(next) => change({ view: next })} />
        )}
      </TestToolbar>
      {count === 0 && isComplete && !found.isSearching && (
        <NothingShown
          isFiltered={isFiltered(filter) || (isGrid && view.onlyDiffering)}
          onClear={() => change({ filter: NO_FILTER, view: { ...view, onlyDiffering: false } })}
        />
      )}
      {count === 0 && !isComplete && results.error === undefined && <Loading />}
      {count > 0 && (
        <HighlightContext.Provider value={highlightsOf(words)}>
          <FoundContext.Provider value={inList}>
            <LabelContext.Provider value={book.latest}>
              {isGrid ? (
                <TargetGrid
                  rows={grid.rows}
                  targets={grid.targets}
                  totals={detail?.run.by_target ?? []}
                  linkOf={({ file, test }, base) =>
                    linkTo(['runs', runId, 'tests', file, test], { ...Object.fromEntries(query), base })
                  }
                />
              ) : (
                <Grid
                  label="Tests"
                  name="tests"
                  columns={testColumns({
                    tests,
                    order,
                    onOrder: (next) => change({ order: next }),
                    linkOf,
                  })}
                  rows={rows}
                  keyOf={({ key }) => key}
                  rowHeight={{ usual: 36, phone: (detail?.run.targets.length ?? 1) > 1 ? 92 : 72 }}
                  span={groupSpan}
                  rowClass={(row) => (isGroup(row) ? `is-${row.kind}` : '')}
                  onOpen={open}
                  printed={() => printedTests(rows, shown)}
                />
              )}
            </LabelContext.Provider>
          </FoundContext.Provider>
        </HighlightContext.Provider>
      )}
      {detail !== undefined && isComplete && detail.run.by_target.length > 1 && (
        <TargetComparison
          runId={runId}
          targets={detail.run.by_target}
          again={detail.can_run === true ? namedTargets(detail.description) : undefined}
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

function namedTargets(description: RunDetail['description']): readonly string[] {
  const targets = description?.['targets'];
  return Array.isArray(targets) ? targets.map((one) => (isJsonObject(one) ? String(one['name']) : '')) : [];
}
