import { useEffect, useMemo } from 'preact/hooks';
import { useObservable } from '../parts/observable.ts';
import type { Source } from '../source/source.ts';
import { useSource } from '../source/source-context.ts';
import { RunResults } from './run-results.ts';

/** Two for a comparison, and one to return to. */
const KEPT = 3;
let kept: readonly RunResults[] = [];

/** The tests of a run. Going from the list to a test and back loads nothing again. */
export function useRunResults(runId: string): RunResults {
  const source = useSource();
  const results = useMemo(() => find(source, runId), [source, runId]);
  useObservable(results, () => results.version);
  useEffect(() => void results.check(), [results]);
  return results;
}

/** A run that could not be loaded is tried again when its page is opened again. */
function find(source: Source, runId: string): RunResults {
  const found = kept.find((one) => one.runId === runId && one.error === undefined);
  const results = found ?? new RunResults(source, runId);
  const others = kept.filter((one) => one !== results);
  for (const one of others.slice(KEPT - 1)) one.close();
  kept = [results, ...others.slice(0, KEPT - 1)];
  return results;
}
