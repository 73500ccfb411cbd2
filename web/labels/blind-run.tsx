import { useShortcuts } from '../keyboard/shortcuts.ts';
import { plural } from '../text/format.ts';

/** A run whose verdicts are hidden: its list would tell them. */
export function BlindRun({
  done,
  total,
  onNext,
  onShow,
}: {
  readonly done: number;
  readonly total: number;
  readonly onNext: (() => void) | undefined;
  readonly onShow: () => void;
}) {
  useShortcuts([
    { keys: 'l', does: 'Next without a label', run: () => onNext?.() },
    { keys: 'b', does: 'Show the verdicts', run: onShow },
  ]);
  return (
    <div class="card stack gap-3 notice">
      <p class="notice-title">Verdicts are hidden while you label.</p>
      <p>
        {done} of {plural(total, 'result')} labelled.
      </p>
      <p class="label-buttons">
        <button type="button" disabled={onNext === undefined} onClick={() => onNext?.()}>
          Next without a label <kbd aria-hidden="true">l</kbd>
        </button>
        <button type="button" onClick={onShow}>
          Show the verdicts <kbd aria-hidden="true">b</kbd>
        </button>
      </p>
    </div>
  );
}
