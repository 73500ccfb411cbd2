import { existsSync, lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isAbandoned, removeDeadDrafts } from './run-lock.ts';
import { epochMs } from '../system-time.ts';

/** For so long somebody may be about to put something into an empty folder. */
const EMPTY_MS = 60_000;
/** Of those that came last. Older ones had their chance. */
const LOOKED_AT = 50;

/** No other folder is touched, and no other file: reports may be written into a run's folder too. */
const RUN_ID = /^\d{8}T\d{6}-\d{3}-[0-9a-f]{8}$/;
const PARTIAL_FILE = /^(?:run|live|summary)\.json\.\d+\.tmp$/;

/** The files that a run consists of. Any of them is a sign that there is, or was, a run. */
const OWN_FILES = ['run.json', 'results.jsonl', 'summary.json'];

/** Whether there is a run in the folder, and not only what a process that was killed at its start left of one. */
export function isRun(folder: string): boolean {
  return OWN_FILES.some((name) => existsSync(join(folder, name)));
}

/** What an earlier owner of the lock wrote half. To be called only by who has it now. */
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
  // Asked before it is asked again whether there is a run: the dead begin none.
  if (isAbandoned(folder, EMPTY_MS) && !isRun(folder)) rmSync(folder, { recursive: true, force: true });
  // Only if it is still empty.
  else if (epochMs() - lstatSync(folder).mtimeMs > EMPTY_MS) rmdirSync(folder);
}

/** No run fails because it cannot clean up: it was somebody else's, or somebody else was faster. */
function ifPossible(cleanUp: () => void): void {
  try {
    cleanUp();
  } catch {
    // The next one may do it.
  }
}
