import { formatDollars } from './dollars.ts';
import { grouped } from './grouped.ts';

/** What is known of the cost of a run. */
export interface KnownCost {
  /** Of agents and judges together; undefined if neither is known. */
  readonly total: number | undefined;
  readonly judges?: number | undefined;
  readonly attempts_without_cost?: number | undefined;
  readonly isReplayed?: boolean | undefined;
  readonly hasEarlierReplies?: boolean | undefined;
}

/** `$0.42, of which $0.10 for judges; the cost of 3 attempts is not known`. Undefined without any cost. */
export function costWords(cost: KnownCost): string | undefined {
  return cost.total === undefined ? undefined : `${formatDollars(cost.total)}${costNote(cost)}`;
}

/** What the sum alone does not say. Verdicts from the cache cost nothing. */
export function costNote(cost: KnownCost): string {
  const { total, judges = 0, attempts_without_cost: unknown = 0, isReplayed, hasEarlierReplies } = cost;
  if (total === undefined) return '';
  return [
    judges === 0 ? '' : `, of which ${formatDollars(judges)} for judges`,
    hasEarlierReplies === true ? ', including earlier replies' : '',
    isReplayed === true ? ' (recorded; this run cost nothing)' : '',
    unknown === 0
      ? ''
      : `; the cost of ${grouped(unknown)} ${unknown === 1 ? 'attempt' : 'attempts'} is not known`,
  ].join('');
}
