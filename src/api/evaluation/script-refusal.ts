import type { Attempt } from '../../run/attempt/attempt.ts';
import { createRunPreflight, type RunPreflightOptions } from './run-preflight.ts';

/** Says of an attempt whether its checks need a script that may not run. */
export function createScriptRefusal(
  options: RunPreflightOptions,
): (attempt: Pick<Attempt, 'file' | 'target' | 'test'>) => Promise<boolean> {
  const { allowScripts, resolver } = options;
  const { checks, host } = createRunPreflight(options);
  return async ({ file, target, test }) => {
    if (allowScripts || !checks.needsCheck(test)) return false;
    if ((await resolver.configFor(file)).scripts?.allow === true) return false;
    const stopped = await checks.check(test, host({ file, target }));
    return stopped.some(({ obstacles }) => obstacles.some(({ code }) => code === 'scripts_not_allowed'));
  };
}
