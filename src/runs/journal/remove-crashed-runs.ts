import { existsSync, lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isAbandoned, removeDeadDrafts } from './run-lock.ts';
import { epochMs } from '../../base/system/system-time.ts';

/** For this long, a process may be about to write into an empty folder. */
const EMPTY_MS = 60_000;
/** Only the newest ones. Older ones have been checked before. */
const LOOKED_AT = 50;

/** No other folder or file is touched: reports may be in a run's folder too. */
const RUN_ID = /^\d{8}T\d{6}-\d{3}-[0-9a-f]{8}$/;
const PARTIAL_FILE = /^(?:run|live|summary)\.json\.\d+\.tmp$/;

/** The files of a run. Any of them shows that there is, or was, a run. */
const OWN_FILES = ['run.json', 'results.jsonl', 'summary.json'];

/** Whether the folder contains a run, and not only what a process left that was killed at its start. */
export function isRun(folder: string): boolean {
  return OWN_FILES.some((name) => existsSync(join(folder, name)));
}

/** Files that an earlier owner of the lock left half-written. Call it only while holding the lock. */
export function removePartialFiles(folder: string): void {
  ifPossible(() => removeDeadDrafts(folder));
  ifPossible(() => {
    for (const name of readdirSync(folder))
      if (PARTIAL_FILE.test(name)) ifPossible(() => rmSync(join(folder, name), { force: true }));
  });
}

/** Folders of processes that were killed before they had a run. */
export function removeCrashedRuns(runs: string): void {
  ifPossible(() => {
    const folders = readdirSync(runs).filter((name) => RUN_ID.test(name));
    for (const name of folders.toSorted().slice(-LOOKED_AT))
      ifPossible(() => removeIfCrashed(join(runs, name)));
  });
}

function removeIfCrashed(folder: string): void {
  if (isRun(folder)) return;
  // Checked before looking for a run again: dead processes start none.
  if (isAbandoned(folder, EMPTY_MS) && !isRun(folder)) rmSync(folder, { recursive: true, force: true });
  // Only if it is still empty.
  else if (epochMs() - lstatSync(folder).mtimeMs > EMPTY_MS) rmdirSync(folder);
}

/** A run never fails because it cannot clean up: another process owned it, or was faster. */
function ifPossible(cleanUp: () => void): void {
  try {
    cleanUp();
  } catch {
    // The next one may do it.
  }
}
