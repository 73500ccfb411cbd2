import { existsSync, lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isAbandoned } from './run-lock.ts';

/** For so long somebody may be about to put something into an empty folder. */
const EMPTY_MS = 60_000;

/** No other folder is touched. */
const RUN_ID = /^\d{8}T\d{6}-\d{3}-[0-9a-f]{8}$/;

/** The files that a run consists of from its first moment on. */
const FIRST_FILES = ['run.json', 'results.jsonl'];

/** Whether there is a run in the folder, and not only what a process that was killed at its start left of one. */
export function isRun(folder: string): boolean {
  return FIRST_FILES.some((name) => existsSync(join(folder, name)));
}

/** What others wrote half. To be called only by who has the lock: it alone may write to the folder. */
export function removeHalfWritten(folder: string): void {
  for (const name of readdirSync(folder))
    if (name.endsWith('.tmp')) rmSync(join(folder, name), { force: true });
}

/** Folders of processes that were killed before they had a run. Each start removes those that came after the last run. */
export function removeHalfBegun(runs: string): void {
  const folders = readdirSync(runs).filter((name) => RUN_ID.test(name));
  for (const name of folders.toSorted().toReversed()) {
    const folder = join(runs, name);
    if (isRun(folder)) return;
    try {
      if (isAbandoned(folder)) rmSync(folder, { recursive: true, force: true });
      // Only if it is still empty.
      else if (Date.now() - lstatSync(folder).mtimeMs > EMPTY_MS) rmdirSync(folder);
    } catch {
      // Somebody else removed it, or it is not ours.
    }
  }
}
