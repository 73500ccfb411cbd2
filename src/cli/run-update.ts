import { FailedTests } from '../api/update-expected/failed-tests.ts';
import { hashSuites, updateExpected } from '../api/update-expected/update-expected.ts';
import { chooseColors } from '../reporters/colors.ts';
import type { Reporter } from '../reporters/reporter.ts';
import { EXIT, type CommandContext } from './command.ts';
import { updateText } from './update-text.ts';

export interface RunUpdate {
  /** Has to hear the whole run. */
  readonly reporter: Reporter;
  /** Writes the files and says so on stderr: stdout may be a report. Answers with an exit code when it could not. */
  write(): Promise<number | undefined>;
}

/** `--update`. It has to be there before the run reads its files. */
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
