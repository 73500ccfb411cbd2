import type { OpenSuite } from '../../suites/load/open-suites.ts';
import type { AdaptiveRules } from '../../base/model/gate.ts';
import { AdaptivePlan } from '../../run/plan/adaptive-plan.ts';
import { outlinePlan, type PlanOutline } from '../../run/plan/plan-outline.ts';
import type { Test } from '../../base/model/test.ts';
import { planAttempts, type PlanOptions, type RunnableSuite } from '../../run/plan/plan.ts';
import type { RunTestsOptions } from '../../run/run-tests.ts';
import type { Selection } from '../../run/plan/select.ts';

interface RunSize {
  /** How many targets a test runs with; absent: each runs with one. */
  readonly targetCount?: ((suite: RunnableSuite, test: Test) => number) | undefined;
}

interface Repeats {
  /** `--repeats`, for every test. */
  readonly asked?: number | 'auto' | undefined;
  /** From the config, for tests that do not say. */
  readonly configured?: number | 'auto' | undefined;
}

interface RunPlan extends Repeats, Omit<PlanOptions, 'repeats' | 'defaultRepeats'> {
  readonly adaptive?: AdaptiveRules | undefined;
  readonly signal: AbortSignal;
}

/** The attempts of a run: a fixed number per test, or as many as its gate needs. */
export function planRun(
  suites: readonly OpenSuite[],
  { asked, configured, adaptive, signal, ...options }: RunPlan,
): Pick<RunTestsOptions, 'attempts' | 'learn'> {
  if (adaptive === undefined) {
    const repeats = { repeats: fixed(asked), defaultRepeats: fixed(configured) };
    return { attempts: planAttempts(suites, { ...options, ...repeats }) };
  }
  const plan = new AdaptivePlan(planAttempts(suites, { ...options, repeats: 1, repeatsMade: undefined }), {
    rules: adaptive,
    signal,
  });
  return { attempts: plan, learn: (attempt, record) => plan.learn(attempt, record) };
}

/** The size of a run; the number of attempts may depend on the results. */
export function outlineRun(
  suites: readonly OpenSuite[],
  selection: Selection,
  { asked, configured, targetCount }: Repeats & RunSize,
): Promise<PlanOutline> {
  const isAdaptive = (asked ?? configured) === 'auto';
  const repeatsOf = (own: number | undefined): number | undefined =>
    isAdaptive ? undefined : (fixed(asked) ?? own ?? fixed(configured) ?? 1);
  return outlinePlan(suites, { selection, repeatsOf, targetCount });
}

function fixed(repeats: number | 'auto' | undefined): number | undefined {
  return repeats === 'auto' ? undefined : repeats;
}
