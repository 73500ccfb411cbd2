import { useEffect, useMemo, useState } from 'preact/hooks';
import type { RunRow } from '../../src/base/model/page-data.ts';
import { Grid } from '../table/grid.tsx';
import { NewestRun } from '../headline/newest-run.tsx';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { PageFrame } from '../parts/page-frame.tsx';
import { SearchBox } from '../parts/search-box.tsx';
import { Command } from '../parts/command.tsx';
import { Empty, LoadNotice } from '../parts/trouble.tsx';
import { useNow } from '../parts/use-now.ts';
import { go, linkTo, replaceRoute } from '../route/route.ts';
import { runColumns } from '../run/run-columns.tsx';
import { useSource } from '../source/source-context.ts';
import { useLoaded } from '../source/use-loaded.ts';
import { plural } from '../text/format.ts';

const POLL_MS = { live: 1500, quiet: 3000 };

/** All runs, the newest first. */
export function RunsPage({ query }: { readonly query: URLSearchParams }) {
  const source = useSource();
  const loaded = useLoaded((signal) => source.runs(signal), [source]);
  const runs = loaded.value ?? NO_RUNS;
  usePolling(loaded.reload, runs.some(({ state }) => state === 'running') ? POLL_MS.live : POLL_MS.quiet);
  const now = useNow(30_000);
  const text = query.get('q') ?? '';
  const shown = useMemo(() => searchRuns(runs, text), [runs, text]);
  return (
    <PageFrame
      title="Runs"
      heading="Runs"
      aside={runs.length > 0 && <span class="dim">{plural(runs.length, 'run')}</span>}
    >
      <LoadNotice {...loaded} />
      {loaded.value?.length === 0 && (
        <Empty title="No runs yet.">
          <p>Run your tests, and they will appear here:</p>
          <Command line="assay run" />
          <p>
            No tests yet? <Command line="assay init" /> writes some to start with.
          </p>
        </Empty>
      )}
      <NewestRun runs={runs} now={now} />
      {runs.length > 0 && <RunList runs={shown} all={runs} text={text} now={now} />}
    </PageFrame>
  );
}

const NO_RUNS: readonly RunRow[] = [];

function RunList({
  runs,
  all,
  text,
  now,
}: {
  readonly runs: readonly RunRow[];
  /** Includes those that the search hides. */
  readonly all: readonly RunRow[];
  readonly text: string;
  readonly now: number;
}) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [active, setActive] = useState<RunRow>();
  const choose = (runId: string): void =>
    setChosen((old) =>
      old.includes(runId) ? old.filter((one) => one !== runId) : [...old, runId].slice(-2),
    );
  // The older one is the baseline.
  const compare = (): void => {
    const oldestFirst = all.map(({ run_id }) => run_id).toReversed();
    const pair = oldestFirst.filter((runId) => chosen.includes(runId));
    if (pair.length === 2) go(linkTo(['compare', ...pair]));
  };
  useShortcuts([
    { keys: 'x', does: 'Select the run for a comparison', run: () => active && choose(active.run_id) },
    { keys: 'c', does: 'Compare the two chosen runs', run: compare },
  ]);
  return (
    <>
      <div class="line toolbar">
        <SearchBox
          label="Search runs"
          value={text}
          onChange={(value) => replaceRoute(linkTo([], { q: value }))}
        />
        <button type="button" disabled={chosen.length !== 2} onClick={compare}>
          {chosen.length === 2 ? 'Compare the chosen runs' : `Choose ${2 - chosen.length} to compare`}
        </button>
      </div>
      {runs.length === 0 && <Empty title="No run matches." />}
      {runs.length > 0 && (
        <Grid
          label="Runs"
          name="runs"
          columns={runColumns({
            runs: all,
            now,
            isChosen: ({ run_id }) => chosen.includes(run_id),
            onChoose: ({ run_id }) => choose(run_id),
          })}
          rows={runs}
          keyOf={({ run_id }) => run_id}
          rowHeight={{ usual: 48, phone: 76 }}
          onOpen={({ run_id }) => go(linkTo(['runs', run_id]))}
          onActive={setActive}
        />
      )}
    </>
  );
}

function searchRuns(runs: readonly RunRow[], text: string): readonly RunRow[] {
  const words = text.toLowerCase().split(/\s+/);
  return runs.filter(({ run_id, name, files, targets, git_revision, git_branch, git_title, state }) => {
    const parts = [run_id, name, ...files, ...targets, git_revision, git_branch, git_title, state];
    const haystack = parts.join('\n').toLowerCase();
    return words.every((word) => haystack.includes(word));
  });
}

/** New runs appear automatically; a hidden page sends no requests. */
function usePolling(reload: () => void, everyMs: number): void {
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), everyMs);
    return () => clearInterval(timer);
  }, [reload, everyMs]);
}
