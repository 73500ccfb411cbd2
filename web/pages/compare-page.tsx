import { useMemo } from 'preact/hooks';
import { CompareStats } from '../compare/compare-stats.tsx';
import { ComparedRuns } from '../compare/compared-runs.tsx';
import { pairColumns } from '../compare/pair-columns.tsx';
import { PAIR_KINDS, withRows, type PairKind, type TestPair } from '../compare/pair-tests.ts';
import { Grid } from '../table/grid.tsx';
import { compareHeadline } from '../headline/compare-headline.ts';
import { Headline } from '../headline/headline.tsx';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { PageFrame } from '../parts/page-frame.tsx';
import { SearchBox } from '../parts/search-box.tsx';
import { Empty, LoadNotice } from '../parts/trouble.tsx';
import { go, linkTo, replaceRoute } from '../route/route.ts';
import { useRunResults } from '../run/use-run-results.ts';
import { useSource } from '../source/source-context.ts';
import { useLoaded } from '../source/use-loaded.ts';
import { formatCount } from '../text/format.ts';

/** Two runs, test by test. */
export function ComparePage({
  before: beforeId,
  after: afterId,
  query,
}: {
  readonly before: string;
  readonly after: string;
  readonly query: URLSearchParams;
}) {
  const source = useSource();
  const before = useRunResults(beforeId);
  const after = useRunResults(afterId);
  const compared = useLoaded(
    (signal) => source.compare(beforeId, afterId, signal),
    [source, beforeId, afterId],
  );
  const comparison = compared.value;
  const isComplete = before.isComplete && after.isComplete && comparison !== undefined;
  const pairs = useMemo(
    () => (isComplete ? withRows(comparison.test_pairs, before.tests, after.tests) : []),
    [before.tests, after.tests, comparison, isComplete],
  );
  useShortcuts([
    { keys: 'Escape', does: 'Back to the runs', run: () => go('#/') },
    {
      keys: 'w',
      does: 'Swap before and after',
      run: () => go(linkTo(['compare', afterId, beforeId], query)),
    },
  ]);
  const error = before.error ?? after.error ?? compared.error;
  return (
    <PageFrame
      title="Comparison"
      heading="Comparison"
      crumbs={[]}
      aside={
        <button type="button" onClick={() => go(linkTo(['compare', afterId, beforeId], query))}>
          Swap <kbd aria-hidden="true">w</kbd>
        </button>
      }
    >
      {comparison !== undefined && <Headline {...compareHeadline(comparison)} />}
      <ComparedRuns before={before.detail?.run} after={after.detail?.run} />
      <LoadNotice isLoading={!isComplete} error={error} />
      {isComplete && <PairList pairs={pairs} path={['compare', beforeId, afterId]} query={query} />}
      {comparison !== undefined && <CompareStats comparison={comparison} />}
    </PageFrame>
  );
}

function PairList({
  pairs,
  path,
  query,
}: {
  readonly pairs: readonly TestPair[];
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}) {
  const kind = query.get('kind') ?? '';
  const text = query.get('q') ?? '';
  const shown = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/);
    return pairs.filter(
      (pair) =>
        (kind === '' ? pair.kind !== 'same' : pair.kind === kind) &&
        words.every((word) =>
          `${pair.test}\n${pair.file}\n${pair.target}\n${pair.before_target ?? ''}`
            .toLowerCase()
            .includes(word),
        ),
    );
  }, [pairs, kind, text]);
  const linkOf = ({ file, test, target, before_file, before_target }: TestPair): string =>
    linkTo([...path, 'test'], { file, test, target, before_file, before_target });
  const change = (next: { readonly kind?: string; readonly q?: string }): void =>
    replaceRoute(linkTo(path, { kind, q: text, ...next }));
  return (
    <>
      <search class="line toolbar" aria-label="Tests">
        <SearchBox label="Search tests" value={text} onChange={(q) => change({ q })} />
        <KindChips pairs={pairs} kind={kind} onChange={(next) => change({ kind: next })} />
      </search>
      {shown.length === 0 ? (
        <Empty title={kind === '' && text === '' ? 'No test changed.' : 'No test matches.'} />
      ) : (
        <Grid
          label="Tests in both runs"
          name="pairs"
          columns={pairColumns(pairs, linkOf)}
          rowHeight={{ usual: 36, phone: 76 }}
          rows={shown}
          keyOf={({ key }) => key}
          onOpen={(pair) => go(linkOf(pair))}
        />
      )}
    </>
  );
}

function KindChips({
  pairs,
  kind,
  onChange,
}: {
  readonly pairs: readonly TestPair[];
  readonly kind: string;
  readonly onChange: (kind: string) => void;
}) {
  const counts = new Map<PairKind, number>();
  for (const pair of pairs) counts.set(pair.kind, (counts.get(pair.kind) ?? 0) + 1);
  return (
    <div class="chips" role="group" aria-label="Kinds of change">
      {Object.entries(PAIR_KINDS).map(([name, title]) => {
        const count = counts.get(name as PairKind) ?? 0;
        return count === 0 && kind !== name ? null : (
          <button
            key={name}
            type="button"
            class="chip"
            aria-pressed={kind === name}
            onClick={() => onChange(kind === name ? '' : name)}
          >
            {title} <span class="chip-count">{formatCount(count)}</span>
          </button>
        );
      })}
    </div>
  );
}
