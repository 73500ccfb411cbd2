import type { AttemptRecord } from '../model/record.ts';
import type { RerunOptions } from './reporter.ts';
import { shellWord } from './shell-word.ts';

/** The arguments of the command that runs only this test again. */
export function rerunCommand(record: AttemptRecord, asked: RerunOptions = {}): string {
  const { file, line, row, test } = record;
  const { agent, config } = asked;
  // A comma would separate two names.
  const target = (asked.has_many_targets === true ? record.target : asked.target)?.replaceAll(
    ',',
    String.raw`\,`,
  );
  // A rerun replays what was replayed, and records nothing.
  const cassettes = asked.cassettes === 'replay' ? 'replay' : undefined;
  const options = Object.entries({ agent, target, config, cassettes }).map(([name, value]) =>
    value === undefined ? '' : ` --${name} ${shellWord(value)}`,
  );
  // A row is not a place in the suite: its test is told apart by its name.
  const only = row === undefined ? '' : ` -t ${shellWord(`^${test.replaceAll(SPECIAL, String.raw`\$&`)}$`)}`;
  const scripts = asked.allow_scripts === true ? ' --allow-scripts' : '';
  return `run ${shellWord(`${file}:${line}`)}${only}${options.join('')}${scripts}`;
}

const SPECIAL = /[\\^$.*+?()[\]{}|]/g;
