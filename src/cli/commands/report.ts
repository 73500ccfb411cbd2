import { whyUnfinished } from '../../api/recorded/why-unfinished.ts';
import { reportRun } from '../../api/report/report.ts';
import { DamagedRun } from '../../runs/journal/damaged-run.ts';
import { JournalVersionError } from '../../runs/journal/line-opener.ts';
import { findProjectRoot } from '../../suites/load/project-root.ts';
import { EXIT, type CommandContext } from '../command.ts';
import { REPORT_FILES, type REPORT_OPTIONS } from '../recorded-run-options.ts';
import { printError } from '../print-error.ts';
import { explainStop } from '../explain-stop.ts';
import { namedRun } from '../named-run.ts';
import { withReports } from '../with-reports.ts';
import { learnSecrets } from '../learn-secrets.ts';

/**
 * `assay report RUN`: reports of a recorded run. It ends with 0 when they are written, no matter what the tests came to, with
 * 3 when the run is not whole, and with 2 when it is damaged.
 */
export async function report(context: CommandContext<typeof REPORT_OPTIONS>): Promise<number> {
  const { positionals, options, stderr } = context;
  await learnSecrets(context);
  if (positionals.length > 1) {
    await printError(
      stderr,
      'report takes one run\n  hint: to report several runs, merge them first with `assay merge`',
    );
    return EXIT.invalid;
  }
  const projectRoot = findProjectRoot(process.cwd());
  const run = await namedRun(context, projectRoot);
  if (run === undefined) return EXIT.invalid;
  const flags = REPORT_FILES.flatMap((reporter) => {
    const file = options[reporter] as string | undefined;
    return file === undefined ? [] : [`${reporter}=${file}`];
  });
  const authored = [...flags, ...(options.reporter ?? [])];
  const settings = {
    authored,
    keepsStandard: false,
    github: 'nothing',
    isRecorded: false,
    ofRecords: true,
  } as const;
  try {
    return await withReports(context, settings, async ({ reporters }) => {
      const unfinished = whyUnfinished(run);
      if (unfinished !== undefined)
        await printError(stderr, `${unfinished}: the report contains what was recorded`);
      const { damage } = await reportRun({ run, projectRoot, reporters });
      if (damage.length === 0) return unfinished === undefined ? EXIT.ok : EXIT.unmeasured;
      await printError(stderr, explainStop(new DamagedRun(run, damage))!);
      return EXIT.invalid;
    });
  } catch (error) {
    if (!(error instanceof JournalVersionError)) throw error;
    await printError(stderr, explainStop(error)!);
    return EXIT.invalid;
  }
}
