import type { RunEnding } from '../../runs/journal/run-directory.ts';
import type { GateResult } from '../../base/model/gate.ts';

/** The gates that stopped a recorded run: its records do not contain them. */
export function recordedStops(ending: RunEnding | undefined): readonly GateResult[] {
  return ending?.summary.gates.filter(({ gate }) => gate === 'max_cost') ?? [];
}
