import type { AttemptRecord } from '../model/record.ts';
import type { AskedAgain } from './reporter.ts';

/** The command that runs just this test again. */
export function rerunCommand({ file, line }: AttemptRecord, asked: AskedAgain = {}): string {
  const { agent, target, config } = asked;
  const options = Object.entries({ agent, target, config }).map(([name, value]) =>
    value === undefined ? '' : ` --${name} ${quoteForShell(value)}`,
  );
  return `assay run ${quoteForShell(`${file}:${line}`)}${options.join('')}`;
}

function quoteForShell(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
