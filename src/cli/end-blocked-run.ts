import { closeSync, writeSync } from 'node:fs';
import { exitProcess } from './exit-process.ts';
import type { BlockedRun } from '../api/basics/run-options.ts';
import { escapeLine } from '../show/reporters/terminal-text.ts';
import { EXIT, type CommandContext } from './command.ts';
import { resumeCommand } from './resume-command.ts';

const CONTINUED = ['', ' without it', ' without them'];

/** Says which test blocked the process, and ends it. The thread is blocked: nothing here may wait. */
export function endBlockedRun(
  { run_id, tests, timeoutMs }: BlockedRun,
  context: Pick<CommandContext, 'argv' | 'program' | 'redactor'>,
): never {
  const names = tests.map(({ file, line, test }) => `${file}:${line} ${test}`);
  const lines = [
    tests.length === 0
      ? `assay: what an agent left behind blocks the process for longer than ${timeoutMs / 1000} s (--timeout), so the run was ended`
      : `assay: the agent, or an evaluator, did not return within ${timeoutMs / 1000} s (--timeout) and blocks the process, so the run was ended`,
    ...names.map((name) => `  ${name}`),
    ...(run_id === undefined
      ? []
      : [`  hint: continue${CONTINUED[Math.min(tests.length, 2)]!}: ${resumeCommand(context, run_id)}`]),
  ];
  try {
    writeSync(2, `\n${lines.map((line) => escapeLine(context.redactor.text(line))).join('\n')}\n`);
    // Node would write there that a debugger is attached: the watchdog's.
    closeSync(2);
  } catch {
    // Nobody is left who could read it.
  }
  return exitProcess(EXIT.unmeasured);
}
