import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { BaselineOutcome } from '../../base/model/baseline-outcome.ts';
import type { Finding } from '../../base/model/finding.ts';
import { isJsonObject, type JsonObject } from '../../base/model/json.ts';
import type { RunSelection } from '../../base/model/selection.ts';
import type { Summary, TestSummary } from '../../base/model/summary.ts';
import { AmbiguousRun } from './ambiguous-run.ts';
import type { Damage } from './damaged-run.ts';
import type { JournalClaims } from './journal-check.ts';
import { JournalError } from './journal-error.ts';
import type { JournalSeal } from './journal-seal.ts';
import { removeDraftFolder } from '../../base/files/draft-file.ts';
import { refuseLinkedFolder, refuseLinks } from '../../base/files/make-folder.ts';
import { JournalWriter, type JournalOptions } from './journal-writer.ts';
import { isRun, removeCrashedRuns, removePartialFiles } from './remove-crashed-runs.ts';
import { RunLock } from './run-lock.ts';
import { RunTexts } from './run-texts.ts';
import { inSequence, sequenceAgain, takeSequence } from './run-sequence.ts';
import { readSealed, writeSealed, type SealedFile } from './sealed-file.ts';
import { timestamp } from '../../base/system/system-time.ts';

/** Which part of which plan a run is. */
export interface ShardDescription {
  /** Counts from 1. */
  readonly index: number;
  readonly total: number;
  /** A hash of every attempt of the whole plan: shards with another hash belong to another plan. */
  readonly plan: string;
  /** How many attempts the whole plan has, and how many of them are in this shard. */
  readonly plan_attempts: number;
  readonly attempts: number;
  /** The run whose durations were used to split the plan; absent if the attempts' ids decided. */
  readonly balanced_by?: string | undefined;
}

/** A file of a run. */
interface RunFile {
  readonly file: string;
  readonly hash: string;
  /** How many of its attempts are planned; absent if the number of repeats depends on the results. */
  readonly planned?: number | undefined;
}

/** The options of a run: `run.json`. */
export interface RunDescription {
  readonly run_id: string;
  /** Orders the runs of a project; runs of older versions have none. */
  readonly sequence?: number | undefined;
  readonly started_at: string;
  readonly files: readonly RunFile[];
  /** Where it was started, relative to the project: file names in its records are relative to this folder. */
  readonly cwd: string;
  readonly options: JsonObject;
  /** What the run leaves out of its files; absent if it runs them completely. */
  readonly selection?: RunSelection | undefined;
  /** The agents by name, each with a hash of its settings, and with those that it reads itself. */
  readonly targets?:
    | readonly { readonly name: string; readonly settings: string; readonly with?: JsonObject | undefined }[]
    | undefined;
  readonly versions: { readonly assay: string; readonly node: string };
  readonly git_revision?: string | undefined;
  readonly git_branch?: string | undefined;
  /** The first line of the commit's message. */
  readonly git_title?: string | undefined;
  readonly shard?: ShardDescription | undefined;
}

export interface RunEnding {
  readonly run_id: string;
  readonly exit_code: number;
  readonly summary: Summary;
  /**
   * The tests that are repeated or have a gate, and have attempts that were not started: no record mentions these.
   */
  readonly tests?: readonly TestSummary[] | undefined;
  /** Those of the files and of the run as a whole; those of an attempt are in its record. */
  readonly findings?: readonly Finding[] | undefined;
  /** How it compares with its baseline; absent without one, and in runs of older versions. */
  readonly baselines?: readonly BaselineOutcome[] | undefined;
  /** What it wrote to the journal; absent in runs of older versions. */
  readonly journal?: JournalSeal | undefined;
}

