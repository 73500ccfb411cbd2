import { formatDollars } from '../../base/model/dollars.ts';
import type { PlannedWork } from '../../base/model/planned-work.ts';
import { grouped } from '../../base/model/grouped.ts';

/** `3 tests, about 12 calls, about $0.04; 2 graded again`. */
export function describeWork({ attempts, regraded, unchanged, model_calls, cost_usd }: PlannedWork): string {
  const estimate = [
    count(attempts.length, 'test'),
    ...(model_calls === undefined ? [] : [`about ${count(model_calls, 'call')}`]),
    ...(cost_usd === undefined ? [] : [`about ${formatDollars(cost_usd)}`]),
  ];
  const parts = [
    ...(attempts.length === 0 ? [] : [estimate.join(', ')]),
    ...(regraded === 0 ? [] : [`${count(regraded, 'recorded reply', 'recorded replies')} graded again`]),
  ];
  if (parts.length > 0) return parts.join('; ');
  return unchanged === 0 ? 'nothing to run' : 'nothing to run, these are the last results';
}

function count(amount: number, one: string, many = `${one}s`): string {
  return `${grouped(amount)} ${amount === 1 ? one : many}`;
}
