import { isJsonObject } from '../../../base/model/json.ts';
import { otherFields, type ForeignValue } from '../foreign-value.ts';
import { nameOf, type Report } from './report.ts';

/** How promptfoo runs: what has a counterpart, and what does not. */
export function readEvaluateOptions(
  field: ForeignValue | undefined,
  report: Report,
): { readonly repeats?: number | undefined; readonly workers?: number | undefined } {
  if (field === undefined || !isJsonObject(field.value)) return {};
  const { repeat, maxConcurrency } = field.value;
  for (const other of otherFields(field, KNOWN))
    report.lost(
      {
        what: `evaluateOptions.${nameOf(other)}`,
        why: 'Assay has no such setting',
        from: other.path,
        value: other.value,
      },
      [],
    );
  return { repeats: count(repeat, 2), workers: count(maxConcurrency, 1) };
}

const KNOWN: ReadonlySet<string> = new Set(['repeat', 'maxConcurrency', 'showProgressBar', 'cache']);

function count(value: unknown, least: number): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least ? value : undefined;
}
