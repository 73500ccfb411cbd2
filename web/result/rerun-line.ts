import type { AttemptRecord } from '../../src/model/record.ts';
import type { RunDetail } from '../source/source.ts';
import { shellWord } from '../text/shell-word.ts';

type Rerun = Pick<AttemptRecord, 'file' | 'line' | 'row' | 'test' | 'target'>;

/** The command that runs only this test again, with the same agent: as the terminal prints it. */
export function rerunLine(
  { file, line, row, test, target }: Rerun,
  description: RunDetail['description'],
): string {
  const words = [`assay run ${shellWord(`${file}:${line}`)}`];
  // A row is not a place in the suite: its test is told apart by its name.
  if (row !== undefined)
    words.push(`-t ${shellWord(`^${test.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)}$`)}`);
  for (const [name, value] of Object.entries(optionsOf(target, description)))
    if (typeof value === 'string') words.push(`--${name} ${shellWord(value)}`);
  return words.join(' ');
}

/** Those of the run that a rerun needs too. */
function optionsOf(target: string, description: RunDetail['description']): Readonly<Record<string, unknown>> {
  const options = isRecord(description?.['options']) ? description['options'] : {};
  const { agent, config, cassettes } = options;
  return {
    ...(agent === undefined && hasManyTargets(description)
      ? { [isAgent(target) ? 'agent' : 'target']: target }
      : { agent, target: options['target'] }),
    config,
    // A rerun replays what was replayed, and records nothing.
    cassettes: cassettes === 'replay' ? cassettes : undefined,
  };
}

function hasManyTargets(description: RunDetail['description']): boolean {
  const targets = description?.['targets'];
  return Array.isArray(targets) && new Set(targets.map((one) => isRecord(one) && one['name'])).size > 1;
}

/** A merged run has results of several `--agent`s: those are files and commands, and no names of a config. */
function isAgent(target: string): boolean {
  return /^(?:\.{0,2}\/|cmd:)|\.(?:[cm]?[jt]s|py)(?::\w+)?$/.test(target);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
