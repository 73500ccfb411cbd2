import type { RunDirectory } from '../../runs/journal/run-directory.ts';

/** Why a run is not whole, for people; undefined when it is. */
export function whyUnfinished(run: RunDirectory): string | undefined {
  const extent = run.ending()?.summary;
  if (extent === undefined) return `the run ${run.runId} did not end`;
  if (extent.interrupted) return `the run ${run.runId} was interrupted`;
  return extent.not_started === 0
    ? undefined
    : `the run ${run.runId} was stopped before ${extent.not_started} of its attempts`;
}
