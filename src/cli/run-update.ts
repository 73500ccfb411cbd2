import { FailedTests } from '../api/update-expected/failed-tests.ts';
import { hashSuites, updateExpected } from '../api/update-expected/update-expected.ts';
import { chooseColors } from '../show/reporters/colors.ts';
import type { Reporter } from '../show/reporters/reporter.ts';
import { EXIT, type CommandContext } from './command.ts';
import { updateText } from './update-text.ts';

export interface RunUpdate {
  /** Must receive the whole run. */
  readonly reporter: Reporter;
  /** Writes the files and reports to stderr: stdout may be a report. Returns an exit code if it could not. */
  write(): Promise<number | undefined>;
}

/** `--update`. It must exist before the run reads its files. */
export async function createRunUpdate({ positionals, stderr, env }: CommandContext): Promise<RunUpdate> {
  const hashes = await hashSuites(positionals);
  const failed = new FailedTests();
  return {
    reporter: failed,
    async write() {
      const update = await updateExpected(failed.list(), hashes);
      await stderr.write(updateText(update, chooseColors({ isTTY: stderr.isTTY, env })));
      return update.problems.length > 0 ? EXIT.invalid : undefined;
    },
  };
}
