import { relative, resolve } from 'node:path';
import { checkRun } from '../../runs/journal/check-run.ts';
import type { Damage } from '../../runs/journal/damaged-run.ts';
import type { JournalWriter } from '../../runs/journal/journal-writer.ts';
import { latestEntries, type EntryPlace } from '../../runs/journal/latest-entries.ts';
import { RecordFile } from '../../runs/journal/record-file.ts';
import { LiveFile } from '../../runs/journal/live-file.ts';
import {
  createRunDirectory,
  type RunDescription,
  type RunDirectory,
  type RunEnding,
  type ShardDescription,
} from '../../runs/journal/run-directory.ts';
import type { OpenSuite } from '../../suites/load/open-suites.ts';
import type { Redactor } from '../../base/match/redact-secrets.ts';
import type { JsonObject } from '../../base/model/json.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import { withoutTexts } from '../../base/model/sent-texts.ts';
import type { RunSelection } from '../../base/model/selection.ts';
import { attemptId, splitAttemptId } from '../../base/model/test-key.ts';
import { version } from '../../base/system/version.ts';
import type { EarlierRun } from '../resume/earlier-run.ts';
import type { GitState } from '../basics/git-revision.ts';
import { hashFile } from '../../base/files/hash-file.ts';
import { timestamp } from '../../base/system/system-time.ts';

interface RecordOptions {
  readonly projectRoot: string;
  /** The name of a file may contain a secret. */
  readonly redactor: Redactor;
  readonly suites: readonly OpenSuite[];
  /** The options, for `run.json`; they contain no secrets. */
  readonly asked: JsonObject;
  /** How many attempts of each file are planned; undefined if only the run can tell. */
  readonly planned: ReadonlyMap<string, number> | undefined;
  /** What the run leaves out of its files. */
  readonly selection: RunSelection | undefined;
  readonly targets: RunDescription['targets'];
  readonly git: GitState;
  /** The run to continue, if any. */
  readonly earlier: EarlierRun;
  readonly shard?: ShardDescription | undefined;
  readonly onError: (error: Error) => void;
}

/** A run in its directory, new or continued. */
export class RunRecord {
  readonly directory: RunDirectory;
  /** False when there was nothing to continue. */
  readonly isContinued: boolean;
  /** Runs that may be the right one, but whose files are unknown. */
  readonly damaged: readonly RunDirectory[];
  /** What part of the resumed run is damaged. */
  readonly damage: readonly Damage[];
  /** How many of its attempts have records without a checksum: they run again. */
  readonly unsealed: number;
  /** For processes that watch the run. */
  readonly live: LiveFile;
  private readonly onError: (error: Error) => void;
  private readonly journal: JournalWriter;
  private readonly earlier: RecordFile;
  private readonly done: ReadonlyMap<string, EntryPlace>;
  /** The highest number of a test's attempts, if above 1. */
  private readonly repeats: ReadonlyMap<string, number>;

  constructor(options: RecordOptions) {
    const { projectRoot, onError } = options;
    const { found, damaged } = options.earlier;
    this.onError = onError;
    this.damaged = damaged;
    this.isContinued = found !== undefined;
    this.directory = found ?? createRunDirectory(projectRoot, (runId) => describe(runId, options));
    this.earlier = new RecordFile(this.directory.journalPath);
    // Before anything is read: otherwise attempts that another process writes meanwhile would run twice.
    this.directory.lock();
    // Before the summary is removed: a run without either was cut off.
    this.live = new LiveFile(this.directory.path);
    try {
      this.damage = found === undefined ? [] : checkRun(found);
      const entries = found === undefined ? [] : [...latestEntries(found.journalPath)];
      // Without a checksum, the content cannot be verified.
      this.done = new Map(entries.filter(([, { isSealed }]) => isSealed));
      this.unsealed = entries.length - this.done.size;
      this.repeats = highestRepeats(this.done.keys());
      if (found !== undefined) {
        found.reopen();
        renew(found, options);
      }
      this.journal = this.directory.openJournal({ onError });
    } catch (error) {
      this.letGo();
      throw error;
    }
  }

