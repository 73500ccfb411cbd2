import type { TargetResolver } from '../../suites/config/target-resolver.ts';
import type { AttemptPreflight } from '../../run/attempt/attempt.ts';
import { Preflight } from '../../run/attempt/preflight.ts';
import type { ProjectEvaluators } from './project-evaluators.ts';
import { createPreflightHosts } from './preflight-hosts.ts';

export interface RunPreflightOptions {
  readonly resolver: TargetResolver;
  readonly projectRoot: string;
  readonly evaluators: ProjectEvaluators;
  /** `--allow-scripts`. */
  readonly allowScripts: boolean;
}

/** Checks what the tests of a run need, with the run's config and environment. */
export function createRunPreflight({
  resolver,
  projectRoot,
  evaluators,
  allowScripts,
}: RunPreflightOptions): AttemptPreflight {
  return {
    checks: new Preflight(evaluators.kinds),
    host: createPreflightHosts({
      get env() {
        return resolver.env;
      },
      projectRoot,
      async judgesFor({ file, target }) {
        return {
          sources: await resolver.judgesFor(file),
          judgeTarget: await resolver.judgeTargetFor(file, target),
        };
      },
      async mayRunScripts(file) {
        return allowScripts || (await resolver.configFor(file)).scripts?.allow === true;
      },
      async loadEvaluator(reference, file) {
        const envNames = (await resolver.configFor(file)).scripts?.env;
        return evaluators.load(reference, file, { env: resolver.env, envNames });
      },
    }),
  };
}
