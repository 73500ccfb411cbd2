import { formatScore } from '../../text/format.ts';

/** A score from 0 to 1 as a bar, with a line at the score to reach. */
export function ScoreBar({
  score,
  least,
  isGood,
}: {
  readonly score: number;
  readonly least?: number | undefined;
  readonly isGood: boolean;
}) {
  const label =
    least === undefined
      ? `${formatScore(score)} of 1`
      : `${formatScore(score)} of 1, needs ${formatScore(least)}`;
  return (
    <svg
      class={`score-bar ${isGood ? 'is-good' : 'is-bad'}`}
      viewBox="0 0 100 8"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <rect class="score-room" x="0" y="1" width="100" height="6" rx="1" />
      <rect class="score-share" x="0" y="1" width={Math.max(0, Math.min(1, score)) * 100} height="6" rx="1" />
      {least !== undefined && (
        <rect
          class="score-least"
          x={Math.min(99, Math.max(0, least * 100 - 0.5))}
          y="0"
          width="1"
          height="8"
        />
      )}
    </svg>
  );
}
