import type { MatcherPart } from './read-matcher.ts';
import { readApprox } from './table/numbers.ts';
import { wantsInteger } from './table/type.ts';

type Numeric = number | bigint;

interface Limit {
  readonly at: Numeric;
  readonly isOpen: boolean;
  /** How its author wrote it. */
  readonly text: string;
}

/** Why no number is inside of all bounds; undefined if one is. */
export function emptyRange(parts: readonly MatcherPart[]): string | undefined {
  let low: Limit | undefined;
  let high: Limit | undefined;
  const raise = (limit: Limit): void => {
    if (low === undefined || limit.at > low.at || (limit.at == low.at && limit.isOpen)) low = limit;
  };
  const lower = (limit: Limit): void => {
    if (high === undefined || limit.at < high.at || (limit.at == high.at && limit.isOpen)) high = limit;
  };
  for (const { matcher, argument } of parts) {
    const bound = (isOpen: boolean): Limit => ({
      at: argument as Numeric,
      isOpen,
      text: `${matcher.name}: ${String(argument)}`,
    });
    if (matcher.name === '$gte' || matcher.name === '$gt') raise(bound(matcher.name === '$gt'));
    if (matcher.name === '$lte' || matcher.name === '$lt') lower(bound(matcher.name === '$lt'));
    if (matcher.name === '$approx') {
      const { center, within } = readApprox(argument);
      const text = `$approx: ${String(center)}, within: ${within}`;
      // Rounding is forgiven where numbers are compared, so the ends are a little wider here.
      const room = within + Math.abs(Number(center)) * 1e-9;
      raise({ at: Number(center) - room, isOpen: false, text });
      lower({ at: Number(center) + room, isOpen: false, text });
    }
  }
  return low === undefined || high === undefined ? undefined : explain(low, high, isWhole(parts));
}

function isWhole(parts: readonly MatcherPart[]): boolean {
  return parts.some(({ matcher, argument }) => matcher.name === '$type' && wantsInteger(argument));
}

function explain(low: Limit, high: Limit, isInteger: boolean): string | undefined {
  const isEmpty = low.at > high.at || (low.at == high.at && (low.isOpen || high.isOpen));
  if (isEmpty) return `no number matches {${low.text}, ${high.text}}`;
  return isInteger && hasNoInteger(low, high) ? `no integer matches {${low.text}, ${high.text}}` : undefined;
}

/** Between numbers that are exact: of others nothing is said. */
function hasNoInteger(low: Limit, high: Limit): boolean {
  const [from, to] = [Number(low.at), Number(high.at)];
  if (Math.abs(from) > Number.MAX_SAFE_INTEGER || Math.abs(to) > Number.MAX_SAFE_INTEGER) return false;
  const first = low.isOpen && Number.isInteger(from) ? from + 1 : Math.ceil(from);
  return first > to || (first === to && high.isOpen);
}
