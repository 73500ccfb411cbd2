import type { BaselineOutcome } from './baseline-outcome.ts';
import { formatDollars } from './dollars.ts';
import type { GateResult } from './gate.ts';
import type { RunCounts, RunRow } from './page-data.ts';
import { formatPercent } from './percent.ts';
import { describeStop } from './describe-stop.ts';
import type { Summary } from './summary.ts';
import { grouped } from './grouped.ts';
import { numbered } from './grouped.ts';

/** What the sentence about a run depends on. */
export interface HeadlineRun extends Pick<
  RunRow,
  'state' | 'exit_code' | 'targets' | 'gates' | 'baselines' | 'left_out' | 'invalid' | 'planned'
> {
  readonly summary: RunCounts & Partial<Pick<Summary, 'not_started' | 'undecided' | 'stopped_targets'>>;
}

export interface HeadlineContext {
  /** Attempts that a run in progress will have. */
  readonly planned?: number | undefined;
  /** What changed since the last run that it can be compared with. `when`: `yesterday`. */
  readonly since?: Since | undefined;
  /** Why tests failed. */
  readonly reasons?: Reasons | undefined;
}

/** The most common reason, of how many tests, and how many reasons there are. */
export interface Reasons {
  readonly text: string;
  readonly tests: number;
  readonly count: number;
}

export interface Since {
  readonly when: string;
  readonly new_failures: number;
  readonly fixes: number;
}

/** The sign belongs to the sentence: neither is shown without the other. */
export interface Headline {
  readonly outcome: 'passed' | 'failed' | 'error' | 'skipped' | 'running';
  readonly sentence: string;
}

/**
 * What a run came to, in one sentence: `Failed: 5 of 9 tests, 2 new since yesterday; the gate of 70% is broken`. The
 * exit code decides the sign; if it is green over tests that did not pass, the sentence says why.
 */
export function runHeadline(run: HeadlineRun, context: HeadlineContext = {}): Headline {
  switch (run.state) {
    case 'running':
      return { outcome: 'running', sentence: running(run, context.planned) };
    case 'damaged':
      return {
        outcome: 'error',
        sentence: `Damaged: results may be missing or wrong; ${soFar(run)}`,
      };
    case 'interrupted':
      return {
        outcome: 'error',
        sentence: join([`Interrupted: ${soFar(run)}`, ...notStarted(run)]),
      };
    case 'broken_off':
      return {
        outcome: 'error',
        sentence: join([`Crashed: ${ranOf(run)}`, soFar(run)]),
      };
    case 'ended':
      return ended(run, context);
  }
}

function ended(run: HeadlineRun, { since, reasons }: HeadlineContext): Headline {
  const { exit_code, summary } = run;
  const { tests, skipped, not_graded = 0 } = summary;
  const isGreen = exit_code === 0;
  if (tests === skipped) {
    const what = tests === 0 ? `Nothing ran: ${whyNothing(run)}` : `Skipped: ${allOf(run)}`;
    return {
      outcome: isGreen ? 'skipped' : 'error',
      sentence: join([what, ...(tests === 0 ? [] : notStarted(run)), 'nothing was checked']),
    };
  }
  if (not_graded > 0 && not_graded === tests)
    return { outcome: isGreen ? 'skipped' : 'error', sentence: `Not graded: ${allOf(run)}` };
  if (isGreen && not_graded === 0) return { outcome: 'passed', sentence: passed(run, since) };
  const unheld = clauses(run, ['broken', 'undecided']);
  if (exit_code === 1) return { outcome: 'failed', sentence: failed(run, { since, unheld, reasons }) };
  if (exit_code === 3) return { outcome: 'error', sentence: undecided(run, { since, unheld }) };
  const counts = `${verdicts(run)}${changes(summary.failed, since)}`;
  const why =
    exit_code === 2
      ? (run.invalid ?? 'some files or settings are not valid')
      : `exit code ${exit_code ?? 'unknown'}`;
  return {
    outcome: 'error',
    sentence: join([`Incomplete: ${why}`, counts, ...notStarted(run), ...unheld]),
  };
}

function whyNothing(run: HeadlineRun): string {
  const [unstarted] = notStarted(run);
  if (unstarted !== undefined) return unstarted;
  // A run that selects nothing is a mistake too, unless somebody allows it.
  const isInvalid = run.exit_code === 2 && (run.left_out ?? []).length === 0;
  return isInvalid ? 'no file has a test, or none is valid' : 'no test was selected';
}

