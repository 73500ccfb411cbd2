import { createAssertionKinds } from '../../assertions/registry.ts';
import type { TargetResolver } from '../../config/target-resolver.ts';
import type { AttemptPreflight } from '../../run/attempt.ts';
import { Preflight } from '../../run/preflight.ts';
import { createPreflightHosts } from './preflight-hosts.ts';

interface RunPreflightOptions {
  readonly resolver: TargetResolver;
  readonly projectRoot: string;
  /** `--allow-scripts`. */
  readonly allowScripts: boolean;
}

/** Checks what the tests of a run need, with the run's config and environment. */
export function createRunPreflight({
  resolver,
  projectRoot,
  allowScripts,
}: RunPreflightOptions): AttemptPreflight {
  return {
    checks: new Preflight(createAssertionKinds()),
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
    }),
  };
}
