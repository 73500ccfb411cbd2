import { EXIT, type CommandContext } from './command.ts';
import { isCodingAgent } from './is-coding-agent.ts';
import { printError } from './print-error.ts';
import { ReporterError } from './load-reporter.ts';
import { ReportOpener, type Reports } from './report-opener.ts';
import { reporterSpecs } from './reporter-specs.ts';
import type { REPORTED } from './shared-options.ts';

export interface ReportSettings {
  /** The reporters to use, each a `NAME[=FILE]`. Default: those of `--reporter`. */
  readonly authored?: readonly string[];
  /** See `AskedReporters`. Default: true. */
  readonly keepsStandard?: boolean;
  /** What GitHub Actions gets by default. */
  readonly github: 'all' | 'summary' | 'nothing';
  /** There will be a recorded run to write the reports from later. */
  readonly isRecorded: boolean;
  /** The reports are about records that were read, not just created. */
  readonly ofRecords?: boolean;
  /** Aborted when the work is stopped. */
  readonly signal?: AbortSignal;
  /** The command that continues a run. */
  readonly resumeCommand?: (runId: string) => string;
}

/**
 * Does some work with the reporters of the command line, and returns its exit code. If a report file cannot be
 * opened, the work does not start. A report that fails later makes the exit code 2, after the work is done.
 */
export async function withReports(
  context: CommandContext<typeof REPORTED>,
  settings: ReportSettings,
  work: (reports: Reports) => Promise<number>,
): Promise<number> {
  const { options, stderr, stdout } = context;
  const { keepsStandard = true, authored = options.reporter ?? [] } = settings;
  const outputFile = options['output-file'];
  if (options.verbose && options.quiet)
    return refuse(stderr, '--verbose and --quiet cannot be used together', 'remove one of them');
  // Who wants more or less than usual reads it.
  const isRead = options.verbose || options.quiet || !isCodingAgent(context.env);
  const standard = isRead ? 'terminal' : 'agent';
  const asked = reporterSpecs({ authored, outputFile, standard, keepsStandard });
  if ('problem' in asked) return refuse(stderr, asked.problem, asked.hint);
  const opener = new ReportOpener(context, asked, settings);
  try {
    const reports = await opener.openAll();
    const exitCode = await work(reports);
    for (const line of opener.writtenLines()) await stdout.write(line);
    return opener.hasFailed && exitCode !== EXIT.interrupted ? EXIT.invalid : exitCode;
  } catch (error) {
    if (!(error instanceof ReporterError)) throw error;
    return refuse(stderr, error.message, error.hint);
  } finally {
    opener.discardRest();
  }
}

async function refuse(stderr: CommandContext['stderr'], problem: string, hint: string): Promise<number> {
  await printError(stderr, `${problem}\n  hint: ${hint}`);
  return EXIT.invalid;
}