/** The folder of one run: its options, one line per finished attempt, and a summary once it has ended. */
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

  /** From here on no other process writes to the run. Throws a RunLockedError if one does; a link is refused. */
  lock(): void {
    if (this.held !== undefined) return;
    refuseLinkedFolder(this.path);
    this.held = RunLock.acquire(this.path);
    removePartialFiles(this.path);
  }

  unlock(): void {
    this.held?.release();
    this.held = undefined;
  }

  /** What models were sent: only in runs in which Assay saw model calls. */
  get textsPath(): string {
    return join(this.path, 'texts.jsonl');
  }

  openJournal(options: Omit<JournalOptions, 'runId' | 'texts'>): JournalWriter {
    const texts = new RunTexts(this.textsPath);
    return new JournalWriter(this.journalPath, { ...options, runId: this.runId, texts });
  }

  /** Undefined if it is damaged. */
  description(): RunDescription | undefined {
    const file = readSealed(this.descriptionPath, DESCRIPTION);
    return file.state === 'intact' ? (file.value as unknown as RunDescription) : undefined;
  }

  describe(description: RunDescription): void {
    writeSealed(this.descriptionPath, description);
  }

  /** The same for a run with a damaged description. It keeps its position among the other runs. */
  describeAgain(description: Omit<RunDescription, 'sequence'>): void {
    const folder = dirname(this.path);
    const runs = readdirSync(folder).map((name) => join(folder, name));
    this.describe(numbered(description, sequenceAgain(runs.filter(isRun), this.path)));
  }

  /** Undefined if the run did not end, or if its summary is damaged. */
  ending(): RunEnding | undefined {
    const file = readSealed(this.endingPath, ENDING);
    return file.state === 'intact' ? (file.value as unknown as RunEnding) : undefined;
  }

  hasEnded(): boolean {
    return existsSync(this.endingPath);
  }

  /** The run continues: until it ends again, it has no summary. */
  reopen(): void {
    rmSync(this.endingPath, { force: true });
  }

  /** Writes the summary in one step: without one, the run did not end. */
  end(ending: RunEnding): void {
    try {
      writeSealed(this.endingPath, ending);
    } catch (error) {
      throw new JournalError(this.endingPath, error);
    }
  }

  /** What the other files say about the journal. */
  journalClaims(): JournalClaims {
    const ending = this.ending();
    return {
      seal: ending?.journal,
      summary: ending?.summary,
      runId: ending?.run_id ?? this.description()?.run_id,
    };
  }

  /** What is wrong with the files beside the journal. */
  damagedFiles(): readonly Damage[] {
    const description = readSealed(this.descriptionPath, DESCRIPTION);
    const ending = readSealed(this.endingPath, ENDING);
    const problems = [
      {
        file: this.descriptionPath,
        problem: description.state === 'missing' ? 'it is missing' : problemOf(description),
      },
      {
        file: this.endingPath,
        problem: problemOf(ending) ?? otherRun(description, ending) ?? madeOfDamaged(ending),
      },
    ];
    return problems.flatMap(({ file, problem }) =>
      problem === undefined ? [] : [{ file, message: problem }],
    );
  }

  private get descriptionPath(): string {
    return join(this.path, 'run.json');
  }

  private get endingPath(): string {
    return join(this.path, 'summary.json');
  }
}

function problemOf(file: SealedFile): string | undefined {
  return file.state === 'damaged' ? file.problem : undefined;
}

function otherRun(description: SealedFile, ending: SealedFile): string | undefined {
  if (description.state !== 'intact' || ending.state !== 'intact') return undefined;
  const { run_id } = ending.value;
  return run_id === description.value['run_id']
    ? undefined
    : `it is the summary of another run, ${String(run_id)}`;
}

/** A run merged from a damaged run is damaged too. */
function madeOfDamaged(ending: SealedFile): string | undefined {
  if (ending.state !== 'intact') return undefined;
  const { findings = [] } = ending.value as unknown as RunEnding;
  return findings.some(({ code, severity }) => code === 'damaged_run' && severity === 'error')
    ? 'a run that this one was made from was damaged'
    : undefined;
}

const DESCRIPTION = {
  mark: 'sequence',
  isWhole: ({ run_id, started_at, files, options, cwd = '' }: JsonObject): boolean =>
    [run_id, started_at, cwd].every((text) => typeof text === 'string') &&
    Array.isArray(files) &&
    files.every((file) => isJsonObject(file) && typeof file['file'] === 'string') &&
    isJsonObject(options),
};

