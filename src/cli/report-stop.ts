import { createReporterMultiplexer } from '../api/basics/reporter-multiplexer.ts';
import { InvalidFiles } from '../api/changes/invalid-files.ts';
import { TargetError } from '../suites/config/target-error.ts';
import type { Finding } from '../base/model/finding.ts';
import type { Reporter } from '../show/reporters/reporter.ts';
import type { Tally } from '../run/verdicts/tally.ts';
import { EXIT, type CommandContext } from './command.ts';
import { printError } from './print-error.ts';
import { FindingPrinter } from './finding-printer.ts';
import { explainStop } from './explain-stop.ts';

interface StoppedRun {
  /** Ended in order: their readers learn what happened. */
  readonly documents: readonly Reporter[];
  /** Based on the results so far. */
  readonly tally: Tally;
  /** The user wants it to stop. */
  readonly signal: AbortSignal;
}

/**
 * A run that could not start, or was cut off: says why, ends its reports, and returns the exit code. Rethrows a bug
 * in Assay.
 */
export async function reportStop(
  error: unknown,
  { documents, tally, signal }: StoppedRun,
  { stderr, env, redactor }: CommandContext,
): Promise<number> {
  const isInterrupted = signal.aborted && error === signal.reason;
  const findings = error instanceof TargetError || error instanceof InvalidFiles ? error.findings : [];
  await new FindingPrinter(stderr, { env, redactor }).printAll(findings);
  const said = isInterrupted ? 'interrupted before the first test' : explainStop(error);
  if (said === undefined) throw error;
  await printError(stderr, `${said}`);
  const exit_code = isInterrupted ? EXIT.interrupted : EXIT.invalid;
  const emit = createReporterMultiplexer(documents);
  for (const finding of [...findings, stopFinding(said)]) emit('onFinding', redactor.value(finding));
  const counted = tally.summary({ durationMs: 0, interrupted: false });
  await emit.end({
    summary: { ...counted, interrupted: isInterrupted || counted.attempts > 0 },
    exit_code,
  });
  return exit_code;
}

function stopFinding(said: string): Finding {
  const [message = said, hint] = said.split('\n  hint: ');
  const finding = { code: 'run_stopped', message, file: '', line: 1, column: 1, path: '' };
  return { severity: 'error', ...finding, ...(hint === undefined ? {} : { hint }) };
}
