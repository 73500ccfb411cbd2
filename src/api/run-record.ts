import { relative, resolve } from 'node:path';
import { readRecordAt } from '../journal/journal-reader.ts';
import type { JournalWriter } from '../journal/journal-writer.ts';
import { latestEntries, type EntryPlace } from '../journal/latest-entries.ts';
import { LiveFile } from '../journal/live-file.ts';
import {
  createRunDirectory,
  findRun,
  listRuns,
  type RunDescription,
  type RunDirectory,
  type RunEnding,
  type ShardDescription,
} from '../journal/run-directory.ts';
import type { OpenSuite } from '../load/open-suites.ts';
import type { JsonObject } from '../model/json.ts';
import type { AttemptRecord } from '../model/record.ts';
import { version } from '../version.ts';
import { gitRevision } from './git-revision.ts';
import { hashFile } from './hash-file.ts';

interface RecordOptions {
  readonly projectRoot: string;
  readonly suites: readonly OpenSuite[];
  /** What was asked, for `run.json`; no secrets are in it. */
  readonly asked: JsonObject;
  /** Continue this run; true: the latest one of the same files. */
  readonly resume?: string | true | undefined;
  readonly shard?: ShardDescription | undefined;
  readonly onError: (error: Error) => void;
}

/** A run that is named and is not there, or not as it is wanted. */
export class NoSuchRun extends Error {
  constructor(name: string, purpose = 'resume') {
    super(`there is no run "${name}" to ${purpose}`);
  }
}

/** A run in its directory, new or continued. */
export class RunRecord {
  readonly directory: RunDirectory;
  /** False when there was nothing to continue. */
  readonly isContinued: boolean;
  /** Runs that may have been meant, but cannot be told to be of these files. */
  readonly damaged: readonly RunDirectory[];
  /** For those who look at the run while it goes on. */
  readonly live: LiveFile;
  private readonly onError: (error: Error) => void;
  private readonly journal: JournalWriter;
  private readonly done: ReadonlyMap<string, EntryPlace>;

  constructor(options: RecordOptions) {
    const { projectRoot, onError } = options;
    const { found, damaged } = findEarlier(options);
    this.onError = onError;
    this.damaged = damaged;
    this.isContinued = found !== undefined;
    this.directory = found ?? createRunDirectory(projectRoot, (runId) => describe(runId, options));
    // Before anything of it is read: what another process writes meanwhile would be done twice.
    this.directory.lock();
    // Before the summary is gone: a run without either was broken off.
    this.live = new LiveFile(this.directory.path);
    try {
      this.done = found === undefined ? new Map() : latestEntries(found.journalPath);
      if (found !== undefined) {
        found.reopen();
        renewPlan(found, options.shard);
      }
      this.journal = this.directory.openJournal({ onError });
    } catch (error) {
      this.live.remove();
      this.directory.unlock();
      throw error;
    }
  }

  /** The record of an attempt that was made before, if the test has not changed since. */
  recorded(id: string, fingerprint: string): AttemptRecord | undefined {
    const entry = this.done.get(id);
    return entry?.fingerprint === fingerprint ? readRecordAt(this.directory.journalPath, entry) : undefined;
  }

  append(record: AttemptRecord): void {
    try {
      this.journal.append(record);
    } catch (error) {
      this.onError(error as Error);
    }
  }

  /** Throws a JournalError when not everything could be written. */
  end(ending: Omit<RunEnding, 'run_id'>): void {
    try {
      this.journal.close();
      this.directory.end({ run_id: this.directory.runId, ...ending });
    } finally {
      this.live.remove();
      this.directory.unlock();
    }
  }

  /** The run ends without a summary: what was recorded is kept. */
  abandon(): void {
    try {
      this.journal.close();
    } catch {
      // It is already broken, and that was said.
    } finally {
      this.live.remove();
      this.directory.unlock();
    }
  }
}

interface Earlier {
  readonly found?: RunDirectory | undefined;
  readonly damaged: readonly RunDirectory[];
}

function findEarlier(options: RecordOptions): Earlier {
  const { projectRoot, resume, shard } = options;
  if (resume === undefined) return { damaged: [] };
  if (resume === true) return latestOf(options);
  const found = findRun(projectRoot, resume);
  if (found === undefined) throw new NoSuchRun(resume);
  const wanted = shardName(shard);
  const made = shardName(found.description()?.shard);
  if (made !== wanted) throw new NoSuchRun(found.runId, `resume as ${wanted}: it is ${made}`);
  return { found, damaged: [] };
}

function latestOf({ projectRoot, suites, shard }: RecordOptions): Earlier {
  const files = suites.map(({ file }) => relative(projectRoot, resolve(file)));
  const wanted = JSON.stringify([shardName(shard), files.toSorted()]);
  const damaged: RunDirectory[] = [];
  for (const run of listRuns(projectRoot).toReversed()) {
    const description = run.description();
    if (description === undefined) damaged.push(run);
    else if (
      JSON.stringify([shardName(description.shard), description.files.map(({ file }) => file).toSorted()]) ===
      wanted
    )
      return { found: run, damaged };
  }
  return { damaged };
}

function shardName(shard: ShardDescription | undefined): string {
  return shard === undefined ? 'a whole run' : `shard ${shard.index}/${shard.total}`;
}

/** A test that was changed since is run again: the shard is then one of another plan. */
function renewPlan(run: RunDirectory, shard: ShardDescription | undefined): void {
  const description = run.description();
  if (description !== undefined && description.shard?.plan !== shard?.plan)
    run.describe({ ...description, shard });
}

function describe(run_id: string, { suites, projectRoot, asked, shard }: RecordOptions): RunDescription {
  return {
    run_id,
    started_at: new Date().toISOString(),
    files: suites.map(({ file, hash }) => ({
      file: relative(projectRoot, resolve(file)),
      hash: hash ?? hashFile(file),
    })),
    cwd: relative(projectRoot, process.cwd()),
    options: asked,
    versions: { assay: version, node: process.version },
    git_revision: gitRevision(projectRoot),
    shard,
  };
}
