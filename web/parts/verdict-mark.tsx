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

/** The sign of a verdict, with its name if there is room. */
export function VerdictMark({
  outcome,
  hasWord = false,
}: {
  readonly outcome: Outcome;
  readonly hasWord?: boolean;
}) {
  return (
    <span class={`mark mark-${outcome}`}>
      <Icon name={outcome} label={hasWord ? undefined : OUTCOME_NAMES[outcome]} />
      {hasWord && <span>{OUTCOME_NAMES[outcome]}</span>}
    </span>
  );
}
