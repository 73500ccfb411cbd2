import type { GateRules } from '../../base/model/gate.ts';
import type { RunDirectory } from './run-directory.ts';

/** The gates of a run; undefined if its files do not name them. */
export function rulesOfRun(run: RunDirectory): GateRules | undefined {
  // A resumed run may have other options than at its start.
  const rules = run.ending()?.summary.rules ?? run.description()?.options['rules'];
  return rules as GateRules | undefined;
}
