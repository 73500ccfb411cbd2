import type { Weakness } from './contract/assertion-kind.ts';
import { quoteText } from '../base/schema/values.ts';

/** Items that a list contains twice. */
export function repeatWeaknesses(items: readonly string[], what: string): readonly Weakness[] {
  const repeated = items.filter((item, index) => items.indexOf(item) < index);
  return [...new Set(repeated)].map((item) => ({
    code: 'duplicate_check',
    message: `the ${what} ${quoteText(item)} is listed twice`,
    hint: 'remove one of them',
  }));
}
