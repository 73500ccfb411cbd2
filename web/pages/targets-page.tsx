import { useMemo } from 'preact/hooks';
import { highlightsOf } from '../find/highlights-of.ts';
import { wordsOf } from '../find/match-query.ts';
import { useFoundTests } from '../find/use-found-tests.ts';
import { Headline } from '../headline/headline.tsx';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { useLabels } from '../labels/use-labels.ts';
import { Choice } from '../parts/choice.tsx';
import { Neighbours } from '../parts/neighbours.tsx';
import { PageFrame } from '../parts/page-frame.tsx';
import { Empty, Loading, LoadNotice } from '../parts/trouble.tsx';
import { go, linkTo, replaceRoute } from '../route/route.ts';
import { readFilter } from '../run/filter.ts';
import { runName } from '../run/run-name.ts';
import { readOrder, sortTests } from '../run/sort.ts';
import { attemptToOpen } from '../run/test-row.ts';
import { useRunResults } from '../run/use-run-results.ts';
import { useSource } from '../source/source-context.ts';
import type { Source } from '../source/source.ts';
import { useLoaded } from '../source/use-loaded.ts';
import { gridKey } from '../../src/runs/fold/target-grid.ts';
import type { GridRow } from '../targets/grid-rows.ts';
import { SideBySide, type TargetSide } from '../targets/side-by-side.tsx';
import { targetsHeadline } from '../targets/targets-headline.ts';
import { useGrid } from '../targets/use-grid.ts';
import { readView } from '../targets/view-switch.tsx';
import { HighlightContext } from '../text/highlight.ts';
import { Text } from '../text/text.tsx';

