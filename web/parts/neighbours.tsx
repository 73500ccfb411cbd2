import { formatCount } from '../text/format.ts';

/** The place of a page in the list that it was opened from, and the way to those beside it. */
export function Neighbours({
  place,
  count,
  onStep,
}: {
  readonly place: number;
  readonly count: number;
  readonly onStep: (by: number) => void;
}) {
  return (
    <span class="neighbours">
      <span class="dim">
        {formatCount(place + 1)} of {formatCount(count)}
      </span>
      <button type="button" disabled={place === 0} onClick={() => onStep(-1)}>
        Previous <kbd aria-hidden="true">k</kbd>
      </button>
      <button type="button" disabled={place === count - 1} onClick={() => onStep(1)}>
        Next <kbd aria-hidden="true">j</kbd>
      </button>
    </span>
  );
}
