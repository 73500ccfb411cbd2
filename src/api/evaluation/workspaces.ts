import { existsSync } from 'node:fs';
import { storeFolder } from '../../agents/workspace/store-folder.ts';
import type { WorkspaceHost } from '../../agents/workspace/workspace-host.ts';
import { scriptEnvironment } from '../../checks/judges/script-environment.ts';
import type { TargetResolver } from '../../suites/config/target-resolver.ts';

interface WorkspacesOptions {
  readonly resolver: TargetResolver;
  readonly allowScripts: boolean;
  /** The folder of the run, for artifacts. */
  readonly runFolder?: string | undefined;
  /** A folder that somebody worked in: each workspace is a copy of it. */
  readonly prepared?: string | undefined;
}

/** The workspaces of the tests of a run. Few runs have any, so their code is loaded on first use. What killed runs left is cleaned up. */
export function createWorkspaces(options: WorkspacesOptions): Pick<WorkspaceHost, 'open' | 'close'> {
  let host: Promise<WorkspaceHost> | undefined;
  const load = (): Promise<WorkspaceHost> => (host ??= loadHost(options));
  const sweeping = existsSync(storeFolder()) ? load().then((loaded) => loaded.sweep()) : undefined;
  // It is reported where it is waited for.
  sweeping?.catch(() => {});
  return {
    open: async (of) => (await load()).open(of),
    async close() {
      await sweeping;
      await (await host)?.close();
    },
  };
}

async function loadHost({
  resolver,
  allowScripts,
  runFolder,
  prepared,
}: WorkspacesOptions): Promise<WorkspaceHost> {
  const { WorkspaceHost: Host } = await import('../../agents/workspace/workspace-host.ts');
  return new Host({
    async maySuiteRun(file) {
      return allowScripts || (await resolver.configFor(file)).scripts?.allow === true;
    },
    async scriptEnv(file) {
      return scriptEnvironment(resolver.env, (await resolver.configFor(file)).scripts?.env);
    },
    artifacts: runFolder,
    prepared,
  });
}
