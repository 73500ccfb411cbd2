import { mergeRuns } from '../../api/shards/merge.ts';
import { findRun, type RunDirectory } from '../../runs/journal/run-directory.ts';
import { findProjectRoot } from '../../suites/load/project-root.ts';
import { EXIT, type CommandContext } from '../command.ts';
import type { MERGE_OPTIONS } from '../recorded-run-options.ts';
import { printError } from '../print-error.ts';
import { printStop } from '../print-stop.ts';
import { withReports } from '../with-reports.ts';
import { learnSecrets } from '../learn-secrets.ts';

/** `assay merge RUN...`: merges several runs into one. */
export async function merge(context: CommandContext<typeof MERGE_OPTIONS>): Promise<number> {
  const { positionals, options, stderr } = context;
  await learnSecrets(context);
  const projectRoot = findProjectRoot(process.cwd());
  const runs: RunDirectory[] = [];
  for (const name of positionals) {
    const run = findRun(projectRoot, name);
    if (run === undefined) {
      await printError(
        stderr,
        `there is no run "${name}"\n  hint: name run directories, or ids of runs in .assay/runs`,
      );
      return EXIT.invalid;
    }
    runs.push(run);
  }
  if (runs.length === 0) {
    await printError(stderr, 'which runs?\n  hint: assay merge RUN RUN...');
    return EXIT.invalid;
  }
  const { baseline, 'allow-missing': allowMissing, 'fail-on': failOn } = options;
  if (failOn !== undefined && baseline === undefined) {
    await printError(
      stderr,
      '--fail-on needs a --baseline to compare with\n  hint: `assay merge --help` lists the options',
    );
    return EXIT.invalid;
  }
  // The original runs already wrote their annotations.
  const settings = { github: 'summary', isRecorded: true, ofRecords: true } as const;
  try {
    return await withReports(context, settings, async ({ reporters }) => {
      const { exit_code } = await mergeRuns({
        runs,
        projectRoot,
        allowMissing,
        baseline,
        failOn,
        reporters,
      });
      return exit_code;
    });
  } catch (error) {
    return await printStop(error, stderr);
  }
}
