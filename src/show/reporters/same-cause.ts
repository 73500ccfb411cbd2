import type { ReportedOutcome } from './reported-outcome.ts';

/** Reports name this many tests that failed for one reason. */
const MAX_OTHERS = 50;

/** What names a test. */
export type NamedTest = Pick<ReportedOutcome, 'test' | 'target' | 'file' | 'line'>;

/** Outcomes that failed for one reason. */
export interface SameCause {
  readonly first: ReportedOutcome;
  /** The first of the others. */
  readonly others: readonly NamedTest[];
  readonly otherCount: number;
}

/**
 * In the order of the first outcome of each reason. All of them may have failed, so only names are kept, and the outcomes
 * are read a second time.
 */
export function* bySameCause(read: () => Iterable<ReportedOutcome>): Generator<SameCause> {
  const groups = new Map<string, { others: NamedTest[]; otherCount: number }>();
  for (const outcome of read()) {
    const key = causeOf(outcome);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, { others: [], otherCount: 0 });
      continue;
    }
    const { test, target, file, line } = outcome;
    if (++group.otherCount <= MAX_OTHERS) group.others.push({ test, target, file, line });
  }
  for (const first of read()) {
    const key = causeOf(first);
    const group = key === undefined ? undefined : groups.get(key);
    if (group === undefined) continue;
    groups.delete(key!);
    yield { first, ...group };
  }
}

function causeOf({ verdict, failure }: ReportedOutcome): string | undefined {
  return failure === undefined ? undefined : `${verdict} ${failure.cause}`;
}
