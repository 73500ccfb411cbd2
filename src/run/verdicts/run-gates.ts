import { formatDollars } from '../../base/model/dollars.ts';
import type { GateOutcome, GateResult, GateRules, TestGate } from '../../base/model/gate.ts';
import { formatPercent } from '../../base/model/percent.ts';
import type { PassRate } from '../../base/model/summary.ts';
import { isCovered } from '../../runs/fold/coverage.ts';

export interface GateFacts {
  readonly passRate: PassRate | undefined;
  /** Attempts that were planned and not skipped. */
  readonly planned: number;
  readonly flaky: number;
  /** Tests that were measured more than once: only these can turn out to be flaky. */
  readonly repeated: number;
  readonly notStarted: number;
  readonly testGates: readonly TestGate[];
  readonly budget?: { readonly limit: number; readonly spent: number; readonly isSpent: boolean } | undefined;
  readonly interrupted: boolean;
}

/** The outcome of a run's gates. */
export function runGates(rules: GateRules, facts: GateFacts): readonly GateResult[] {
  return [
    // With adaptive repeats, the rate applies to each test and is decided there.
    ...(rules.min_pass_rate === undefined || rules.adaptive !== undefined
      ? []
      : [minPassRate(rules.min_pass_rate, rules, facts)]),
    ...(facts.testGates.length === 0 ? [] : [passAtLeast(facts.testGates)]),
    ...(rules.max_flaky === undefined ? [] : [maxFlaky(rules.max_flaky, rules, facts)]),
    ...budgetGate(facts),
  ];
}

/** The budget is one for the whole run. */
export function budgetGate(facts: GateFacts): readonly GateResult[] {
  return facts.budget?.isSpent === true && facts.notStarted > 0 ? [maxCost(facts.budget, facts)] : [];
}

function minPassRate(wanted: number, rules: GateRules, facts: GateFacts): GateResult {
  const { passRate } = facts;
  const gate = { gate: 'min_pass_rate', wanted, actual: passRate?.rate } as const;
  const missing = missingData(rules, facts);
  if (missing !== undefined || passRate === undefined)
    return { ...gate, outcome: 'undecided', message: missing ?? 'nothing was measured' };
  const { passed, measured, rate } = passRate;
  const errored = facts.planned - measured;
  const whole = errored > 0 ? 'the attempts that could be measured' : 'attempts';
  const rest = errored > 0 ? `; ${errored} not measured` : '';
  const message = `${formatPercent(rate)} of ${whole} passed (${passed} of ${measured}${rest}), at least ${formatPercent(wanted)} required`;
  return { ...gate, outcome: rate >= wanted ? 'held' : 'broken', message };
}

function maxFlaky(wanted: number, rules: GateRules, facts: GateFacts): GateResult {
  const { flaky, repeated } = facts;
  const isShare = wanted > 0 && wanted < 1;
  const actual = isShare ? flaky / repeated : flaky;
  const gate = { gate: 'max_flaky', wanted } as const;
  if (repeated === 0)
    return {
      ...gate,
      outcome: 'undecided',
      message: 'no test was measured twice, so flaky tests cannot be found: add --repeats',
    };
  const missing = missingData(rules, facts);
  if (missing !== undefined) return { ...gate, actual, outcome: 'undecided', message: missing };
  const limit = isShare ? formatPercent(wanted) : String(wanted);
  const message = `${flaky} of ${repeated} tests are flaky, at most ${limit} allowed`;
  return { ...gate, actual, outcome: actual <= wanted ? 'held' : 'broken', message };
}

function passAtLeast(gates: readonly TestGate[]): GateResult {
  const count = (outcome: GateOutcome): number => gates.filter((gate) => gate.outcome === outcome).length;
  const [held, broken, undecided] = [count('held'), count('broken'), count('undecided')];
  const parts = [
    `${held} of ${gates.length} tests pass as often as required`,
    broken > 0 ? `${broken} ${broken === 1 ? 'does' : 'do'} not` : '',
    undecided > 0 ? `${undecided} ${undecided === 1 ? 'is' : 'are'} inconclusive` : '',
  ];
  return {
    gate: 'pass_at_least',
    wanted: gates.length,
    actual: held,
    outcome: broken > 0 ? 'broken' : undecided > 0 ? 'undecided' : 'held',
    message: parts.filter((part) => part !== '').join(', '),
  };
}

function maxCost({ limit, spent }: NonNullable<GateFacts['budget']>, { notStarted }: GateFacts): GateResult {
  return {
    gate: 'max_cost',
    wanted: limit,
    actual: spent,
    outcome: 'undecided',
    message: `${formatDollars(spent)} of ${formatDollars(limit)} spent, so ${notStarted} ${notStarted === 1 ? 'attempt was' : 'attempts were'} not started: continue with --resume`,
  };
}

/** Why a gate over the whole run cannot be decided. */
function missingData(
  { min_coverage }: GateRules,
  { planned, passRate, interrupted }: GateFacts,
): string | undefined {
  if (interrupted) return 'the run was interrupted';
  const measured = passRate?.measured ?? 0;
  if (isCovered({ measured, planned }, min_coverage)) return undefined;
  return `only ${measured} of ${planned} planned attempts were measured, ${formatPercent(min_coverage)} required`;
}
