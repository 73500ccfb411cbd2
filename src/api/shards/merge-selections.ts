import { isDeepStrictEqual } from 'node:util';
import type { RunSelection } from '../../base/model/selection.ts';

/**
 * What a merged run leaves out. The shards of a run left out the same. For runs with different selections, the
 * smallest number is certainly not in the whole, and all filters are named.
 */
export function mergeSelections(parts: readonly (RunSelection | undefined)[]): RunSelection | undefined {
  const selections = parts.flatMap((part) => (part === undefined ? [] : [withoutShard(part)]));
  const [first] = selections;
  // A run of every test leaves nothing out, whatever the others selected.
  if (first === undefined || selections.length < parts.length) return undefined;
  if (selections.every((other) => isDeepStrictEqual(other, first)))
    return leavesOut(first) ? first : undefined;
  const least = (name: keyof RunSelection['left_out']): number =>
    Math.min(...selections.map(({ left_out }) => left_out[name]));
  return {
    tests_in_files: Math.max(...selections.map(({ tests_in_files }) => tests_in_files)),
    selected: Math.max(...selections.map(({ selected }) => selected)),
    left_out: { filters: least('filters'), only: least('only'), passed: least('passed') },
    filters: [...new Set(selections.flatMap(({ filters }) => filters))],
  };
}

function withoutShard({ shard: _shard, ...selection }: RunSelection): RunSelection {
  return selection;
}

function leavesOut({ filters, left_out, last_failed }: RunSelection): boolean {
  return filters.length > 0 || left_out.only > 0 || last_failed !== undefined;
}
