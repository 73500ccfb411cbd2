import type { RunRow } from '../../src/base/model/page-data.ts';
import type { Since } from '../../src/base/model/run-headline.ts';
import { previousComparable } from '../run/previous-run.ts';
import { useSource } from '../source/source-context.ts';
import { useLoaded } from '../source/use-loaded.ts';
import { dayWords } from './day-words.ts';

export interface SinceRun extends Since {
  readonly runId: string;
}

/**
 * What changed since the last run that this one can be compared with: the numbers of `assay compare`. Undefined until
 * they are known, for a run that has not ended, and where there is no such run.
 */
export function useSince(run: RunRow): SinceRun | undefined {
  const source = useSource();
  const loaded = useLoaded(
    async (signal): Promise<SinceRun | undefined> => {
      if (source.holds === 'one run' || run.comparable === undefined) return undefined;
      const previous = previousComparable(run, await source.runs(signal));
      const when = previous === undefined ? undefined : dayWords(previous.started_at, Date.now());
      if (previous === undefined || when === undefined) return undefined;
      const comparison = await source.compare(previous.run_id, run.run_id, signal);
      if (comparison === undefined) return undefined;
      const { new_failures, fixes } = comparison.tests;
      return { runId: previous.run_id, when, new_failures, fixes };
    },
    [source, run.run_id, run.comparable],
  );
  return loaded.value;
}
