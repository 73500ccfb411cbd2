import type { RunRow } from '../../src/model/page-data.ts';
import { runName } from '../run/run-name.ts';

export interface ComparableRuns {
  /** The oldest first. */
  readonly runs: readonly RunRow[];
  readonly suite: string;
  readonly agent: string;
  /** What else could be shown. */
  readonly suites: readonly string[];
  readonly agents: readonly string[];
}

/**
 * Runs of the same files with the same agents: only their numbers form a line. Without a choice, those like the
 * newest. `runs`: the newest first.
 */
export function comparableRuns(
  runs: readonly RunRow[],
  chosen: { readonly suite?: string | undefined; readonly agent?: string | undefined },
): ComparableRuns {
  const ordered = runs.filter(({ state }) => state !== 'running').toReversed();
  const newest = ordered.at(-1);
  const suites = [...new Set(ordered.toReversed().map(runName))];
  const suite = chosen.suite ?? (newest === undefined ? '' : runName(newest));
  const ofSuite = ordered.filter((run) => runName(run) === suite);
  const agents = [...new Set(ofSuite.toReversed().map(agentsOf))];
  const agent = chosen.agent ?? agents[0] ?? '';
  return { runs: ofSuite.filter((run) => agentsOf(run) === agent), suite, agent, suites, agents };
}

function agentsOf({ targets }: RunRow): string {
  return targets.join(', ');
}
