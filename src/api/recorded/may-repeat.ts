import type { RunEnding } from '../../runs/journal/run-directory.ts';
import type { GateRules } from '../../base/model/gate.ts';

interface Recorded {
  /** A record is of a second attempt. */
  readonly hasRepeats: boolean;
  readonly rules: GateRules | undefined;
  readonly ending: RunEnding | undefined;
}

/**
 * Whether any test of a recorded run ran, or should have run, more than once: if not, its tests need not be kept in
 * memory.
 */
export function mayRepeat({ hasRepeats, rules, ending }: Recorded): boolean {
  return hasRepeats || rules?.adaptive !== undefined || (ending?.tests ?? []).length > 0;
}
