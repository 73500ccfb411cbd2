import { relative } from 'node:path';
import { promoteRun } from '../../api/promote/promote-run.ts';
import { escapeLine } from '../../show/reporters/terminal-text.ts';
import { findProjectRoot } from '../../suites/load/project-root.ts';
import { EXIT, type CommandContext } from '../command.ts';
import { learnSecrets } from '../learn-secrets.ts';
import { namedRun } from '../named-run.ts';
import { printError } from '../print-error.ts';
import { printStop } from '../print-stop.ts';
import type { PROMOTE_OPTIONS } from '../recorded-run-options.ts';

/** `assay promote RUN [TEST]`: tests from recorded attempts. */
export async function promote(context: CommandContext<typeof PROMOTE_OPTIONS>): Promise<number> {
  const { positionals, options, stderr, stdout } = context;
  await learnSecrets(context);
  const projectRoot = findProjectRoot(process.cwd());
  const run = await namedRun(context, projectRoot);
  if (run === undefined) return EXIT.invalid;
  const [, test] = positionals;
  try {
    const { failed: isFailed, folder = 'promoted' } = options;
    const promotions = promoteRun({ run, projectRoot, test, isFailed, folder });
    for (const { file, isKnown, reason } of promotions) {
      const why = reason === undefined ? '' : `: ${escapeLine(reason)}`;
      await stdout.write(`${isKnown ? 'already there' : 'wrote'} ${escapeLine(relative('', file))}${why}\n`);
    }
    if (promotions.length > 0) return EXIT.ok;
    const problem =
      test !== undefined
        ? `the run ${run.runId} has no ${isFailed ? 'failed ' : ''}test "${test}" with calls or an answer`
        : isFailed
          ? `nothing failed in the run ${run.runId} that has calls or an answer`
          : `the run ${run.runId} has no recorded calls and no answers`;
    await printError(stderr, `${problem}\n  hint: assay promote RUN [TEST], with a test of the run`);
    return EXIT.invalid;
  } catch (error) {
    return await printStop(error, stderr);
  }
}
