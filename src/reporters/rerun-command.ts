import type { AttemptRecord } from '../model/record.ts';
import type { RerunOptions } from './reporter.ts';
import { shellWord } from './shell-word.ts';

/** The command that runs only this test again. */
export function rerunCommand({ file, line }: AttemptRecord, asked: RerunOptions = {}): string {
  const { agent, target, config } = asked;
  // A rerun replays what was replayed, and records nothing.
  const cassettes = asked.cassettes === 'replay' ? 'replay' : undefined;
  const options = Object.entries({ agent, target, config, cassettes }).map(([name, value]) =>
    value === undefined ? '' : ` --${name} ${shellWord(value)}`,
  );
  return `assay run ${shellWord(`${file}:${line}`)}${options.join('')}`;
}
