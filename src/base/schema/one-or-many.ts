import { byType } from './by-type.ts';
import { list } from './list.ts';
import { text } from './values.ts';

/** A string, or several of which any or all count. */
export function oneOrMany(label?: string) {
  const one = text({ nonEmpty: true, ...(label !== undefined && { label }) });
  return byType({ string: one, array: list(one, { nonEmpty: true }) });
}
