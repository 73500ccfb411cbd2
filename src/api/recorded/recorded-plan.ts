import { join, relative } from 'node:path';
import type { RunDescription, RunDirectory } from '../../runs/journal/run-directory.ts';

type Plan = ReadonlyMap<string, number>;

/**
 * How many attempts of each file runs had planned, with file names as in their records. Undefined if a run does not
 * say. The parts of one plan add up.
 */
export function recordedPlan(descriptions: readonly RunDescription[]): Plan | undefined {
  const plan = new Map<string, number>();
  for (const { files, cwd, shard } of descriptions) {
    for (const { file, planned } of files) {
      if (planned === undefined) return undefined;
      const name = relative(join('/', cwd ?? ''), join('/', file));
      const before = plan.get(name) ?? 0;
      plan.set(name, shard === undefined ? Math.max(before, planned) : before + planned);
    }
  }
  return plan;
}

/**
 * The plan of recorded runs, and at least what they recorded: a resumed run may contain more than its last options
 * planned. Without a plan, the recorded attempts are all there are, unless a run did not end.
 */
export function planOfRuns(
  runs: readonly RunDirectory[],
  descriptions: readonly RunDescription[],
  recorded: Plan,
): Plan | undefined {
  const plan = descriptions.length < runs.length ? undefined : recordedPlan(descriptions);
  if (plan === undefined) return runs.every(isWhole) ? recorded : undefined;
  const all = new Map(plan);
  for (const [file, attempts] of recorded) all.set(file, Math.max(attempts, all.get(file) ?? 0));
  return all;
}

function isWhole(run: RunDirectory): boolean {
  const summary = run.ending()?.summary;
  return summary?.interrupted === false && summary.not_started === 0;
}

export function totalOf(plan: Plan): number {
  return [...plan.values()].reduce((sum, attempts) => sum + attempts, 0);
}