const ENDING = {
  mark: 'journal',
  isWhole: ({
    exit_code,
    summary,
    tests = [],
    findings = [],
    baselines = [],
    journal,
  }: JsonObject): boolean =>
    typeof exit_code === 'number' &&
    isJsonObject(summary) &&
    COUNTS.every((name) => typeof summary[name] === 'number') &&
    typeof summary['interrupted'] === 'boolean' &&
    Array.isArray(summary['gates']) &&
    Array.isArray(tests) &&
    Array.isArray(findings) &&
    Array.isArray(baselines) &&
    (journal === undefined || isJsonObject(journal)),
};
const COUNTS = [
  'tests',
  'attempts',
  'passed',
  'failed',
  'error',
  'skipped',
  'not_started',
  'duration_ms',
] as const;

/** What Assay writes below `.assay`, in this run or later. */
const OWN_FOLDERS = ['runs', 'sequence', 'drafts', 'removed', 'cache/judge', 'cache/view'];

export function createRunDirectory(
  projectRoot: string,
  describe: (runId: string) => Omit<RunDescription, 'sequence'>,
): RunDirectory {
  for (const name of OWN_FOLDERS) refuseLinks(join(projectRoot, '.assay', name), projectRoot);
  const runId = createRunId(timestamp());
  const directory = new RunDirectory(join(runsFolder(projectRoot), runId));
  try {
    makeFolder(join(projectRoot, '.assay'));
    ignoreAll(join(projectRoot, '.assay', '.gitignore'));
    makeFolder(runsFolder(projectRoot));
    removeCrashedRuns(runsFolder(projectRoot));
    removeDraftFolder(join(projectRoot, '.assay', 'drafts'));
    makeFolder(directory.path);
    // Before run.json exists, by which others find it.
    directory.lock();
    directory.describe(numbered(describe(runId), nextSequence(projectRoot)));
    return directory;
  } catch (error) {
    rmSync(directory.path, { recursive: true, force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    throw Object.assign(new Error(`${directory.path} cannot be written: ${message}`, { cause: error }), {
      code,
    });
  }
}

function ignoreAll(path: string): void {
  // Not through a link that leads nowhere.
  if (lstatSync(path, { throwIfNoEntry: false })) return;
  try {
    writeFileSync(path, '*\n', { flag: 'wx' });
  } catch (error) {
    // Another run may have started at the same time.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** The number comes second, so that it is found without reading the rest. */
function numbered(
  { run_id, ...description }: Omit<RunDescription, 'sequence'>,
  sequence: number,
): RunDescription {
  return { run_id, sequence, ...description };
}

function nextSequence(projectRoot: string): number {
  const folder = join(projectRoot, '.assay', 'sequence');
  makeFolder(folder);
  return takeSequence(folder, foldersOfRuns(projectRoot));
}

/** One by one: if a folder and its parents cannot be created together, Node does not say why. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** All runs of a project, the latest last. */
export function listRuns(projectRoot: string): readonly RunDirectory[] {
  return inSequence(runFolders(projectRoot)).map((path) => new RunDirectory(path));
}

function runFolders(projectRoot: string): readonly string[] {
  return foldersOfRuns(projectRoot).filter(isRun);
}

/** Also those without a run: to look into each takes long where there are thousands. */
function foldersOfRuns(projectRoot: string): readonly string[] {
  const folder = runsFolder(projectRoot);
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

/** A run by its id, the start of its id, its folder, or `latest`. Throws AmbiguousRun if several match. */
export function findRun(projectRoot: string, name: string): RunDirectory | undefined {
  if (isRun(name)) return new RunDirectory(name);
  const runs = listRuns(projectRoot);
  if (name === 'latest') return latestOf(runs);
  const begun = runs.filter((run) => run.runId.startsWith(name));
  const exact = begun.find((run) => run.runId === name);
  if (exact === undefined && begun.length > 1)
    throw new AmbiguousRun(
      name,
      begun.map(({ runId }) => runId),
    );
  return exact ?? begun[0];
}

/** A run that ended without an attempt, for example after a mistyped filter, is skipped if there is another. */
function latestOf(runs: readonly RunDirectory[]): RunDirectory | undefined {
  return runs.findLast((run) => run.ending()?.summary.attempts !== 0) ?? runs.at(-1);
}

function runsFolder(projectRoot: string): string {
  return join(projectRoot, '.assay', 'runs');
}

/** Starts with the time, and is unique. */
function createRunId(now: string): string {
  const time = now.replaceAll(/[-:]/g, '').replace('.', '-').replace('Z', '');
  return `${time}-${randomBytes(4).toString('hex')}`;
}
