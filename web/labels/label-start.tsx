import { plural } from '../text/format.ts';

/** How far the labels of a run are, and the way to the next one. */
export function LabelStart({
  done,
  total,
  onNext,
  onBlind,
}: {
  readonly done: number;
  readonly total: number;
  readonly onNext: () => void;
  readonly onBlind: () => void;
}) {
  return (
    <span class="label-start">
      <button type="button" class="quiet" onClick={onNext}>
        Label the next one <kbd aria-hidden="true">l</kbd>
      </button>
      <button type="button" class="quiet" onClick={onBlind}>
        Label without seeing verdicts
      </button>
      <span class="dim">
        {done} of {plural(total, 'result')} labelled.
      </span>
    </span>
  );
}
