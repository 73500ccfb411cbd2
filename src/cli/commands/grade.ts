import { gradeRun } from '../../api/grade/grade.ts';
import { findProjectRoot } from '../../suites/load/project-root.ts';
import { EXIT, type CommandContext } from '../command.ts';
import type { GRADE_OPTIONS } from '../recorded-run-options.ts';
import { printError } from '../print-error.ts';
import { printStop } from '../print-stop.ts';
import { namedRun } from '../named-run.ts';
import { watchSignals } from '../signals.ts';
import { withReports } from '../with-reports.ts';

/** `assay grade RUN`: the current assertions on recorded replies. */
export async function grade(context: CommandContext<typeof GRADE_OPTIONS>): Promise<number> {
  const { stderr, positionals, options: asked } = context;
  if (asked.prepared !== undefined || asked.test !== undefined) {
    const { gradePreparedFolder } = await import('../grade-prepared.ts');
    return gradePreparedFolder(context);
  }
  const projectRoot = findProjectRoot(process.cwd());
  const run = await namedRun(context, projectRoot);
  if (run === undefined) return EXIT.invalid;
  const { options } = context;
  const { suite: suites, match } = options;
  const isImported = run.description()?.options['imported'] === true;
  if (suites === undefined && (isImported || match !== undefined)) {
    const problem = isImported
      ? 'this run was imported, so it has no tests'
      : '--match says how the tests of --suite find recordings';
    await printError(
      stderr,
      `${problem}\n  hint: assay grade ${positionals[0] ?? 'latest'} --suite tests.yaml`,
    );
    return EXIT.invalid;
  }
  const signal = watchSignals(stderr);
  try {
    return await withReports(
      context,
      { github: 'all', isRecorded: false, ofRecords: true, signal },
      async ({ reporters }) => {
        const { exit_code } = await gradeRun({
          run,
          projectRoot,
          recordings: suites && { suites, match },
          reporters,
          signal,
          config: options.config,
          cassettes: options.cassettes,
          allowScripts: options['allow-scripts'],
          useCache: !options['no-cache'],
        });
        return exit_code;
      },
    );
  } catch (error) {
    return await printStop(error, stderr);
  }
}
