import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { refuseDamaged } from '../../runs/journal/check-run.ts';
import { findRun, listRuns, RunDirectory } from '../../runs/journal/run-directory.ts';
import { findProjectRoot } from '../../suites/load/project-root.ts';
import { OpenToAll, RunsForAll, type ViewServer } from '../../show/view/view-server.ts';
import { EXIT, type CommandContext } from '../command.ts';
import type { VIEW_OPTIONS } from '../recorded-run-options.ts';
import { printStop } from '../print-stop.ts';
import { learnSecrets } from '../learn-secrets.ts';
import { openBrowser } from '../open-browser.ts';
import { printError } from '../print-error.ts';
import { escapeLine } from '../../show/reporters/terminal-text.ts';
import { nextSignal } from '../signals.ts';
import { placeOfRun, startViewServer, type ViewChoice } from '../start-view-server.ts';
import { grouped } from '../../base/model/grouped.ts';

/** `assay view [RUN]`: the page over all runs, until Ctrl-C. */
export async function view(context: CommandContext<typeof VIEW_OPTIONS>): Promise<number> {
  const { stdout, stderr, positionals } = context;
  const fail = async (problem: string, hint: string): Promise<number> => {
    await printError(stderr, `${escapeLine(problem)}\n  hint: ${hint}`);
    return EXIT.invalid;
  };
  const [name, ...more] = positionals;
  if (more.length > 0) return fail('one run at a time', 'the viewer lists the others too');
  const projectRoot = findProjectRoot(process.cwd());
  const run = name === undefined ? undefined : findRun(projectRoot, name);
  if (name !== undefined && run === undefined)
    return fail(`there is no run "${name}"`, 'runs are in .assay/runs; `latest` is the last one');
  const configs = await learnSecrets(context);
  const editor = configs.find((config) => config.editor !== undefined)?.editor;
  const choice = { ...readChoice(context, projectRoot, run), editor };
  const ended = nextSignal();
  let server: ViewServer;
  try {
    server = await startViewServer(context, choice);
  } catch (error) {
    const said = explain(error as NodeJS.ErrnoException, choice);
    if (said !== undefined) return fail(...said);
    throw error;
  }
  const place = run === undefined ? '' : placeOfRun(idOf(run));
  await stdout.write(`${server.address(place)}\n`);
  openBrowser(server.addressForOnce(place), context);
  const runs = listRuns(projectRoot).length;
  await stdout.write(
    runs === 0 && run === undefined
      ? `There are no runs in ${projectRoot} yet: create one with \`assay run\`. Press Ctrl-C to stop.\n`
      : `${grouped(runs)} ${runs === 1 ? 'run' : 'runs'} in ${projectRoot}. Press Ctrl-C to stop.\n`,
  );
  const isDamaged = run !== undefined && (await printDamage(context, run));
  await ended;
  await server.close();
  return isDamaged ? EXIT.invalid : EXIT.ok;
}

/** The page shows it too, but a caller that only reads the exit code would miss it. */
async function printDamage(
  { stderr }: CommandContext<typeof VIEW_OPTIONS>,
  run: RunDirectory,
): Promise<boolean> {
  try {
    refuseDamaged(run);
    return false;
  } catch (error) {
    await printStop(error, stderr);
    return true;
  }
}

/** Why the server cannot listen, and what to do; undefined for a bug in Assay. */
function explain(
  error: NodeJS.ErrnoException,
  { host, port }: ViewChoice,
): readonly [problem: string, hint: string] | undefined {
  if (error instanceof RunsForAll) return [error.message, 'leave out --allow-run, or --host'];
  if (error instanceof OpenToAll)
    return [error.message, 'add --token with your own secret of at least 16 letters and digits'];
  switch (error.code) {
    case 'EADDRINUSE':
      return [`port ${port} is taken`, 'choose another one, or remove --port to use a free one'];
    case 'EACCES':
      return [`port ${port} is not allowed`, 'choose one above 1023, or remove --port'];
    case 'ENOTFOUND':
    case 'EADDRNOTAVAIL':
    case 'EAI_AGAIN':
      return [`${host} is not an address of this machine`, 'remove --host to listen on this machine only'];
    default:
      return undefined;
  }
}

function readChoice(
  { options }: CommandContext<typeof VIEW_OPTIONS>,
  projectRoot: string,
  run: RunDirectory | undefined,
): ViewChoice {
  const isOther = run !== undefined && !listRuns(projectRoot).some(({ path }) => path === resolve(run.path));
  return {
    port: options.port,
    host: options.host,
    token: options.token,
    labels: options.labels ? { by: userName() } : undefined,
    allowsRuns: options['allow-run'],
    otherRun: isOther ? new RunDirectory(resolve(run.path)) : undefined,
  };
}

/** A user without an entry in the system's list has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'me';
  }
}

/** A run may be named by its folder, and the folder by any path. */
function idOf(run: RunDirectory): string {
  return new RunDirectory(resolve(run.path)).runId;
}
