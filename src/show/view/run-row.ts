import { statSync } from 'node:fs';
import { checkRun } from '../../runs/journal/check-run.ts';
import { damageText } from '../../runs/journal/damaged-run.ts';
import { readLive } from '../../runs/journal/live-file.ts';
import type { RunDescription, RunDirectory } from '../../runs/journal/run-directory.ts';
import type { LiveState, RunCounts, RunRow, RunState, TargetRow } from '../../base/model/page-data.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { Summary } from '../../base/model/summary.ts';
import { selectionNotes } from '../../base/model/selection-notes.ts';
import { comparableKeys } from './comparable-key.ts';
import { rateOf } from './rate.ts';
import { refuseRemoved, RemovedRun } from './removed-run.ts';
import type { RunTotals, TargetTotals } from './run-totals.ts';
import { grouped } from '../../base/model/grouped.ts';

/** What can be known of a run without its journal. */
export interface RunFacts {
  readonly state: RunState;
  readonly description: RunDescription;
  readonly ending?: ReturnType<RunDirectory['ending']>;
  readonly live?: LiveState | undefined;
  /** The time until its last record. */
  readonly lastedMs: number;
}

/** Throws a RemovedRun if its folder is gone. */
export function factsOf(run: RunDirectory): RunFacts {
  refuseRemoved(run);
  const description = describe(run);
  const known = { description, lastedMs: durationOf(run, description) };
  // The writer of a run writes its summary before it exits: checked in this order, a run never seems to be cut off.
  const live = readLive(run.path);
  const ending = run.ending();
  if (ending !== undefined)
    return { ...known, state: ending.summary.interrupted ? 'interrupted' : 'ended', ending };
  return live === undefined ? { ...known, state: 'broken_off' } : { ...known, state: 'running', live };
}

/** A run in the list. Totals and damage come from its records, as far as they are known. */
export function runRow(
  facts: RunFacts,
  totals: RunTotals | undefined,
  damage: readonly string[] = [],
): RunRow {
  const { state, description, ending } = facts;
  const keys = comparableKeys(facts, totals, damage);
  const isDamaged = damage.length > 0;
  const named = targetNames(description);
  const summary = ending?.summary ?? {
    ...countsOf(totals),
    duration_ms: durationUntil(totals, facts),
    interrupted: false,
  };
  return {
    run_id: description.run_id,
    name: textOf(description.options['name']),
    state: isDamaged ? 'damaged' : state,
    started_at: description.started_at,
    files: description.files.map(({ file }) => file),
    targets: totals === undefined ? named : inOrder(totals.targets, named, (target) => target),
    by_target: inOrder(totals?.by_target ?? [], named, ({ target }) => target).map((target) => ({
      ...targetRow(target, keys.ofTarget(target)),
      ...ofSummary(ending?.summary, target.target),
    })),
    comparable: keys.run,
    git_revision: description.git_revision,
    git_branch: textOf(description.git_branch),
    git_title: textOf(description.git_title),
    exit_code: ending?.exit_code,
    summary,
    pass_rate: totals === undefined ? rateOfTests(summary) : rateOfAttempts(totals),
    ...costOf(ending?.summary, totals),
    latency_ms: totals?.latency_ms,
    left_out: leftOut(description),
    planned: ending === undefined ? plannedOf(description) : undefined,
    invalid: invalidOf(ending?.findings ?? []),
    is_replayed: description.options['cassettes'] === 'replay' ? true : undefined,
    merged_from: mergedFrom(description),
    gates: ending?.summary.gates,
    baselines: ending?.baselines,
    damage: isDamaged ? damage : undefined,
  };
}

/** The summary's numbers are those of the terminal; a run without one has only its records. */
function costOf(
  summary: Summary | undefined,
  totals: RunTotals | undefined,
): Pick<RunRow, 'cost_usd' | 'judge_cost_usd' | 'attempts_without_cost'> {
  if (summary === undefined) return { cost_usd: totals?.cost_usd, judge_cost_usd: totals?.judge_cost_usd };
  const { cost_usd, judge_cost_usd, attempts_without_cost } = summary;
  const isUnknown = cost_usd === undefined && judge_cost_usd === undefined;
  return {
    cost_usd: isUnknown ? undefined : (cost_usd ?? 0) + (judge_cost_usd ?? 0),
    judge_cost_usd,
    attempts_without_cost,
  };
}

/** Undefined if a file does not say. */
function plannedOf({ files }: RunDescription): number | undefined {
  const counts = files.map(({ planned }) => planned);
  return counts.includes(undefined) ? undefined : counts.reduce((sum = 0, count = 0) => sum + count, 0);
}

/** `broken.yaml:5:17 unknown evaluator, and 2 more errors`. */
function invalidOf(findings: readonly Finding[]): string | undefined {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (first === undefined) return undefined;
  const place = first.file === '' ? '' : `${first.file}:${first.line}:${first.column} `;
  const more = errors.length - 1;
  return `${place}${first.message}${more === 0 ? '' : `, and ${grouped(more)} more ${more === 1 ? 'error' : 'errors'}`}`;
}

