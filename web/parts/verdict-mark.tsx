import type { Outcome } from '../run/filter.ts';
import { Icon } from './icon.tsx';

export const OUTCOME_NAMES: Readonly<Record<Outcome, string>> = {
  passed: 'Passed',
  failed: 'Failed',
  error: 'Error',
  skipped: 'Skipped',
  not_graded: 'Not graded',
  flaky: 'Flaky',
};

/** The sign of a verdict or of a run in progress, with its name if there is room. */
export function VerdictMark({
  outcome,
  hasWord = false,
}: {
  readonly outcome: Outcome | 'running';
  readonly hasWord?: boolean;
}) {
  const name = outcome === 'running' ? 'Running' : OUTCOME_NAMES[outcome];
  return (
    <span class={`mark mark-${outcome}`}>
      <Icon name={outcome} label={hasWord ? undefined : name} />
      {hasWord && <span>{name}</span>}
    </span>
  );
}
