import type { Summary } from '../../base/model/summary.ts';
import type { PreparedRun } from './prepared-run.ts';

/** Less is not worth a line. */
const WORTH_MS = 3000;

interface RunFacts {
  readonly summary: Summary;
  /** What this process computed meanwhile. */
  readonly cpuMs: number;
}

/** For a run that mostly waited for one call after the other: how several could run at once. */
export function adviseWorkers(
  { agents, isWorkersGiven, redactor }: Pick<PreparedRun, 'agents' | 'isWorkersGiven' | 'redactor'>,
  { summary, cpuMs }: RunFacts,
): string | undefined {
  if (isWorkersGiven || summary.attempts < 2) return undefined;
  const waits = agents.map((agent) => ({ name: agent.name, ms: agent.waitedMs?.() ?? 0 }));
  const longest = waits.reduce((one, other) => (other.ms > one.ms ? other : one), { name: '', ms: 0 });
  if (longest.ms < WORTH_MS || cpuMs > longest.ms / 2) return undefined;
  const seconds = (longest.ms / 1000).toFixed(1);
  return [
    `The tests ran one at a time, and waited ${seconds} s for the agent ${redactor.text(longest.name)}.`,
    'If it can run several at once, add this line to its file:',
    '  export const workers = 8',
  ].join('\n');
}
