import type { GateRules } from '../model/gate.ts';
import type { RunDirectory } from './run-directory.ts';

/** The gates a run has to hold; undefined when its files do not name them. */
export function rulesOfRun(run: RunDirectory): GateRules | undefined {
  // A run that was resumed may have been asked for something else than at its beginning.
  const rules = run.ending()?.summary.rules ?? run.description()?.options['rules'];
  return rules as GateRules | undefined;
}
