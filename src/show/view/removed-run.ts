import { isRun } from '../../runs/journal/remove-crashed-runs.ts';
import type { RunDirectory } from '../../runs/journal/run-directory.ts';

/** The folder of a run was removed while somebody looked at it. */
export class RemovedRun extends Error {
  /** As if one of its files had not been found. */
  readonly code = 'ENOENT';

  constructor({ runId }: RunDirectory) {
    super(`the run ${runId} was removed`);
  }
}

/** Call it after reading, too: what was read of a run that is being removed is not what it said. */
export function refuseRemoved(run: RunDirectory): void {
  if (!isRun(run.path)) throw new RemovedRun(run);
}

export function isRemoved(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
}
