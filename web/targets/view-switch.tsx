import { useShortcuts } from '../keyboard/shortcuts.ts';
import type { Query } from '../route/route.ts';
import { formatCount } from '../text/format.ts';

/** How the tests of a run with several targets are shown. The link contains it. */
export interface GridView {
  readonly isGrid: boolean;
  readonly onlyDiffering: boolean;
}

export function readView(query: URLSearchParams): GridView {
  return { isGrid: query.get('view') !== 'list', onlyDiffering: query.get('differ') === 'yes' };
}

export function viewQuery({ isGrid, onlyDiffering }: GridView): Query {
  return { view: isGrid ? undefined : 'list', differ: onlyDiffering ? 'yes' : undefined };
}

export function ViewSwitch({
  view,
  differing,
  onView,
}: {
  readonly view: GridView;
  /** How many tests the targets disagree on. */
  readonly differing: number;
  readonly onView: (view: GridView) => void;
}) {
  const { isGrid, onlyDiffering } = view;
  const show = (isGridNow: boolean): void => onView({ ...view, isGrid: isGridNow });
  const toggle = (): void => onView({ isGrid: true, onlyDiffering: !onlyDiffering });
  useShortcuts([
    { keys: 'v', does: 'Grid or list', run: () => show(!isGrid) },
    { keys: 'd', does: 'Only where targets differ, or all', run: toggle },
  ]);
  return (
    <div class="line" role="group" aria-label="View">
      <div class="segments">
        <button type="button" aria-pressed={isGrid} onClick={() => show(true)}>
          Grid
        </button>
        <button type="button" aria-pressed={!isGrid} onClick={() => show(false)}>
          List
        </button>
      </div>
      {isGrid && (
        <button type="button" class="chip" aria-pressed={onlyDiffering} onClick={toggle}>
          Differing <span class="chip-count">{formatCount(differing)}</span>
        </button>
      )}
    </div>
  );
}
