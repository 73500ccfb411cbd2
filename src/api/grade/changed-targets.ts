import { join, resolve } from 'node:path';
import { TargetError } from '../../suites/config/target-error.ts';
import { TargetResolver } from '../../suites/config/target-resolver.ts';
import type { RunDescription } from '../../runs/journal/run-directory.ts';
import type { OpenSuite } from '../../suites/load/open-suites.ts';
import { fileFinding } from '../../suites/load/read-suite-file.ts';
import type { Finding } from '../../base/model/finding.ts';

interface GradedProject {
  readonly projectRoot: string;
  readonly suites: readonly OpenSuite[];
  /** The current `--config`. */
  readonly config?: string | undefined;
}

interface AskedOptions {
  readonly agent?: string;
  readonly target?: string | readonly string[];
  readonly config?: string;
}

/** The targets of a run that are defined differently now: its replies are not theirs. Nothing is started. */
export async function findChangedTargets(
  { run_id, cwd = '', options, targets = [] }: RunDescription,
  { projectRoot, suites, config }: GradedProject,
): Promise<readonly Finding[]> {
  if (targets.length === 0 || suites.length === 0) return [];
  const { agent, target, config: recorded } = options as AskedOptions;
  const folder = join(projectRoot, cwd);
  const choice = {
    agent,
    target,
    config: config ?? (recorded && resolve(folder, recorded)),
    mayExecute: true,
    isNamingOnly: true,
  };
  const resolver = new TargetResolver(choice, folder, process.env);
  try {
    await resolver.prepare(suites);
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    return [changed(run_id, error.message)];
  }
  const today = new Map(resolver.described().map(({ name, settings }) => [name, settings]));
  return targets
    .filter(({ name, settings }) => today.get(name) !== settings)
    .map(({ name }) => changed(run_id, `the settings of the target "${name}" have changed since the run`));
}

function changed(runId: string, message: string): Finding {
  const hint = 'the grade is about the recorded replies; run again to test the target as it is now';
  return { ...fileFinding(runId, 'target_changed', message, hint), severity: 'warning' };
}
