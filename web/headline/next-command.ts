import { againWords, isOfRecordings } from '../../src/base/model/run-again.ts';
import type { RunRow } from '../../src/base/model/page-data.ts';
import type { RunDetail } from '../source/source.ts';

export interface NextCommand {
  readonly why: string;
  readonly line: string;
  readonly isOfFailures?: boolean | undefined;
}

/** The command that goes on from a run; undefined if there is none, or if the run's options are unknown. */
export function nextCommand(
  { run_id, state, exit_code, summary }: Pick<RunRow, 'run_id' | 'state' | 'exit_code' | 'summary'>,
  description: RunDetail['description'],
): NextCommand | undefined {
  if (state === 'running' || state === 'damaged' || description === undefined) return undefined;
  if (isOfRecordings(description)) return undefined;
  const again = (...more: readonly string[]): string =>
    ['assay run', ...againWords(description, more)].join(' ');
  if (state !== 'ended') return { why: 'Run the rest', line: again(`--resume=${run_id}`) };
  const { tests, skipped, failed, error } = summary;
  if (tests === skipped) return { why: 'See what is selected', line: again('--list') };
  if (failed + error > 0)
    return { why: 'Run the failures again', line: again('--last-failed'), isOfFailures: true };
  if (exit_code === 3) return { why: 'Run the rest', line: again(`--resume=${run_id}`) };
  return exit_code === 0
    ? {
        why: 'Compare later runs with this one',
        line: `assay baseline update ${run_id}`,
      }
    : undefined;
}
