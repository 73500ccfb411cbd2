import { relative, resolve } from 'node:path';
import { readRecordAt } from '../journal/journal-reader.ts';
import type { JournalWriter } from '../journal/journal-writer.ts';
import { latestEntries, type EntryPlace } from '../journal/latest-entries.ts';
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

/** `--resume=RUN` with a run that is not there. */
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
  private readonly journal: JournalWriter;
  private readonly done: ReadonlyMap<string, EntryPlace>;

  constructor(options: RecordOptions) {
    const { projectRoot, suites, resume, shard, onError } = options;
    const files = suites.map(({ file }) => relative(projectRoot, resolve(file)));
    const found =
      resume === undefined
        ? undefined
        : resume === true
          ? latestOf(projectRoot, files, shard)
          : findRun(projectRoot, resume);
    if (found === undefined && typeof resume === 'string') throw new NoSuchRun(resume);
    if (found !== undefined) refuseOtherShard(found, shard);
    this.isContinued = found !== undefined;
    this.directory = found ?? createRunDirectory(projectRoot, (runId) => describe(runId, options));
    this.done = found === undefined ? new Map() : latestEntries(found.journalPath);
    if (found !== undefined) {
      found.reopen();
      renewPlan(found, shard);
    }
    this.journal = this.directory.openJournal({ onError });
  }

  /** The record of an attempt that was made before, if the test has not changed since. */
  recorded(id: string, fingerprint: string): AttemptRecord | undefined {
    const entry = this.done.get(id);
    return entry?.fingerprint === fingerprint ? readRecordAt(this.directory.journalPath, entry) : undefined;
  }

  append(record: AttemptRecord): void {
    this.journal.append(record);
  }

  end(ending: Omit<RunEnding, 'run_id'>): void {
    this.journal.close();
    this.directory.end({ run_id: this.directory.runId, ...ending });
  }

  /** The run ends without a summary: what was recorded is kept. */
  abandon(): void {
    try {
      this.journal.close();
    } catch {
      // It is already broken, and that was said.
    }
  }
}

function latestOf(
  projectRoot: string,
  files: readonly string[],
  shard: ShardDescription | undefined,
): RunDirectory | undefined {
  const wanted = JSON.stringify(files.toSorted());
  return listRuns(projectRoot).findLast((run) => {
    const description = run.description();
    return (
      JSON.stringify((description?.files ?? []).map(({ file }) => file).toSorted()) === wanted &&
      description?.shard?.index === shard?.index &&
      description?.shard?.total === shard?.total
    );
  });
}

function refuseOtherShard(run: RunDirectory, shard: ShardDescription | undefined): void {
  const nameOf = (of: ShardDescription | undefined): string =>
    of === undefined ? 'a whole run' : `shard ${of.index}/${of.total}`;
  const found = nameOf(run.description()?.shard);
  if (found !== nameOf(shard)) throw new NoSuchRun(run.runId, `resume as ${nameOf(shard)}: it is ${found}`);
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