/** One test of a run with the answers of all its targets, side by side. */
export function TargetsPage({
  runId,
  file,
  test,
  query,
}: {
  readonly runId: string;
  readonly file: string;
  readonly test: string;
  readonly query: URLSearchParams;
}) {
  const source = useSource();
  const results = useRunResults(runId);
  const { tests, detail, isComplete, error } = results;
  const filter = useMemo(() => readFilter(query), [query]);
  const found = useFoundTests(results, filter, useLabels(runId).latest);
  const shown = useMemo(() => sortTests(found.tests, readOrder(query)), [found.tests, query]);
  const words = useMemo(() => wordsOf(filter.query), [filter.query]);
  const { onlyDiffering } = readView(query);
  const { targets, byTest, rows } = useGrid(tests, shown, {
    named: detail?.run.targets ?? NONE,
    query: filter.query,
    onlyDiffering,
  });
  const row = byTest.get(gridKey({ file, test }));
  const { repeats, repeat } = repeatsOf(row, query.get('repeat') ?? '');
  const base = query.get('base') ?? targets[0] ?? '';
  const rest = without(query, ['base', 'repeat']);
  // The same repeat of every target.
  const sidesWanted = targets.map((target, column): WantedSide => {
    const attempts = row?.cells[column]?.attempts;
    const index = attempts?.find((one) => String(one.repeat) === repeat)?.index;
    const link = index === undefined ? undefined : linkTo(['runs', runId, 'results', index], rest);
    return { target, index, link, attempts };
  });
  const loaded = useLoaded(
    (signal) => loadSides(source, sidesWanted, { runId, signal }),
    [source, runId, ...sidesWanted.map(({ index }) => index)],
  );
  const back = linkTo(['runs', runId], rest);
  const linkOf = (
    other: { readonly file: string; readonly test: string },
    more: Record<string, string> = {},
  ): string =>
    linkTo(['runs', runId, 'tests', other.file, other.test], { ...Object.fromEntries(query), ...more });
  const place = rows.findIndex(({ key }) => key === row?.key);
  const step = (by: number): void => {
    const next = place === -1 ? undefined : rows[place + by];
    if (next !== undefined) go(linkOf(next, { repeat: '' }));
  };
  const show = (more: Record<string, string>): void => replaceRoute(linkOf({ file, test }, more));
  const turn = (list: readonly string[], now: string, by: number): string =>
    list[(list.indexOf(now) + by + list.length) % list.length] ?? now;
  useShortcuts([
    { keys: 'Escape', does: 'Back to the grid', run: () => go(back) },
    { keys: 'j', does: 'Next test', run: () => step(1) },
    { keys: 'k', does: 'Previous test', run: () => step(-1) },
    { keys: 'b', does: 'Compare with the next target', run: () => show({ base: turn(targets, base, 1) }) },
    { keys: ']', does: 'Next repeat', run: () => show({ repeat: turn(repeats, repeat, 1) }) },
    { keys: '[', does: 'Previous repeat', run: () => show({ repeat: turn(repeats, repeat, -1) }) },
  ]);
  const crumbs = [{ name: detail === undefined ? 'Run' : <Text value={runName(detail.run)} />, link: back }];
  const headline = row === undefined ? undefined : targetsHeadline(row.cells.flatMap((cell) => cell ?? []));
  return (
    <PageFrame
      title={test}
      heading={<Text value={test} />}
      crumbs={crumbs}
      aside={place >= 0 && <Neighbours place={place} count={rows.length} onStep={step} />}
    >
      <LoadNotice isLoading={row === undefined && !isComplete} error={error} />
      {row === undefined && error === undefined && isComplete && (
        <Empty title="This run does not contain the test." />
      )}
      {row !== undefined && headline !== undefined && (
        <>
          <Headline outcome={headline.outcome} sentence={headline.sentence}>
            {row.first.description !== undefined && (
              <p class="dim">
                <Text value={row.first.description} />
              </p>
            )}
          </Headline>
          <div class="line toolbar side-toolbar">
            <Choice
              label="Compare with"
              prefix="Differences from "
              value={base}
              options={targets}
              onChange={(next) => show({ base: next })}
            />
            <Choice
              label="Repeat"
              prefix="Repeat "
              value={repeat}
              options={repeats}
              onChange={(next) => show({ repeat: next })}
            />
          </div>
          <HighlightContext.Provider value={highlightsOf(words)}>
            {loaded.value !== undefined ? <SideBySide sides={loaded.value} reference={base} /> : <Loading />}
          </HighlightContext.Provider>
        </>
      )}
    </PageFrame>
  );
}

const NONE: readonly string[] = [];

interface WantedSide extends Pick<TargetSide, 'target' | 'link' | 'attempts'> {
  readonly index?: number | undefined;
}

/** A report may have left out some of them: the others are shown. */
function loadSides(
  source: Source,
  sides: readonly WantedSide[],
  { runId, signal }: { readonly runId: string; readonly signal: AbortSignal },
): Promise<readonly TargetSide[]> {
  return Promise.all(
    sides.map(async ({ index, ...side }): Promise<TargetSide> => {
      if (index === undefined) return side;
      try {
        return { ...side, record: (await source.result(runId, index, signal)).record };
      } catch (error) {
        return { ...side, missing: error instanceof Error ? error.message : String(error) };
      }
    }),
  );
}

/** At first the repeat that a list would open: one that failed somewhere. */
function repeatsOf(
  row: GridRow | undefined,
  wanted: string,
): { readonly repeats: readonly string[]; readonly repeat: string } {
  const attempts = (row?.cells ?? []).flatMap((cell) => cell?.attempts ?? []);
  if (attempts.length === 0) return { repeats: [], repeat: '' };
  const repeats = [...new Set(attempts.map(({ repeat }) => repeat))].toSorted((a, b) => a - b).map(String);
  return {
    repeats,
    repeat: repeats.includes(wanted) ? wanted : String(attemptToOpen(attempts).repeat),
  };
}

function without(query: URLSearchParams, names: readonly string[]): URLSearchParams {
  const rest = new URLSearchParams(query);
  for (const name of names) rest.delete(name);
  return rest;
}
