import { relative, resolve } from 'node:path';
import { TargetResolver } from '../../suites/config/target-resolver.ts';
import { findNewestAttempts, type SoughtTest } from '../../runs/journal/newest-attempts.ts';
import { readOutlines } from '../../runs/journal/read-outlines.ts';
import { listRuns, type RunDirectory } from '../../runs/journal/run-directory.ts';
import type { OpenSuite } from '../../suites/load/open-suites.ts';
import { DEFAULT_GATE_RULES, type GateRules } from '../../base/model/gate.ts';
import type { PassAtLeast } from '../../base/model/pass-at-least.ts';
import type { Test } from '../../base/model/test.ts';
import type { RerunCounts, RerunReason } from '../../base/model/selection.ts';
import { testKey, testOfFile } from '../../base/model/test-key.ts';
import { fingerprint } from '../../run/plan/fingerprint.ts';
import { planTests } from '../../run/plan/plan.ts';
import type { Selection } from '../../run/plan/select.ts';
import { testGate } from '../../runs/fold/test-gate.ts';
import { CheckPrints } from '../evaluation/check-prints.ts';
import type { ProjectEvaluators } from '../evaluation/project-evaluators.ts';
import { gateRules, rulesOf } from '../basics/gate-rules.ts';
import type { RunOptions } from '../basics/run-options.ts';

/** What `--last-failed` runs. */
export interface TestsToRerun {
  /** Named `file::test`. Includes skipped ones, so that reports show them. */
  readonly tests: ReadonlySet<string>;
  /** Those of them that failed or could not be measured. */
  readonly failed: ReadonlySet<string>;
  /** Named `file::test::target`: targets of these tests that need not run. */
  readonly passedTargets: ReadonlySet<string>;
  /** Tests are selected, but none that can run has to. */
  readonly isComplete: boolean;
  readonly counts: RerunCounts;
  /** The newest records of this many tests are passes. */
  readonly passed: number;
  /** The latest run with records of these files. */
  readonly latest?: RunDirectory | undefined;
  /** A run that was not green, although each of its tests passed. */
  readonly open?: { readonly runId: string; readonly exitCode: number } | undefined;
}

interface Question {
  readonly projectRoot: string;
  readonly suites: readonly OpenSuite[];
  readonly selection: Selection;
  readonly evaluators: ProjectEvaluators;
  /** A resumed run keeps the selection that it had before it had records. */
  readonly resumed?: RunDirectory | undefined;
}

/**
 * Every selected test without a newest record that is a pass, for its current text and its agent. Agents are only
 * named, not started.
 */
export async function findTestsToRerun(options: RunOptions, question: Question): Promise<TestsToRerun> {
  const { selection, projectRoot } = question;
  const { configs } = question.evaluators;
  const choice = { ...options, mayExecute: true, isNamingOnly: true, configs };
  const resolver = new TargetResolver(choice, process.cwd(), process.env);
  const suites = question.suites.filter(({ file }) => !resolver.isRefused(file));
  await resolver.prepare(suites);
  const config = suites.length === 0 ? {} : await resolver.configFor(suites[0]!.file);
  const threshold = options.threshold ?? config.threshold;
  const redactor = await resolver.redactor();
  const sought = new Map<string, Map<string, readonly SoughtTest[]>>();
  const skipped: string[] = [];
  const wanted = new Map<SoughtTest, SelectedTest>();
  const prints = new CheckPrints({ resolver, projectRoot, kinds: question.evaluators.kinds });
  for await (const { suite, tests } of planTests(suites, selection)) {
    const file = redactor.text(relative(projectRoot, resolve(suite.file)));
    const ofFile = sought.get(file) ?? new Map<string, readonly SoughtTest[]>();
    sought.set(file, ofFile);
    const targetsOf = (test: Test) => resolver.targetsOf(suite.file, test);
    const checks = await prints.of(suite.file, tests, (test) => targetsOf(test).map((target) => target.name));
    for (const test of tests) {
      const name = testOfFile(suite.file, test.id);
      if (test.skip !== undefined) {
        skipped.push(name);
        continue;
      }
      const each = targetsOf(test).map(({ name: target, identity }): SoughtTest => {
        const ofTarget = checks.get(test)?.get(target);
        const settings = { target: identity, threshold, strict: options.strict, checks: ofTarget };
        return { fingerprint: fingerprint(test, settings), target };
      });
      ofFile.set(redactor.text(test.id), each);
      for (const one of each)
        wanted.set(one, {
          name,
          key: testKey({ file: suite.file, test: test.id, target: one.target }),
          repeats: test.repeats ?? numberOf(config.repeats),
          passAtLeast: test.pass_at_least,
        });
    }
  }
  const found = findNewestAttempts(sought, { projectRoot, runs: runsBefore(projectRoot, question.resumed) });
  const reasonOf = createClassifier({
    rules: gateRules(options, config),
    repeats: numberOf(options.repeats),
  });
  const counts: Record<RerunReason, number> = { ...NONE, skipped: skipped.length };
  const left: string[] = [];
  const failed = new Set<string>();
  const passedTargets = new Set<string>();
  for (const [test, one] of wanted) {
    const reason = reasonOf(test, one);
    if (reason === undefined) {
      passedTargets.add(one.key);
      continue;
    }
    counts[reason]++;
    left.push(one.name);
    if (reason === 'failed' || reason === 'error') failed.add(one.name);
  }
  return {
    tests: new Set([...left, ...skipped]),
    failed,
    passedTargets,
    isComplete: left.length === 0 && wanted.size + skipped.length > 0,
    counts,
    passed: wanted.size - left.length,
    latest: found[0],
    open: left.length === 0 ? findOpen(found) : undefined,
  };
}