/** A manually edited run.json may contain anything. */
export function mergedFrom(description: RunDescription | undefined): readonly string[] | undefined {
  const merged = description?.options['merged'];
  return Array.isArray(merged) ? merged.filter((id) => typeof id === 'string') : undefined;
}

/** As people named them. A manually edited run.json may contain anything. */
function targetNames({ targets }: RunDescription): readonly string[] {
  if (!Array.isArray(targets)) return [];
  return targets.flatMap((target: { readonly name?: unknown } | null) => textOf(target?.name) ?? []);
}

/** Those that are not in `names` come last. */
function inOrder<T>(list: readonly T[], names: readonly string[], nameOf: (one: T) => string): readonly T[] {
  const place = (one: T): number => (names.indexOf(nameOf(one)) + names.length + 1) % (names.length + 1);
  return list.toSorted((a, b) => place(a) - place(b));
}

/** The terminal's numbers of a target; a run that has not ended has only its records. */
function ofSummary(
  summary: Summary | undefined,
  target: string,
): Pick<TargetRow, 'agent_cost_usd' | 'attempts_without_cost' | 'attempt_ms'> {
  const found = summary?.targets?.find((one) => one.target === target);
  if (found === undefined) return {};
  return {
    agent_cost_usd: found.cost_usd,
    attempts_without_cost: found.attempts_without_cost,
    attempt_ms: found.attempts === 0 ? undefined : found.duration_ms / found.attempts,
  };
}

function targetRow(totals: TargetTotals, comparable: string | undefined): TargetRow {
  const { target, has_every_test, latency_ms, attempt_ms } = totals;
  const { cost_usd, attempt_cost_usd, judge_cost_usd = 0 } = totals;
  return {
    target,
    has_every_test,
    summary: countsOf(totals),
    pass_rate: rateOfAttempts(totals),
    cost_usd,
    agent_cost_usd: cost_usd === undefined ? undefined : cost_usd - judge_cost_usd,
    attempt_cost_usd,
    attempt_ms,
    latency_ms,
    comparable,
  };
}

/** A manually edited run.json may contain anything. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function leftOut({ selection }: RunDescription): RunRow['left_out'] {
  const notes = selectionNotes(selection);
  return notes.length === 0 ? undefined : notes.map(({ text }) => text);
}

/** Without repeats, a test is one attempt. */
function rateOfTests({ tests, attempts, passed, failed, error }: RunCounts): RunRow['pass_rate'] {
  return tests === attempts ? rateOf({ passed, measured: passed + failed, errored: error }) : undefined;
}

function rateOfAttempts(
  totals: Pick<RunTotals, 'attempts' | 'passed_attempts' | 'measured_attempts' | 'skipped_attempts'>,
): RunRow['pass_rate'] {
  const { attempts, passed_attempts: passed, measured_attempts: measured, skipped_attempts } = totals;
  return rateOf({ passed, measured, errored: attempts - skipped_attempts - measured });
}

/** Of a run that crashed: until its last attempt ended, as the terminal says. One that is in progress goes on. */
function durationUntil(totals: RunTotals | undefined, { state, description, lastedMs }: RunFacts): number {
  const until = (totals?.ended_at ?? NaN) - Date.parse(description.started_at);
  return state !== 'broken_off' || Number.isNaN(until) ? lastedMs : Math.max(0, until);
}

function countsOf(totals: TargetRow['summary'] = NO_COUNTS): TargetRow['summary'] {
  const { tests, attempts, passed, failed, error, skipped, not_graded, flaky } = totals;
  return { tests, attempts, passed, failed, error, skipped, not_graded, flaky };
}

const NO_COUNTS = {
  tests: 0,
  attempts: 0,
  passed: 0,
  failed: 0,
  error: 0,
  skipped: 0,
  not_graded: 0,
  flaky: 0,
};

/** A run with a damaged `run.json` is still a run. Its folder may have been renamed. */
function describe(run: RunDirectory): RunDescription {
  const description = run.description();
  if (description !== undefined) return { ...description, cwd: description.cwd ?? '', run_id: run.runId };
  const folder = statSync(run.path, { throwIfNoEntry: false });
  if (folder === undefined) throw new RemovedRun(run);
  const started_at = folder.birthtime.toISOString();
  const versions = { assay: '', node: '' };
  return { run_id: run.runId, started_at, files: [], cwd: '', options: {}, versions };
}

/** What part of a run is damaged, for people: nothing needs to be read in full to know that something is. */
export function damageOf(run: RunDirectory): readonly string[] {
  const messages = checkRun(run).map(damageText);
  const rest = messages.length - MOST_DAMAGE;
  return rest > 0 ? [...messages.slice(0, MOST_DAMAGE), `and ${grouped(rest)} more`] : messages;
}

const MOST_DAMAGE = 100;

function durationOf({ journalPath }: RunDirectory, { started_at }: RunDescription): number {
  const written = statSync(journalPath, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Math.max(0, written - Date.parse(started_at)) || 0;
}