function passed(run: HeadlineRun, since: Since | undefined): string {
  const { passed: ok, failed: bad, error, skipped, flaky } = run.summary;
  if (bad + error > 0) {
    const held = clauses({ ...run, baselines: [] }, ['held']).filter((clause) =>
      clause.startsWith('the gate'),
    );
    return join([
      `Passed, although ${verdicts(run)}${changes(bad, since)}`,
      held.length === 0 ? 'no gate forbids it' : held.join(' and '),
      ...notStarted(run),
      ...clauses(run, ['broken', 'undecided']),
      ...heldBaselines(run),
    ]);
  }
  const ran = ok === 1 ? `1 ${nounOf(run)}` : `all ${numbered(ok, nounOf(run))}`;
  const all = skipped === 0 ? ran : `${ran} that ran, ${skipped} skipped`;
  const wavering = flaky === 0 ? '' : `, ${flaky} flaky`;
  return join([
    `Passed: ${all}${wavering}${changes(0, since)}`,
    ...notStarted(run),
    ...clauses({ ...run, baselines: [] }, ['held']).filter((clause) => clause !== TEST_GATES.held),
    ...clauses(run, ['broken', 'undecided']),
    ...heldBaselines(run),
  ]);
}

interface Rest {
  readonly since: Since | undefined;
  readonly unheld: readonly string[];
  readonly reasons?: Reasons | undefined;
}

function failed(run: HeadlineRun, { since, unheld, reasons }: Rest): string {
  const { failed: bad, error, flaky } = run.summary;
  const rest = [...notStarted(run), ...heldBaselines(run)];
  if (bad > 0) {
    const errors = error === 0 ? '' : `, ${error} errored`;
    // A test that misses its own gate is one of those that failed.
    const others = unheld.filter((clause) => clause !== TEST_GATES.broken);
    const wavering = flaky === 0 ? '' : `, ${flaky} flaky`;
    return join([
      `Failed: ${share(bad, run)}${changes(bad, since)}${errors}${wavering}`,
      ...reasonOf(reasons, bad + error),
      ...others,
      ...rest,
    ]);
  }
  const all = error === 0 ? `${good(run)} passed` : verdicts(run);
  const why = unheld.length === 0 ? ['exit code 1'] : unheld;
  return join([`Failed: ${all}${changes(0, since)}`, ...why, ...rest]);
}

const LONGEST_REASON = 90;

