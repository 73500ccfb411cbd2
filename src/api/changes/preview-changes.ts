import { realpathSync } from 'node:fs';
import type { AssertionKinds } from '../../checks/contract/assertion-kinds.ts';
import type { TargetResolver } from '../../suites/config/target-resolver.ts';
import type { Redactor } from '../../base/match/redact-secrets.ts';
import { hasErrors, type Finding } from '../../base/model/finding.ts';
import type { GateRules } from '../../base/model/gate.ts';
import type { PlannedAttempt } from '../../run/plan/plan.ts';
import type { RunOptions } from '../basics/run-options.ts';
import { AgentPrints } from './agent-prints.ts';
import { ChangedAttempts } from './changed-attempts.ts';
import { CheckInputs } from './check-inputs.ts';
import { ChangedUsageError } from './changed-usage-error.ts';
import { findSourceRuns } from './find-source-runs.ts';
import { InvalidFiles } from './invalid-files.ts';
import { ProjectStates } from './input-snapshot.ts';
import { RunDeclined } from './run-declined.ts';

/** A run that is planned, and not started. */
interface Plan {
  readonly options: RunOptions;
  readonly suites: readonly { readonly file: string }[];
  readonly findings: readonly Finding[];
  plan(): { readonly attempts: AsyncIterable<PlannedAttempt> };
  readonly redactor: Redactor;
  readonly resolver: TargetResolver;
  readonly rules: GateRules;
  readonly projectRoot: string;
  readonly cassettes: object | undefined;
  readonly runner: { readonly timeoutMs?: number | undefined };
  readonly evaluators: { readonly kinds: AssertionKinds };
}

interface Comparison {
  /** Identifies how the run selects its tests. */
  readonly selection: string;
  /** Whether the checks of an attempt need a script that may not run. */
  isRefused(attempt: PlannedAttempt): Promise<boolean>;
}

/** Compares a plan with the latest run that selected its tests in the same way, and asks whether the run may start. */
export async function previewChanges(
  { options, suites, findings, plan, redactor, resolver, rules, projectRoot, cassettes, ...planned }: Plan,
  { selection, isRefused }: Comparison,
): Promise<ChangedAttempts> {
  if (hasErrors(findings)) throw new InvalidFiles(findings);
  if (rules.adaptive !== undefined)
    throw new ChangedUsageError(
      'the number of repeats must be known to run what changed',
      'replace --repeats auto, or `repeats: auto` of the config, by a number',
    );
  const { rerun, isFollowUp = false, confirm } = typeof options.changed === 'object' ? options.changed : {};
  const states = new ProjectStates(realpathSync(projectRoot));
  const project = { states, suites: suites.map(({ file }) => file) };
  const changes = await ChangedAttempts.compare(plan().attempts, {
    ...findSourceRuns(projectRoot, selection),
    suites,
    states,
    agents: new AgentPrints(resolver, {
      ...project,
      settings: { timeout: planned.runner.timeoutMs ?? null, observe: options.observe ?? null },
    }),
    checks: new CheckInputs(planned.evaluators.kinds, { ...project, resolver }),
    isFollowUp,
    env: resolver.env,
    redactor,
    rerun,
    // A cassette keeps what an attempt asked: one that asks nothing would empty it.
    mayRegrade: cassettes === undefined,
    isRefused,
  });
  if ((await confirm?.(changes.work)) === false) throw new RunDeclined();
  return changes;
}
