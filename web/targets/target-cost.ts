import type { TargetRow } from '../../src/model/page-data.ts';
import { formatCost } from '../text/format.ts';

/** A sum that lacks attempts says so, as in the terminal: it must not look cheaper than the others. */
export function targetCost({ agent_cost_usd: cost, attempts_without_cost = 0 }: TargetRow): string {
  return `${formatCost(cost)}${cost !== undefined && attempts_without_cost > 0 ? '+?' : ''}`;
}
