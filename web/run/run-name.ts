import type { RunRow, RunState } from '../../src/base/model/page-data.ts';
import { formatTime } from '../text/format.ts';
import { withoutHidden } from '../text/hidden-characters.ts';
import type { Outcome } from './filter.ts';

/** The display name of a run: its files. */
export function runName({ files }: Pick<RunRow, 'files'>): string {
  if (files.length === 0) return 'no files';
  if (files.length === 1) return files[0]!;
  const folder = commonFolder(files);
  return folder === '' ? `${files[0]} and ${files.length - 1} more` : `${folder} (${files.length} files)`;
}

/** One run among others, in a few words: its name, if it has one, and its start. */
export function runLabel({ name, started_at }: Pick<RunRow, 'name' | 'started_at'>): string {
  return `${name === undefined ? '' : `${withoutHidden(name)} · `}${formatTime(started_at)}`;
}

/** One sign for a whole run: its result, which gates may decide differently from single tests. */
export function runOutcome({
  state,
  exit_code,
  summary,
}: Pick<RunRow, 'state' | 'exit_code' | 'summary'>): Outcome | 'running' {
  if (state === 'running') return 'running';
  if (state !== 'ended' || exit_code === undefined) return 'error';
  if (summary.not_graded === summary.tests && summary.tests > 0) return 'not_graded';
  if (exit_code === 0) return summary.passed + summary.failed > 0 ? 'passed' : 'skipped';
  return exit_code === 1 ? 'failed' : 'error';
}

/** A note about a run that did not end normally. */
export const STATE_NAMES: Readonly<Record<RunState, string | undefined>> = {
  running: 'running',
  ended: undefined,
  interrupted: 'interrupted',
  broken_off: 'crashed',
  damaged: 'damaged',
};

function commonFolder(files: readonly string[]): string {
  const [first = '', ...others] = files;
  const parts = first.split('/').slice(0, -1);
  let length = parts.length;
  for (const file of others) {
    const names = file.split('/');
    let same = 0;
    while (same < length && parts[same] === names[same]) same++;
    length = same;
  }
  return parts.slice(0, length).join('/');
}
