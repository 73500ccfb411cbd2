import { lstatSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeFolder } from '../../base/files/make-folder.ts';
import { listRuns, type RunDirectory } from '../../runs/journal/run-directory.ts';
import { RunLockedError } from '../../runs/journal/run-lock.ts';
import { epochMs } from '../../base/system/system-time.ts';

export interface PruneOptions {
  readonly projectRoot: string;
  /** The newest runs that stay. Default: as many as are young enough. */
  readonly keep?: number | undefined;
  /** Runs that are younger stay. */
  readonly olderThanMs?: number | undefined;
  /** Nothing is removed. */
  readonly isTrial: boolean;
}

interface PrunedRun {
  readonly runId: string;
  readonly bytes: number;
  /** Why it stays although it is old. */
  readonly keptBecause?: string | undefined;
}

export interface Pruning {
  /** The old runs, the oldest first. */
  readonly runs: readonly PrunedRun[];
  /** How many stay because they are new. */
  readonly young: number;
}

/**
 * Removes old runs: those that are neither among the newest nor young. A run that another process writes stays, and
 * so does one that later runs are compared with.
 */
export function pruneRuns({ projectRoot, keep, olderThanMs, isTrial }: PruneOptions): Pruning {
  const runs = listRuns(projectRoot).filter(isOwnFolder);
  const newest = new Set(runs.slice(Math.max(0, runs.length - (keep ?? 0))));
  const isYoung = (run: RunDirectory): boolean =>
    newest.has(run) || (olderThanMs !== undefined && epochMs() - startedAt(run) <= olderThanMs);
  const old = runs.filter((run) => !isYoung(run));
  const compared = comparedRuns(projectRoot, runs.filter(isYoung));
  if (!isTrial) removeRest(projectRoot);
  return {
    young: runs.length - old.length,
    runs: old.map((run) => {
      const bytes = sizeOf(run.path);
      const isCompared = compared.has(run.runId);
      const keptBecause = isCompared ? 'it is a baseline' : removeRun(run, { projectRoot, isTrial });
      return { runId: run.runId, bytes, keptBecause };
    }),
  };
}

/** Not a link to somewhere else, and nothing that somebody put there by hand. */
function isOwnFolder({ path, runId }: RunDirectory): boolean {
  return /^\d{8}T\d{6}-\d{3}-[0-9a-f]{8}$/.test(runId) && lstatSync(path).isDirectory();
}

function startedAt(run: RunDirectory): number {
  const started = Date.parse(run.description()?.started_at ?? '');
  return Number.isNaN(started) ? lstatSync(run.path).mtimeMs : started;
}

/** The run of the baseline file, and those that runs which stay were compared with. */
function comparedRuns(projectRoot: string, staying: readonly RunDirectory[]): ReadonlySet<string> {
  const named = staying.map((run) => run.description()?.options['baseline']);
  const ids = named.filter((name) => typeof name === 'string').map((name) => basename(name));
  try {
    const baseline = JSON.parse(readFileSync(join(projectRoot, 'assay-baseline.json'), 'utf8')) as {
      readonly run_id?: unknown;
    };
    if (typeof baseline.run_id === 'string') ids.push(baseline.run_id);
  } catch {
    // There is none, or it is not one of ours.
  }
  return new Set(ids);
}

interface Removal {
  readonly projectRoot: string;
  readonly isTrial: boolean;
}

/** Undefined if it was removed; otherwise why it stays. */
function removeRun(run: RunDirectory, { projectRoot, isTrial }: Removal): string | undefined {
  try {
    // Nobody may write to it from here on. The lock goes with the folder.
    run.lock();
    if (isTrial) {
      run.unlock();
      return undefined;
    }
    // In one step: half of a run would look like a damaged one.
    const trash = trashFolder(projectRoot);
    makeFolder(trash, { mode: 0o700 });
    renameSync(run.path, join(trash, run.runId));
    removeRest(projectRoot);
    return undefined;
  } catch (error) {
    if (error instanceof RunLockedError) return 'it is still running';
    return (error as Error).message;
  }
}

function trashFolder(projectRoot: string): string {
  return join(projectRoot, '.assay', 'removed');
}

/** Also what an interrupted `prune` left. */
function removeRest(projectRoot: string): void {
  const trash = trashFolder(projectRoot);
  if (lstatSync(trash, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  for (const name of readdirSync(trash)) rmSync(join(trash, name), { recursive: true, force: true });
  rmdirSync(trash);
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, entry) =>
        sum + (lstatSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
}
