import type { AttemptRecord } from '../model/record.ts';
import { wordForShell } from '../processes/quote-for-shell.ts';
import type { AskedAgain } from './reporter.ts';

/** The command that runs just this test again. */
export function rerunCommand({ file, line }: AttemptRecord, asked: AskedAgain = {}): string {
  const { agent, target, config } = asked;
  const options = Object.entries({ agent, target, config }).map(([name, value]) =>
    value === undefined ? '' : ` --${name} ${wordForShell(value)}`,
  );
  return `assay run ${wordForShell(`${file}:${line}`)}${options.join('')}`;
}
