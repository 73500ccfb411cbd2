import type { RunDirectory } from '../journal/run-directory.ts';
import { findProjectRoot } from '../load/project-root.ts';
import { escapeLine } from '../reporters/terminal-text.ts';
import { ViewServer } from '../view/view-server.ts';
import type { CommandContext } from './command.ts';
import { createProjectRedactor } from './project-redactor.ts';
import { findWebFolder } from './web-folder.ts';

/** The same every time, so that a tab that is still open finds the next server. */
const USUAL_PORT = 7357;

export interface ViewChoice {
  readonly host?: string | undefined;
  /** This one and no other. */
  readonly port?: number | undefined;
  readonly token?: string | undefined;
  readonly otherRun?: RunDirectory | undefined;
}

/** The server of the page, listening. */
export async function startViewServer(context: CommandContext, choice: ViewChoice): Promise<ViewServer> {
  const projectRoot = findProjectRoot(process.cwd());
  const redactor = await createProjectRedactor(context);
  const onError = (error: unknown): void => {
    void context.stderr.write(
      `assay: ${escapeLine(error instanceof Error ? error.message : String(error))}\n`,
    );
  };
  const listen = async (port: number): Promise<ViewServer> => {
    const server = new ViewServer({
      ...choice,
      port,
      projectRoot,
      redactor,
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

/** Where on the page a run is. */
export function placeOfRun(runId: string): string {
  return `#/runs/${encodeURIComponent(runId)}`;
}
