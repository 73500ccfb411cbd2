import type { ReportedOutcome } from './reported-outcome.ts';

/** Outcomes that failed for one reason, in the order of the first of them. */
export function bySameCause(outcomes: Iterable<ReportedOutcome>): readonly (readonly ReportedOutcome[])[] {
  const groups = new Map<string, ReportedOutcome[]>();
  for (const outcome of outcomes) {
    if (outcome.failure === undefined) continue;
    const key = `${outcome.verdict} ${outcome.failure.cause}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [outcome]);
    else group.push(outcome);
  }
  return [...groups.values()];
}
