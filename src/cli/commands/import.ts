import { importRecordings } from '../../api/import/import-recordings.ts';
import { findProjectRoot } from '../../suites/load/project-root.ts';
import { EXIT, type CommandContext } from '../command.ts';
import { learnSecrets } from '../learn-secrets.ts';
import { printError } from '../print-error.ts';
import { printStop } from '../print-stop.ts';
import type { IMPORT_OPTIONS } from '../recorded-run-options.ts';
import { watchSignals } from '../signals.ts';
import { withReports } from '../with-reports.ts';

/** `assay import PATHS...`: recordings of agents as a run. */
export async function importCommand(context: CommandContext<typeof IMPORT_OPTIONS>): Promise<number> {
  const { positionals: paths, options, stderr } = context;
  await learnSecrets(context);
  if (paths.length === 0) {
    await printError(stderr, 'which recordings?\n  hint: assay import FILE_OR_FOLDER...');
    return EXIT.invalid;
  }
  const signal = watchSignals(stderr);
  try {
    return await withReports(
      context,
      { github: 'nothing', isRecorded: true, ofRecords: true, signal },
      async ({ reporters }) => {
        const { from, name } = options;
        const projectRoot = findProjectRoot(process.cwd());
        const { exit_code } = await importRecordings({ paths, projectRoot, from, name, reporters, signal });
        return exit_code;
      },
    );
  } catch (error) {
    return await printStop(error, stderr);
  }
}