interface SelectedTest {
  readonly name: string;
  /** With its target. */
  readonly key: string;
  readonly repeats: number | undefined;
  readonly passAtLeast: PassAtLeast | undefined;
}

const NONE: RerunCounts = {
  failed: 0,
  error: 0,
  undecided: 0,
  changed: 0,
  unskipped: 0,
  never_run: 0,
  skipped: 0,
};

function runsBefore(projectRoot: string, resumed: RunDirectory | undefined): readonly RunDirectory[] {
  const runs = listRuns(projectRoot);
  const index = runs.findIndex(({ runId }) => runId === resumed?.runId);
  return index === -1 ? runs : runs.slice(0, index);
}

/**
 * Why a test runs again; undefined if its newest records are passes, and enough of them for the run that recorded
 * them and for the current options.
 */
function createClassifier(
  today: PassRequirements,
): (test: SoughtTest, wanted: SelectedTest) => RerunReason | undefined {
  const asked = new Map<RunDirectory, PassRequirements>();
  return (test, { repeats, passAtLeast }) => {
    const { run, result } = test;
    if (run === undefined || result === undefined) return test.hasOther === true ? 'changed' : 'never_run';
    const { passed, failed, error, skipped } = result;
    if (failed > 0) return 'failed';
    if (skipped > 0 && passed + error === 0) return 'unskipped';
    if (skipped + error + result.not_graded > 0) return 'error';
    // Anybody may have changed the record since.
    if (test.isUnsealed === true) return 'undecided';
    let then = asked.get(run);
    if (then === undefined) asked.set(run, (then = askedOf(run)));
    const isEnough =
      isDecided(passed, { repeats, passAtLeast: result.passAtLeast }, then) &&
      isDecided(passed, { repeats, passAtLeast }, today);
    return isEnough ? undefined : 'undecided';
  };
}

/** The requirements of a run. */
interface PassRequirements {
  readonly rules: GateRules;
  /** For every test, overriding its own setting. */
  readonly repeats: number | undefined;
}

/** Whether this many passes, and nothing else, are enough. */
function isDecided(
  passed: number,
  { repeats, passAtLeast }: Omit<SelectedTest, 'name' | 'key'>,
  asked: PassRequirements,
): boolean {
  const notStarted = Math.max(0, (asked.repeats ?? repeats ?? 1) - passed);
  const gate = testGate({ passed, failed: 0, error: 0, notStarted, passAtLeast }, asked.rules);
  return gate === undefined ? notStarted === 0 : gate.outcome === 'held';
}

function askedOf(run: RunDirectory): PassRequirements {
  const rules = rulesOf([run]) ?? DEFAULT_GATE_RULES;
  return { rules, repeats: numberOf(run.description()?.options['repeats']) };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** A baseline or a gate over the run decided, not a single test. */
function findOpen(runs: readonly RunDirectory[]): TestsToRerun['open'] {
  for (const run of runs) {
    const { exit_code: exitCode = 0, summary } = run.ending() ?? {};
    const isOpen = (exitCode === 1 || exitCode === 3) && summary?.not_started === 0;
    if (isOpen && !hasBad(run)) return { runId: run.runId, exitCode };
  }
  return undefined;
}

function hasBad({ journalPath }: RunDirectory): boolean {
  for (const { verdict } of readOutlines(journalPath))
    if (verdict === 'failed' || verdict === 'error') return true;
  return false;
}
