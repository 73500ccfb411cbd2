import type { RerunReason, RunSelection } from './selection.ts';

/** One reason why a run left tests out, in words. */
export interface SelectionNote {
  readonly reason: 'only' | 'filters' | 'last_failed' | 'shard';
  readonly text: string;
}

/** What a run left out of its files, by reason. Every report includes it: nothing is left out silently. */
export function selectionNotes(selection: RunSelection | undefined): readonly SelectionNote[] {
  // A manually edited run.json may contain anything.
  if (selection?.left_out === undefined || !Array.isArray(selection.filters)) return [];
  const { left_out, filters, last_failed, shard } = selection;
  const others = filters.filter((filter) => filter !== '--last-failed');
  const notes: SelectionNote[] = [];
  if (left_out.only > 0)
    notes.push({
      reason: 'only',
      text: `${tests(left_out.only)} left out because other tests are marked only`,
    });
  if (others.length > 0 && left_out.filters > 0)
    notes.push({ reason: 'filters', text: `${tests(left_out.filters)} left out by ${others.join(' ')}` });
  if (last_failed !== undefined)
    notes.push({ reason: 'last_failed', text: lastFailedText(last_failed, left_out.passed) });
  if (shard !== undefined) {
    const { index, total, attempts, plan_attempts } = shard;
    const text = `shard ${index}/${total}: ${attempts} of ${plan_attempts} attempts of the whole run`;
    notes.push({ reason: 'shard', text });
  }
  return notes;
}

function lastFailedText(counts: Readonly<Record<RerunReason, number>>, passed: number): string {
  const parts = (Object.keys(REASONS) as RerunReason[]).flatMap((reason) =>
    counts[reason] === 0 ? [] : [`${counts[reason]} ${REASONS[reason]}`],
  );
  const selected = parts.length === 0 ? 'nothing to run' : parts.join(', ');
  if (passed === 0) return `--last-failed: ${selected}`;
  const why = `${passed === 1 ? 'it' : 'they'} passed when last run`;
  return `--last-failed: ${selected}; ${tests(passed)} left out because ${why}`;
}

const REASONS: Readonly<Record<RerunReason, string>> = {
  failed: 'failed',
  error: 'errored',
  undecided: 'inconclusive',
  changed: 'changed',
  unskipped: 'no longer skipped',
  never_run: 'never run',
  skipped: 'skipped',
};

function tests(number: number): string {
  return `${number} ${number === 1 ? 'test' : 'tests'}`;
}
