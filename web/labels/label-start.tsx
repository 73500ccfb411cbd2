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
    <p class="label-start">
      <span>
        {done} of {plural(total, 'result')} labelled.
      </span>
      <button type="button" onClick={onNext}>
        Label the next one <kbd aria-hidden="true">l</kbd>
      </button>
      <button type="button" onClick={onBlind}>
        Label without seeing verdicts
      </button>
    </p>
  );
}
