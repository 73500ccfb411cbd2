import type { Doubt } from './contract/assertion-kind.ts';
import { quoteText } from '../schema/values.ts';

/** Items that a list contains twice. */
export function doubtRepeats(items: readonly string[], what: string): readonly Doubt[] {
  const repeated = items.filter((item, index) => items.indexOf(item) < index);
  return [...new Set(repeated)].map((item) => ({
    code: 'duplicate_check',
    message: `the ${what} ${quoteText(item)} is listed twice`,
    hint: 'remove one of them',
  }));
}