/** What most of the tests failed for, if one reason explains that many. */
function reasonOf(reasons: Reasons | undefined, bad: number): readonly string[] {
  if (reasons === undefined) return [];
  const { text, tests, count: all } = reasons;
  if (all > 1 && (tests < 2 || tests * 2 < bad)) return [`${all} different reasons`];
  const shown = text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON - 1)}…` : text;
  return [all === 1 ? shown : `mostly ${shown}`];
}

function undecided(run: HeadlineRun, { since, unheld }: Rest): string {
  const { failed: bad, error } = run.summary;
  const counts = bad + error === 0 ? `${good(run)} passed` : verdicts(run);
  return join([`Inconclusive: ${counts}${changes(bad, since)}`, ...notStarted(run), ...unheld]);
}

/** What the run left undone. Without it, the share of the tests that ran looks like that of all. */
function notStarted({ summary: { not_started = 0, stopped_targets = [] } }: HeadlineRun): readonly string[] {
  if (not_started === 0) return [];
  return [
    `${numbered(not_started, 'attempt')} ${not_started === 1 ? 'was' : 'were'} not started`,
    ...stopped_targets.map(describeStop),
  ];
}

function heldBaselines(run: HeadlineRun): readonly string[] {
  return clauses({ ...run, gates: [] }, ['held']);
}

function running(run: HeadlineRun, planned: number | undefined): string {
  const { attempts, failed: bad, error } = run.summary;
  const done =
    planned === undefined ? numbered(attempts, 'attempt') : `${attempts} of ${numbered(planned, 'attempt')}`;
  const parts = [
    bad > 0 ? `${numbered(bad, nounOf(run))} failed` : '',
    error > 0 ? `${error} errored` : '',
  ].filter((part) => part !== '');
  return `Running: ${done} done${parts.length === 0 ? ', no failure so far' : `, ${parts.join(', ')} so far`}`;
}

/** `8 of 1,000 attempts ran`, where the plan is known. */
function ranOf({ summary: { attempts }, planned }: HeadlineRun): string {
  if (planned === undefined || planned < attempts) return 'the run did not end';
  return `${grouped(attempts)} of ${numbered(planned, 'attempt')} ran`;
}

/** Of a run without a normal end: how many tests it still tells of. */
function soFar(run: HeadlineRun): string {
  const { tests, failed: bad, error } = run.summary;
  const found = bad + error === 0 ? `no failure in ${numbered(tests, nounOf(run))}` : verdicts(run);
  return tests === 0 ? 'no test ended' : found;
}

/** `5 of 9 tests failed, 1 could not be measured`; `error` includes the undecided ones. */
function verdicts(run: HeadlineRun): string {
  const { failed: bad, error, undecided: open = 0 } = run.summary;
  const unmeasured = error - open;
  const parts: readonly (readonly [number, string])[] = [
    [bad, 'failed'],
    [unmeasured, 'errored'],
    [open, 'inconclusive'],
  ];
  const shown = parts.filter(([number]) => number > 0);
  if (shown.length === 0) return `${good(run)} passed`;
  return shown
    .map(([number, words], index) => `${index === 0 ? share(number, run) : number} ${words}`)
    .join(', ');
}

function good(run: HeadlineRun): string {
  const { tests, passed: ok } = run.summary;
  return ok === tests ? allOf(run) : share(ok, run);
}

function changes(bad: number, since: Since | undefined): string {
  if (since === undefined) return '';
  const { new_failures, fixes, when } = since;
  const parts = [
    new_failures > 0 ? `${new_failures} new` : bad > 0 ? 'none new' : '',
    fixes > 0 ? `${fixes} fixed` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `, ${parts.join(' and ')} since ${when}`;
}

type Outcome = GateResult['outcome'];

/** What people read; files and JSON keep their spelling. */
export const GATE_OUTCOMES = { held: 'passed', broken: 'failed', undecided: 'inconclusive' } as const;

/** One for each gate and baseline with one of these outcomes; those of several targets together. */
function clauses(
  { gates = [], baselines = [] }: HeadlineRun,
  outcomes: readonly Outcome[],
): readonly string[] {
  const targets = new Map<string, string[]>();
  const add = (clause: string, target: string | undefined): void => {
    const known = targets.get(clause) ?? [];
    targets.set(clause, target === undefined ? known : [...known, target]);
  };
  for (const gate of gates) if (outcomes.includes(gate.outcome)) add(gateClause(gate), gate.target);
  for (const one of baselines) if (outcomes.includes(one.outcome)) add(baselineClause(one), one.target);
  return [...targets].map(([clause, names]) => (names.length === 0 ? clause : `${clause} for ${and(names)}`));
}

const TEST_GATES = {
  held: 'all tests pass as often as required',
  broken: 'some tests do not pass as often as required',
  undecided: 'some tests have not run often enough to decide',
} as const;

function gateClause({ gate, wanted, outcome }: GateResult): string {
  const ends = outcome === 'undecided' ? 'is inconclusive' : GATE_OUTCOMES[outcome];
  switch (gate) {
    case 'min_pass_rate':
      return `the gate of ${formatPercent(wanted)} ${ends}`;
    case 'max_flaky': {
      const limit =
        wanted > 0 && wanted < 1 ? `${formatPercent(wanted)} flaky tests` : numbered(wanted, 'flaky test');
      return `the limit of ${limit} ${ends}`;
    }
    case 'pass_at_least':
      return TEST_GATES[outcome];
    case 'max_cost':
      return `the budget of ${formatDollars(wanted)} is spent`;
  }
}

function baselineClause({ outcome }: BaselineOutcome): string {
  if (outcome === 'held') return 'not worse than the baseline';
  return outcome === 'broken'
    ? 'worse than the baseline'
    : 'the comparison with the baseline is inconclusive';
}

/** A test of several targets has a result of each. */
function nounOf({ targets }: HeadlineRun): string {
  return targets.length > 1 ? 'result' : 'test';
}

function share(part: number, run: HeadlineRun): string {
  const { tests } = run.summary;
  return tests === 1 ? numbered(part, nounOf(run)) : `${grouped(part)} of ${numbered(tests, nounOf(run))}`;
}

function allOf(run: HeadlineRun): string {
  const { tests } = run.summary;
  return tests === 1 ? `1 ${nounOf(run)}` : `all ${numbered(tests, nounOf(run))}`;
}

function and(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function join(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('; ');
}
