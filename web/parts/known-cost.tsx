import { formatCost } from '../text/format.ts';

/** A sum of costs. One that lacks some says so, as in the terminal: it must not look cheaper than the others. */
export function KnownCost({ usd, lacks }: { readonly usd: number | undefined; readonly lacks: boolean }) {
  if (usd === undefined || !lacks) return <>{formatCost(usd)}</>;
  return (
    <span title="The cost of some attempts is not known, and not in this sum.">
      {formatCost(usd)}
      <span aria-hidden="true">+?</span>
      <span class="visually-hidden"> and more: some costs are not known</span>
    </span>
  );
}
