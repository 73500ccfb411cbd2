import type { RunRow } from '../../src/base/model/page-data.ts';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { Menu } from '../parts/menu.tsx';
import { go, linkTo } from '../route/route.ts';
import { hasSameFiles, previousComparable, previousOfFiles } from '../run/previous-run.ts';
import { runLabel, runName } from '../run/run-name.ts';
import { useSource } from '../source/source-context.ts';
import { useLoaded } from '../source/use-loaded.ts';
import { rateText } from '../parts/rate-range.tsx';

const MAX_OFFERED = 50;

/** Another run to compare this one with: those of the same files first. */
export function CompareChoice({ run }: { readonly run: RunRow }) {
  const source = useSource();
  const loaded = useLoaded((signal) => source.runs(signal), [source, run.run_id]);
  const all = loaded.value ?? [];
  const others = likeFirst(
    run,
    all.filter(({ run_id }) => run_id !== run.run_id),
  );
  // The newest comes first: a clock may be set back, so times are not reliable.
  const order = all.map(({ run_id }) => run_id);
  const isOlder = (runId: string): boolean => order.indexOf(runId) > order.indexOf(run.run_id);
  // The older one is the baseline.
  const compareWith = (runId: string): void =>
    go(linkTo(['compare', ...(isOlder(runId) ? [runId, run.run_id] : [run.run_id, runId])]));
  const previous = previousComparable(run, all) ?? previousOfFiles(run, all);
  useShortcuts(
    previous === undefined
      ? []
      : [{ keys: 'c', does: 'Compare with the previous run', run: () => compareWith(previous.run_id) }],
  );
  if (others.length === 0) return null;
  return (
    <Menu
      label="Compare with another run"
      shown="Compare with…"
      chosen={[]}
      options={others.slice(0, MAX_OFFERED).map((other) => ({
        value: other.run_id,
        name: `${runLabel(other)} · ${runName(other)} · ${rateText(other.pass_rate)}`,
      }))}
      onChoose={compareWith}
    />
  );
}

function likeFirst(run: RunRow, others: readonly RunRow[]): readonly RunRow[] {
  const isLike = (other: RunRow): number => (hasSameFiles(run, other) ? 0 : 1);
  return others.toSorted((a, b) => isLike(a) - isLike(b));
}
