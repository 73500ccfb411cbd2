import type { Reporter } from '../reporters/reporter.ts';
import { EXIT, type CommandContext } from './command.ts';
import { isCi } from './is-ci.ts';
import { openBrowser } from './open-browser.ts';
import type { Flag } from './option.ts';
import { placeOfRun, startViewServer } from './start-view-server.ts';

/** `--view`: the page of a run, served by the process that runs it. */
export interface RunView {
  readonly reporter: Reporter;
  /** Goes on serving after the run, while somebody sits in front of it. */
  linger(exitCode: number): Promise<void>;
  close(): Promise<void>;
}

/** `signal`: of the run; it ends the serving after it too. */
export async function createRunView(
  context: CommandContext<{ 'no-open': Flag }>,
  signal: AbortSignal,
): Promise<RunView> {
  const { stdout, stderr, env } = context;
  const server = await startViewServer(context, {});
  return {
    reporter: {
      onRunStart({ run_id }) {
        // Not to stdout, which belongs to the report.
        void stderr.write(`${server.address(placeOfRun(run_id))}\n`);
        openBrowser(server.addressForOnce(placeOfRun(run_id)), context);
      },
    },
    async linger(exitCode) {
      if (!stdout.isTTY || isCi(env) || exitCode === EXIT.interrupted) return;
      await stderr.write(`\nassay: the run is still shown at ${server.address()}\n  hint: Ctrl-C ends\n`);
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    },
    close: () => server.close(),
  };
}
