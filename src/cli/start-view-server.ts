import { resolve } from 'node:path';
import type { RunDirectory } from '../runs/journal/run-directory.ts';
import { findProjectRoot } from '../suites/load/project-root.ts';
import { PARENT_VARIABLE } from '../agents/processes/end-with-parent.ts';
import { runProcess } from '../agents/processes/run-process.ts';
import type { StartRun } from '../show/view/run-again.ts';
import { ViewServer } from '../show/view/view-server.ts';
import type { CommandContext } from './command.ts';
import { printError } from './print-error.ts';
import { findWebFolder } from './web-folder.ts';

/** The same every time, so that an open tab finds the next server. */
const USUAL_PORT = 7357;

export interface ViewChoice {
  readonly host?: string | undefined;
  /** Only this port. */
  readonly port?: number | undefined;
  readonly token?: string | undefined;
  readonly otherRun?: RunDirectory | undefined;
  /** What files are opened with. */
  readonly editor?: string | undefined;
  /** Who adds labels; absent if nobody may. */
  readonly labels?: { readonly by: string } | undefined;
  /** The page may run tests again. */
  readonly allowsRuns?: boolean | undefined;
}

/** The listening server of the page. */
export async function startViewServer(context: CommandContext, choice: ViewChoice): Promise<ViewServer> {
  const projectRoot = findProjectRoot(process.cwd());
  const onError = (error: unknown): void => {
    void printError(context.stderr, error instanceof Error ? error.message : String(error));
  };
  const listen = async (port: number): Promise<ViewServer> => {
    const server = new ViewServer({
      ...choice,
      port,
      projectRoot,
      redactor: context.redactor,
      compare: async (before, after) =>
        (await import('../api/compare/compare.ts')).compareDirectories(before, after),
      compareTargets: async (run) =>
        (await import('../api/baseline/target-comparisons.ts')).recordedTargetComparisons(run),
      startRun: choice.allowsRuns === true ? startRunOf(context, projectRoot) : undefined,
      webFolder: findWebFolder(),
      onError,
    });
    await server.listen();
    return server;
  };
  if (choice.port !== undefined) return listen(choice.port);
  try {
    return await listen(USUAL_PORT);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return listen(0);
  }
}

/** What a run printed is only wanted if it did not start. */
const MOST_SAID = 2000;

/** Runs this program in a process of its own, which ends with the server. */
function startRunOf({ env, script }: CommandContext, projectRoot: string): StartRun {
  const quiet = { ...env, NO_COLOR: '1', FORCE_COLOR: '0', [PARENT_VARIABLE]: 'stdin' };
  return (args, folder) => ({
    ended: runProcess([process.execPath, script, ...args], {
      cwd: resolve(projectRoot, folder),
      env: quiet,
      signal: new AbortController().signal,
    }).then((result) => ({
      exitCode: result.ended === 'exited' ? (result.code ?? undefined) : undefined,
      said: `${result.stderr}${result.stdout}`.trim().slice(0, MOST_SAID),
    })),
  });
}

/** The address of a run on the page. */
export function placeOfRun(runId: string): string {
  return `#/runs/${encodeURIComponent(runId)}`;
}
