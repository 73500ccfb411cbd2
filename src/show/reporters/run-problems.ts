import type { BaselineOutcome } from '../../base/model/baseline-outcome.ts';
import type { GateResult } from '../../base/model/gate.ts';
import { GATE_OUTCOMES } from '../../base/model/run-headline.ts';
import { AFTER_STOP, describeStop } from '../../base/model/describe-stop.ts';
import type { StoppedTarget } from '../../base/model/summary.ts';
import type { RunEnd } from './reporter.ts';
import { notStarted } from './summary-lines.ts';

/** A problem of the run itself, besides its tests and files. */
export interface RunProblem {
  /** The same in every run, so that systems can track it. */
  readonly code: GateResult['gate'] | 'interrupted' | 'stopped' | 'not_started' | 'baseline';
  /** The target whose problem it is, if the run has several. */
  readonly target?: string | undefined;
  /** In a few words, with the target. */
  readonly title: string;
  /** In a sentence. */
  readonly message: string;
  /** `error`: it could not be decided. */
  readonly verdict: 'failed' | 'error';
}

/** What reports that list tests must add: somebody who reads only the list must not see green. */
export function problemsOfRun(end: RunEnd): readonly RunProblem[] {
  // With a gate on the pass rate, attempts that were not started may not matter.
  if (end.exit_code === 0) return [];
  const { gates, interrupted } = end.summary;
  const problems = [
    ...(interrupted ? [interruption(end)] : []),
    ...gates.flatMap(gateProblem),
    ...(end.summary.stopped_targets ?? []).map((stopped) => stopProblem(stopped, end)),
    ...leftOut(end),
    ...(end.baselines ?? []).flatMap(baselineProblem),
  ];
  return problems.length > 0 ? problems : unexplained(end);
}

function interruption({ summary, tests }: RunEnd): RunProblem {
  const rest = summary.not_started === 0 ? '' : `; ${notStarted(summary, tests)}`;
  const message = `the run was interrupted: tests that were still running are not counted${rest}`;
  return { code: 'interrupted', title: 'interrupted', message, verdict: 'error' };
}

function gateProblem({ gate, target, outcome, message }: GateResult): readonly RunProblem[] {
  // Those of tests are shown with each test.
  if (outcome === 'held' || gate === 'pass_at_least') return [];
  const verdict = outcome === 'broken' ? 'failed' : 'error';
  const of = target === undefined ? '' : ` of ${target}`;
  return [{ code: gate, target, title: `gate ${gate}${of} ${GATE_OUTCOMES[outcome]}`, message, verdict }];
}

/** One for each target that was not called any more. */
function stopProblem(stopped: StoppedTarget, { summary, tests }: RunEnd): RunProblem {
  const { target, not_started } = stopped;
  const left = notStarted({ ...summary, not_started }, tests);
  return {
    code: 'stopped',
    target: summary.targets === undefined ? undefined : target,
    title: `${target} stopped, ${left}`,
    message: `${describeStop(stopped)}; ${left}: ${AFTER_STOP}`,
    verdict: 'error',
  };
}

/** A spent budget, a stopped target and an interruption already say how many attempts they left out. */
function leftOut({ summary, tests }: RunEnd): readonly RunProblem[] {
  const { interrupted, gates, stopped_targets = [] } = summary;
  const not_started = summary.not_started - stopped_targets.reduce((sum, each) => sum + each.not_started, 0);
  if (not_started <= 0 || interrupted || gates.some(({ gate }) => gate === 'max_cost')) return [];
  const title = notStarted({ ...summary, not_started }, tests);
  const message = `${title} because the run stopped early: continue with --resume`;
  return [{ code: 'not_started', title, message, verdict: 'error' }];
}

function baselineProblem({ target, outcome, message }: BaselineOutcome): readonly RunProblem[] {
  if (outcome === 'held') return [];
  const isWorse = outcome === 'broken';
  const of = target === undefined ? '' : ` of ${target}`;
  const title = `${isWorse ? 'regression' : 'comparison inconclusive'}${of}`;
  return [{ code: 'baseline', target, title, message, verdict: isWorse ? 'failed' : 'error' }];
}

/** Runs of older versions do not say how they compare with their baseline: only their exit code does. */
function unexplained({ exit_code, summary: { failed, error, gates } }: RunEnd): readonly RunProblem[] {
  const testsDecide = !gates.some(({ gate }) => gate === 'min_pass_rate');
  const isBad = testsDecide || gates.some(({ outcome }) => outcome !== 'held');
  const message = `compared with its baseline, the run ended with exit code ${exit_code}`;
  if (exit_code === 1 && !(isBad && failed > 0))
    return [{ code: 'baseline', title: 'regression', message, verdict: 'failed' }];
  if (exit_code === 3 && !(isBad && error > 0))
    return [{ code: 'baseline', title: 'comparison inconclusive', message, verdict: 'error' }];
  return [];
}