  /** The record of an attempt that ran before, if the test has not changed since. */
  recorded(id: string, fingerprint: string): AttemptRecord | undefined {
    if (!this.isContinued) return undefined;
    const entry = this.done.get(id);
    return entry?.fingerprint === fingerprint ? this.earlier.recordAt(entry) : undefined;
  }

  /** How often a test ran, if it has not changed since. */
  repeatsMade(key: string, fingerprint: string): number {
    if (!this.isContinued) return 0;
    for (let repeat = this.repeats.get(key) ?? 0; repeat > 0; repeat--)
      if (this.done.get(attemptId(key, repeat))?.fingerprint === fingerprint) return repeat;
    return 0;
  }

  /** The record as the journal will have it. */
  keepTexts(record: AttemptRecord): AttemptRecord {
    try {
      return this.journal.keepTexts(record);
    } catch (error) {
      this.onError(error as Error);
      return withoutTexts(record);
    }
  }

  /**
   * `show` is called when the record is written: an agent that blocks this thread also blocks the journal, and a
   * result that was shown must not be lost if the process is killed meanwhile.
   */
  append(record: AttemptRecord, json: string | undefined, show: () => void): void {
    try {
      this.journal.append(record, json, show);
    } catch (error) {
      this.onError(error as Error);
    }
  }

  /** For events between records: they come after the records that wait to be shown. */
  inOrder(show: () => void): void {
    this.journal.inOrder(show);
  }

  /** Throws a JournalError if not everything could be written. */
  end(ending: Omit<RunEnding, 'run_id' | 'journal'>): void {
    try {
      this.journal.close();
      const { directory } = this;
      // Its folder may have been renamed.
      const run_id = directory.description()?.run_id ?? directory.runId;
      directory.end({ run_id, ...ending, journal: this.journal.seal });
    } finally {
      this.letGo();
    }
  }

  private letGo(): void {
    this.live.remove();
    this.directory.unlock();
  }

  /** The run ends without a summary: its records are kept. */
  abandon(): void {
    try {
      this.journal.close();
    } catch {
      // It is already broken, and that was said.
    } finally {
      this.letGo();
    }
  }
}

function highestRepeats(ids: Iterable<string>): ReadonlyMap<string, number> {
  const highest = new Map<string, number>();
  for (const id of ids) {
    const { key, repeat } = splitAttemptId(id);
    if (repeat > (highest.get(key) ?? 1)) highest.set(key, repeat);
  }
  return highest;
}

/**
 * A test that changed since runs again: a shard then belongs to another plan. New options apply from now on, even
 * if the run is cut off again.
 */
function renew(run: RunDirectory, renewed: RecordOptions): void {
  const { shard, asked, planned, selection, targets, projectRoot, redactor } = renewed;
  if (run.description() === undefined) run.describeAgain(describe(run.runId, renewed));
  const description = run.description();
  if (description === undefined) return;
  const { resume: _resume, ...options } = asked;
  const plannedIn = new Map(
    [...(planned ?? [])].map(([file, attempts]) => [
      redactor.text(relative(projectRoot, resolve(file))),
      attempts,
    ]),
  );
  run.describe({
    ...description,
    files: description.files.map((file) => ({ ...file, planned: plannedIn.get(file.file) })),
    options: { ...nameIn(description), ...options, paths: description.options['paths'] ?? [] },
    selection,
    targets,
    shard,
  });
}

/** A resumed run keeps its name unless it gets another one. */
function nameIn({ options: { name } }: RunDescription): JsonObject {
  return name === undefined ? {} : { name };
}

function describe(
  run_id: string,
  { suites, projectRoot, asked, planned, selection, targets, git, shard, redactor }: RecordOptions,
): Omit<RunDescription, 'sequence'> {
  return {
    run_id,
    started_at: timestamp(),
    files: suites.map(({ file, hash }) => ({
      file: redactor.text(relative(projectRoot, resolve(file))),
      hash: hash ?? hashFile(file),
      planned: planned?.get(file),
    })),
    cwd: relative(projectRoot, process.cwd()),
    options: asked,
    selection,
    targets,
    versions: { assay: version, node: process.version },
    ...git,
    shard,
  };
}
