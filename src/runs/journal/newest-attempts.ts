import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { addAttempt, emptyResult, type TestResult } from '../fold/test-result.ts';
import type { RecordOutline } from '../../base/model/record.ts';
import { readCheckedOutlines, refuseDamaged } from './check-run.ts';
import { hasChecksums } from './has-checksums.ts';
import type { RunDescription, RunDirectory } from './run-directory.ts';

/** A test whose newest records are looked for, and what was found. */
export interface SoughtTest {
  /** A record with another fingerprint belongs to an earlier version of the test, or to another agent. */
  readonly fingerprint: string;
  /** The agent's name in records. */
  readonly target: string;
  /** The latest run that has records of it. */
  run?: RunDirectory | undefined;
  /** What that run says about it. */
  result?: TestResult;
  /** Its records have no checksums, as journals of version 1 have none. */
  isUnsealed?: boolean;
  startedAt?: string;
  /** There are records of this test and agent with another fingerprint. */
  hasOther?: boolean;
}

/** By file, relative to the project, and by id, both as in records: one for each target. */
export type SoughtTests = ReadonlyMap<string, ReadonlyMap<string, SoughtTest | readonly SoughtTest[]>>;

export interface AttemptSearch {
  readonly projectRoot: string;
  /** The latest last. */
  readonly runs: readonly RunDirectory[];
  /** No more runs are read after this many bytes. */
  readonly maxBytes?: number | undefined;
}

/** Reading this much takes a few seconds. Tests not found in it count as never run, which is safe. */
const MAX_BYTES = 2 * 1024 ** 3;

/**
 * Finds the newest records of each test, and returns the runs that have records of the files, the latest first.
 * Runs are read from the latest one back, until every test was found. A run that was resumed after a later one
 * started may have newer records than that one: its failures count. Throws a DamagedRun: an older pass must not
 * stand in for a record that cannot be read.
 */
export function findNewestAttempts(sought: SoughtTests, search: AttemptSearch): readonly RunDirectory[] {
  const { projectRoot, runs, maxBytes = MAX_BYTES } = search;
  const pending = new Pending(sought);
  const searched: RunDirectory[] = [];
  let bytes = 0;
  let earliestStart = Infinity;
  for (const run of runs.toReversed()) {
    const description = run.description();
    if (description === undefined) {
      // It is unknown which tests it ran.
      if (journalOf(run).size > 0) refuseDamaged(run);
      continue;
    }
    if (!description.files.some(({ file }) => sought.has(file))) continue;
    const { size, writtenAt } = journalOf(run);
    const isOverlapping = writtenAt > earliestStart;
    if (!pending.isLeftIn(description) && !isOverlapping) continue;
    if (bytes > maxBytes) break;
    bytes += size;
    const { lines, found } = readRun(run, { sought, projectRoot, description });
    for (const file of found) pending.settle(file);
    if (lines > 0) searched.push(run);
    earliestStart = Math.min(earliestStart, Date.parse(description.started_at) || 0);
  }
  return searched;
}

/** The tests that were not found yet. */
class Pending {
  /** How many, by file. */
  private readonly files: Map<string, number>;

  constructor(sought: SoughtTests) {
    this.files = new Map([...sought].map(([file, tests]) => [file, [...tests.values()].flat().length]));
  }

  isLeftIn({ files }: RunDescription): boolean {
    return files.some(({ file }) => (this.files.get(file) ?? 0) > 0);
  }

  settle(file: string): void {
    this.files.set(file, this.files.get(file)! - 1);
  }
}

interface ReadOptions {
  readonly sought: SoughtTests;
  readonly projectRoot: string;
  readonly description: RunDescription;
}

interface ReadRun {
  readonly lines: number;
  /** The file of each test that was found first here. */
  readonly found: readonly string[];
}

function readRun(run: RunDirectory, options: ReadOptions): ReadRun {
  const { sought, projectRoot, description } = options;
  const found: string[] = [];
  const files = new Map<string, string>();
  const fileOf = (recorded: string): string => {
    let file = files.get(recorded);
    if (file === undefined)
      files.set(recorded, (file = relative(projectRoot, join(projectRoot, description.cwd ?? '', recorded))));
    return file;
  };
  let lines = 0;
  let isUnsealed: boolean | undefined;
  for (const outline of readCheckedOutlines(run)) {
    lines++;
    const file = fileOf(outline.file);
    for (const test of [sought.get(file)?.get(outline.test) ?? []].flat()) {
      if (!take(test, outline, run)) continue;
      isUnsealed ??= !hasChecksums(run.journalPath);
      test.isUnsealed = isUnsealed;
      found.push(file);
    }
  }
  return { lines, found };
}

/** Returns whether this is the first record found for the test. */
function take(test: SoughtTest, outline: RecordOutline, run: RunDirectory): boolean {
  const { fingerprint, target, repeat, verdict, duration_ms, started_at, pass_at_least } = outline;
  if (fingerprint !== test.fingerprint) {
    test.hasOther ||= test.run === undefined && target === test.target;
    return false;
  }
  const isFirst = test.run === undefined;
  test.run ??= run;
  const result = (test.result ??= emptyResult(outline));
  const attempt = { repeat, verdict, duration_ms };
  if (test.run === run) {
    addAttempt(result, attempt);
    result.passAtLeast = pass_at_least;
    if (!(started_at <= test.startedAt!)) test.startedAt = started_at;
  } else if (verdict !== 'passed' && started_at > test.startedAt!) addAttempt(result, attempt);
  return isFirst;
}

function journalOf({ journalPath }: RunDirectory): { readonly size: number; readonly writtenAt: number } {
  const stats = statSync(journalPath, { throwIfNoEntry: false });
  return { size: stats?.size ?? 0, writtenAt: stats?.mtimeMs ?? 0 };
}
