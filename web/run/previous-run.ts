import type { RunRow } from '../../src/base/model/page-data.ts';

/** The last run before this one whose numbers may be compared with its own. `runs`: the newest first. */
export function previousComparable(run: RunRow, runs: readonly RunRow[]): RunRow | undefined {
  if (run.comparable === undefined) return undefined;
  return olderRuns(run, runs).find(({ comparable }) => comparable === run.comparable);
}

/** The same for a run that is comparable with none: the last one of the same files. */
export function previousOfFiles(run: RunRow, runs: readonly RunRow[]): RunRow | undefined {
  return olderRuns(run, runs).find((other) => hasSameFiles(run, other));
}

export function hasSameFiles(one: RunRow, other: RunRow): boolean {
  const files = new Set(one.files);
  return files.size === new Set(other.files).size && other.files.every((file) => files.has(file));
}

/** By their place in the list: a clock may be set back, so times are not reliable. */
function olderRuns({ run_id }: RunRow, runs: readonly RunRow[]): readonly RunRow[] {
  const place = runs.findIndex((other) => other.run_id === run_id);
  return place === -1 ? [] : runs.slice(place + 1);
}
