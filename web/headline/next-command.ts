import type { RunRow } from '../../src/model/page-data.ts';
import type { RunDetail } from '../source/source.ts';
import { optionWords } from '../../src/model/rerun-command.ts';
import { shellPath } from '../../src/model/shell-word.ts';
import { optionsOf } from '../result/rerun-line.ts';

export interface NextCommand {
  readonly why: string;
  readonly line: string;
}

/** The command that goes on from a run; undefined if there is none, or if the run's options are unknown. */
export function nextCommand(
  { run_id, state, exit_code, summary }: Pick<RunRow, 'run_id' | 'state' | 'exit_code' | 'summary'>,
  description: RunDetail['description'],
): NextCommand | undefined {
  if (state === 'running' || state === 'damaged' || description === undefined) return undefined;
  const again = (...more: readonly string[]): string =>
    ['assay run', ...asked(description), ...more].join(' ');
  if (state !== 'ended') return { why: 'Run the rest', line: again(`--resume=${run_id}`) };
  const { tests, skipped, failed, error } = summary;
  if (tests === skipped) return { why: 'See what is selected', line: again('--list') };
  if (failed + error > 0) return { why: 'Run the failures again', line: again('--last-failed') };
  if (exit_code === 3) return { why: 'Run the rest', line: again(`--resume=${run_id}`) };
  return exit_code === 0
    ? {
        why: 'Compare later runs with this one',
        line: `assay baseline update ${run_id}`,
      }
    : undefined;
}

/** The files and the options, as they were given. */
function asked(description: NonNullable<RunDetail['description']>): readonly string[] {
  const options = description['options'];
  if (typeof options !== 'object' || options === null || Array.isArray(options)) return [];
  const { paths, target } = options as Readonly<Record<string, unknown>>;
  const words = (Array.isArray(paths) ? paths : []).filter((path) => typeof path === 'string').map(shellPath);
  const targets = (Array.isArray(target) ? target : []).filter((name) => typeof name === 'string');
  return [
    ...words,
    ...targets.flatMap((name) => optionWords({ target: name })),
    ...optionWords(optionsOf(description)),
  ];
}
