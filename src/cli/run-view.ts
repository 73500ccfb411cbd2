import type { Reporter } from '../show/reporters/reporter.ts';
import { EXIT, type CommandContext } from './command.ts';
import { isCi } from './is-ci.ts';
import { openBrowser } from './open-browser.ts';
import type { Flag } from './option.ts';
import { placeOfRun, startViewServer } from './start-view-server.ts';

/** `--view`: the page of a run, served by the process that runs it. */
export interface RunView {
  readonly reporter: Reporter;
  /** Keeps serving after the run, while somebody is at the terminal. */
  linger(exitCode: number): Promise<void>;
  close(): Promise<void>;
}

/** `signal`: that of the run; it also ends the serving after it. */
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
      await stderr.write(`\nassay: the run is shown at ${server.address()}\n  hint: press Ctrl-C to stop\n`);
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    },
    close: () => server.close(),
  };
}
