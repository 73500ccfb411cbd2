import { join, relative, resolve } from 'node:path';
import { refuseDamaged } from './check-run.ts';
import { latestEntries } from './latest-entries.ts';
import { listRuns, type RunDescription, type RunDirectory } from './run-directory.ts';

/** What did not pass when it was last run. */
export interface LastFailed {
  /** The latest run that tells. */
  readonly runId: string;
  /** A run that may have failed in what it did not come to, and why. */
  readonly open?: { readonly runId: string; readonly reason: string } | undefined;
  /** Named `file::test`, with files as they are called in this folder. */
  readonly tests: ReadonlySet<string>;
}

interface Question {
  readonly cwd: string;
  /** The files that are asked about, as they are called in this folder. */
  readonly files: readonly string[];
  /** Whether a run was asked for every test of its files. */
  isWhole(description: RunDescription): boolean;
}

/**
 * The newest record of each test decides. A run of a part says nothing about the other tests, so that the runs are gone
 * through from the latest one back, until every file has been run as a whole. Undefined when there is no run.
 */
export function findLastFailed(projectRoot: string, question: Question): LastFailed | undefined {
  const { cwd, files, isWhole } = question;
  const unsettled = new Set(files.map((file) => resolve(cwd, file)));
  const isBad = new Map<string, boolean>();
  let runId: string | undefined;
  let open: LastFailed['open'];
  for (const run of listRuns(projectRoot).toReversed()) {
    const description = run.description();
    const own = description?.files.map(({ file }) => resolve(projectRoot, file)) ?? [];
    if (own.length > 0 && !own.some((file) => unsettled.has(file))) continue;
    refuseDamaged(run);
    const verdicts = verdictsOf(run, join(projectRoot, description?.cwd ?? ''));
    // A run in which nothing ran says nothing about what failed.
    if (verdicts.size === 0 && !hasInvalidFile(run)) continue;
    runId ??= run.runId;
    for (const verdict of verdicts.values()) {
      const here = `${relative(cwd, verdict.file)}::${verdict.test}`;
      if (unsettled.has(verdict.file) && !isBad.has(here)) isBad.set(here, verdict.isBad);
    }
    const reason = whyOpen(
      run,
      [...verdicts.values()].some((verdict) => verdict.isBad),
    );
    if (reason !== undefined) open ??= { runId: run.runId, reason };
    const isSettling = description !== undefined && description.shard === undefined && isWhole(description);
    if (!isSettling || !isComplete(run)) continue;
    for (const file of own) unsettled.delete(file);
    if (unsettled.size === 0 || isOfProject(description)) break;
  }
  if (runId === undefined) return undefined;
  const failed = [...isBad].filter(([, bad]) => bad).map(([name]) => name);
  return { runId, open, tests: new Set(failed) };
}

interface TestVerdict {
  readonly file: string;
  readonly test: string;
  /** One of its attempts did not pass. */
  readonly isBad: boolean;
}

function verdictsOf(run: RunDirectory, folder: string): ReadonlyMap<string, TestVerdict> {
  const verdicts = new Map<string, TestVerdict>();
  for (const { file, test, isBad } of latestEntries(run.journalPath).values()) {
    const name = `${file}::${test}`;
    const before = verdicts.get(name);
    verdicts.set(name, { file: resolve(folder, file), test, isBad: isBad || before?.isBad === true });
  }
  return verdicts;
}

/** Why more may fail than a run has records of; undefined when its records tell all. */
function whyOpen(run: RunDirectory, hasBad: boolean): string | undefined {
  const ending = run.ending();
  // What a run of failed tests did not come to still counts as failed.
  const mayBeIncomplete = run.description()?.options['lastFailed'] === true;
  if (!mayBeIncomplete && ending?.summary.interrupted !== false) return 'did not get to its end';
  if (ending === undefined) return undefined;
  const { exit_code, summary } = ending;
  if (exit_code === 2) return 'ended with exit code 2: something in it was invalid';
  if (!mayBeIncomplete && summary.not_started > 0) return `left ${summary.not_started} attempts out`;
  if (summary.gates.some(({ outcome }) => outcome === 'undecided'))
    return `ended with exit code ${exit_code}: a gate is undecided`;
  return exit_code === 0 || exit_code === 130 || hasBad ? undefined : `ended with exit code ${exit_code}`;
}

function isComplete(run: RunDirectory): boolean {
  const summary = run.ending()?.summary;
  return summary?.interrupted === false && summary.not_started === 0;
}

/** Not only a filter that matched nothing. */
function hasInvalidFile(run: RunDirectory): boolean {
  const findings = run.ending()?.findings ?? [];
  return findings.some(({ severity, code }) => severity === 'error' && code !== 'no_tests');
}

function isOfProject({ options, cwd }: RunDescription): boolean {
  const paths = options['paths'] ?? [];
  return cwd === '' && Array.isArray(paths) && paths.length === 0;
}
