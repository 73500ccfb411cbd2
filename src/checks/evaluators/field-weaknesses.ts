import { parseFieldPath, valueAtFieldPath } from '../../base/match/field-path.ts';
import { isAmbiguousDate } from '../../base/match/read-date.ts';
import { readNumber } from '../../base/match/read-number.ts';
import type { Json } from '../../base/model/json.ts';
import type { Weakness } from '../contract/assertion-kind.ts';
import type { FieldRule } from './compare-field.ts';

/** Fields that are compared too loosely, twice, or not at all. */
export function fieldWeaknesses(
  fields: readonly FieldRule[],
  expected: Json | undefined,
): readonly Weakness[] {
  const seen = new Set<string>();
  return fields.flatMap((field) => {
    const again = seen.has(field.path);
    seen.add(field.path);
    return [
      ...(again ? [comparedTwice(field)] : []),
      ...(expected === undefined ? [] : fieldWeakness(field, expected)),
    ];
  });
}

function comparedTwice({ path }: FieldRule): Weakness {
  return {
    code: 'duplicate_check',
    message: `the field ${path} is compared twice`,
    hint: 'remove one of them; use `weight` if it should count more',
  };
}

function fieldWeakness(
  { path, match, required = true, tolerance = 0, relative = false, formats = [] }: FieldRule,
  expected: Json,
): readonly Weakness[] {
  const wanted = valueAtFieldPath(expected, parseFieldPath(path)!);
  if (wanted === undefined)
    return required
      ? []
      : [
          {
            code: 'not_compared',
            message: `the field ${path} is never compared: the expected answer has no such field`,
            hint: 'correct the path, or add it to the expected answer',
          },
        ];
  if (match === 'date' && formats.length === 0 && typeof wanted === 'string' && isAmbiguousDate(wanted))
    return [
      {
        code: 'ambiguous_date',
        message: `the expected date ${wanted} at ${path} is read with the month first`,
        hint: 'write it like 2025-03-04, or name its format in `formats`',
      },
    ];
  const number = match === 'numeric_tolerance' ? readNumber(wanted) : undefined;
  if (number === undefined || Number(number) === 0) return [];
  // A share of 1 is the number itself: from there on, 0 passes too.
  const size = relative ? 1 : Math.abs(Number(number));
  // One more or less than a count of 1 is meant so.
  const isOneMoreOrLess = !relative && tolerance === 1 && size === 1;
  const isLoose = tolerance >= size && !isOneMoreOrLess;
  return isLoose
    ? [
        {
          code: 'loose_tolerance',
          message: `the tolerance of ${path} is ${tolerance}${relative ? ` (${tolerance * 100}%)` : ''}, but the expected number is ${String(number)}: 0 passes too`,
          hint: relative ? 'a share is meant: 0.05 for 5%' : 'give a smaller tolerance',
        },
      ]
    : [];
}
