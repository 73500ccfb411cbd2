import type { TargetRow } from '../../src/base/model/page-data.ts';
import { KnownCost } from '../parts/known-cost.tsx';

export function TargetCost({ totals }: { readonly totals: TargetRow }) {
  return <KnownCost usd={totals.agent_cost_usd} lacks={(totals.attempts_without_cost ?? 0) > 0} />;
}
