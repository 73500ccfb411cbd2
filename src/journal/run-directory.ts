import { randomBytes } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import type { Finding } from '../model/finding.ts';
import type { JsonObject } from '../model/json.ts';
import { printJson } from '../model/print-json.ts';
import type { Summary, TestSummary } from '../model/summary.ts';
import { JournalError } from './journal-error.ts';
import { readRecordLines } from './journal-reader.ts';
import { JOURNAL_VERSION, JournalWriter, type JournalOptions } from './journal-writer.ts';
import { isRun, removeHalfBegun, removeHalfWritten } from './left-behind.ts';
import { RunLock } from './run-lock.ts';
import { timestamp } from '../system-time.ts';

/** Which part of which plan a run is. */
export interface ShardDescription {
  /** Counts from 1. */
  readonly index: number;
  readonly total: number;
  /** A hash of every attempt of the whole plan: shards with another one are of another plan. */
  readonly plan: string;
  /** How many attempts the whole plan has, and how many of them are in this shard. */
  readonly plan_attempts: number;
  readonly attempts: number;
  /** The run by whose durations the plan was split; the attempts' ids decided otherwise. */
  readonly balanced_by?: string | undefined;
}

/** What a run was asked to do: `run.json`. */
export interface RunDescription {
  readonly run_id: string;
  readonly started_at: string;
  readonly files: readonly { readonly file: string; readonly hash: string }[];
  /** Where it was started, relative to the project: the files of its records are relative to it. */
  readonly cwd: string;
  readonly options: JsonObject;
  readonly versions: { readonly assay: string; readonly node: string };
  readonly git_revision?: string | undefined;
  readonly shard?: ShardDescription | undefined;
}

export interface RunEnding {
  readonly run_id: string;
  readonly exit_code: number;
  readonly summary: Summary;
  /** Those that are repeated or have a gate, and of which attempts were not started: no record tells these. */
  readonly tests?: readonly TestSummary[] | undefined;
  /** Of the files and of the run as a whole; those of an attempt stand in its record. */
  readonly findings?: readonly Finding[] | undefined;
}

/** The folder of one run: what was asked, a line for each finished attempt, and a summary once it has ended. */
export class RunDirectory {
  readonly path: string;
  readonly runId: string;
  private held: RunLock | undefined;

  constructor(path: string) {
    this.path = path;
    this.runId = basename(path);
  }

  get journalPath(): string {
    return join(this.path, 'results.jsonl');
  }

  /** From here on no other process writes to the run. Throws a RunLockedError when one does. */
  lock(): void {
    if (this.held !== undefined) return;
    this.held = RunLock.acquire(this.path);
    removeHalfWritten(this.path);
  }

  unlock(): void {
    this.held?.release();
    this.held = undefined;
  }

  openJournal(options: JournalOptions): JournalWriter {
    const isNew = !existsSync(this.journalPath);
    const writer = new JournalWriter(this.journalPath, options);
    if (isNew) writer.append({ assay_journal: JOURNAL_VERSION, run_id: this.runId });
    return writer;
  }

  /** Undefined when it is damaged. */
  description(): RunDescription | undefined {
    const description = readJson(join(this.path, 'run.json')) as RunDescription | undefined;
    return Array.isArray(description?.files) ? description : undefined;
  }

  describe(description: RunDescription): void {
    writeAtomically(join(this.path, 'run.json'), `${printJson(description, '  ')}\n`);
  }

  /** Undefined when the run did not end. */
  ending(): RunEnding | undefined {
    return readJson(join(this.path, 'summary.json')) as RunEnding | undefined;
  }

  /** The run goes on: until it ends again, it has not ended. */
  reopen(): void {
    rmSync(join(this.path, 'summary.json'), { force: true });
  }

  /** Writes the summary in one step: its absence means that the run did not end. */
  end(ending: RunEnding): void {
    const path = join(this.path, 'summary.json');
    try {
      writeAtomically(path, `${printJson(ending, '  ')}\n`);
    } catch (error) {
      throw new JournalError(path, error);
    }
  }
}

export function createRunDirectory(
  projectRoot: string,
  describe: (runId: string) => RunDescription,
): RunDirectory {
  refuseLink(join(projectRoot, '.assay'));
  const runId = createRunId(timestamp());
  const directory = new RunDirectory(join(runsFolder(projectRoot), runId));
  try {
    makeFolder(join(projectRoot, '.assay'));
    const ignore = join(projectRoot, '.assay', '.gitignore');
    if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
    makeFolder(runsFolder(projectRoot));
    removeHalfBegun(runsFolder(projectRoot));
    makeFolder(directory.path);
    // Before there is a run.json, by which others find it.
    directory.lock();
    directory.describe(describe(runId));
    return directory;
  } catch (error) {
    rmSync(directory.path, { recursive: true, force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    throw Object.assign(new Error(`${directory.path} cannot be written: ${message}`, { cause: error }), {
      code,
    });
  }
}

/** One by one: of a folder that cannot be made with those above it, Node does not say why. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Through a link, runs would be written to wherever it points. */
function refuseLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    throw Object.assign(new Error(`${path} is a link, and runs are not written through links`), {
      code: 'EPERM',
    });
  }
}

function readJson(path: string): unknown {
  try {
    // Reading a device or a FIFO would not end.
    return statSync(path).isFile() ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
  } catch {
    return undefined;
  }
}

/** All runs of a project, the latest last. */
export function listRuns(projectRoot: string): readonly RunDirectory[] {
  const folder = runsFolder(projectRoot);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => isRun(join(folder, name)))
    .sort()
    .map((name) => new RunDirectory(join(folder, name)));
}

/** A run by its id, the beginning of its id, its folder, or `latest`. */
export function findRun(projectRoot: string, name: string): RunDirectory | undefined {
  if (existsSync(join(name, 'results.jsonl'))) return new RunDirectory(name);
  const runs = listRuns(projectRoot);
  return name === 'latest' ? latestOf(runs) : runs.findLast((run) => run.runId.startsWith(name));
}

/** Of a run that ended without a record, as after a mistyped filter, there is nothing to see while there is another. */
function latestOf(runs: readonly RunDirectory[]): RunDirectory | undefined {
  return runs.findLast((run) => run.ending() === undefined || hasRecords(run)) ?? runs.at(-1);
}

function hasRecords({ journalPath }: RunDirectory): boolean {
  try {
    for (const _ of readRecordLines(journalPath)) return true;
    return false;
  } catch {
    // Of another version: whoever reads it says so.
    return true;
  }
}

function runsFolder(projectRoot: string): string {
  return join(projectRoot, '.assay', 'runs');
}

/** Sorts by time, and is unique. */
function createRunId(now: string): string {
  const time = now.replaceAll(/[-:]/g, '').replace('.', '-').replace('Z', '');
  return `${time}-${randomBytes(4).toString('hex')}`;
}

function writeAtomically(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, { mode: 0o600, flush: true });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
