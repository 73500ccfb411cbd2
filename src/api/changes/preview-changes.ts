import { hasErrors } from '../../model/finding.ts';
import type { PreparedRun } from '../run/prepared-run.ts';
import { AgentPrints } from './agent-prints.ts';
import { ChangedAttempts } from './changed-attempts.ts';
import { ChangedUsageError } from './changed-usage-error.ts';
import { findSourceRuns } from './find-source-runs.ts';
import { InvalidFiles } from './invalid-files.ts';
import { RunDeclined } from './run-declined.ts';

type Plan = Pick<
  PreparedRun,
  'options' | 'findings' | 'plan' | 'redactor' | 'resolver' | 'rules' | 'projectRoot' | 'cassettes'
>;

/** Compares a plan with the latest run that selected its tests in the same way, and asks whether the run may start. */
export async function previewChanges(
  { options, findings, plan, redactor, resolver, rules, projectRoot, cassettes }: Plan,
  selection: string,
): Promise<ChangedAttempts> {
  if (hasErrors(findings)) throw new InvalidFiles(findings);
  if (rules.adaptive !== undefined)
    throw new ChangedUsageError(
      'the number of repeats must be known to run what changed',
      'replace --repeats auto, or `repeats: auto` of the config, by a number',
    );
  const { rerun, confirm } = typeof options.changed === 'object' ? options.changed : {};
  const changes = await ChangedAttempts.compare(plan().attempts, {
    sources: findSourceRuns(projectRoot, selection),
    agents: new AgentPrints(resolver, projectRoot),
    redactor,
    rerun,
    // A cassette keeps what an attempt asked: one that asks nothing would empty it.
    mayRegrade: cassettes === undefined,
  });
  if ((await confirm?.(changes.work)) === false) throw new RunDeclined();
  return changes;
}
