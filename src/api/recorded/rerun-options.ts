import type { RunDescription } from '../../journal/run-directory.ts';
import type { RerunOptions } from '../../reporters/reporter.ts';

/**
 * The options of runs that a rerun of one of their tests needs too. Options that differ between runs are left out.
 */
export function rerunOptions(runs: readonly Pick<RunDescription, 'options' | 'targets'>[]): RerunOptions {
  const common = (name: string): string | undefined => {
    const [first, ...others] = runs.map(({ options }) => options[name]);
    return typeof first === 'string' && others.every((other) => other === first) ? first : undefined;
  };
  const areAll = (name: string): true | undefined =>
    runs.length > 0 && runs.every(({ options }) => options[name] === true) ? true : undefined;
  const targets = new Set(runs.flatMap((run) => run.targets ?? []).map(({ name }) => name));
  const agent = common('agent');
  return {
    agent,
    target: common('target'),
    has_many_targets: agent === undefined && targets.size > 1 ? true : undefined,
    config: common('config'),
    cassettes: common('cassettes'),
    allow_scripts: areAll('allowScripts'),
    changed: areAll('changed'),
  };
}
