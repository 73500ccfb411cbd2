import { relative, resolve } from 'node:path';
import {
  findRun,
  listRuns,
  type RunDescription,
  type RunDirectory,
} from '../../runs/journal/run-directory.ts';
import type { OpenSuite } from '../../suites/load/open-suites.ts';
import { severalTargets } from '../../base/model/several-targets.ts';
import type { Shard } from '../../run/plan/shard.ts';
import { EVERY_TEST, selectionOf } from '../select/selection-text.ts';
import { RunNotFound } from '../recorded/run-not-found.ts';

/** The run to continue, if there is one. */
export interface EarlierRun {
  readonly found?: RunDirectory | undefined;
  /** Runs that may be the right one, but whose files are unknown. */
  readonly damaged: readonly RunDirectory[];
}

interface Wanted {
  readonly projectRoot: string;
  readonly suites: readonly OpenSuite[];
  /** Which of their tests are selected, in words. */
  readonly selection: string;
  /** Continue this run; true: the latest one with the same selection. */
  readonly resume?: string | true | undefined;
  readonly shard?: Shard | undefined;
  /** `--target`. */
  readonly target?: string | readonly string[] | undefined;
  /** `--agent`. */
  readonly agent?: unknown;
}

/** Only a run of the same tests continues: the summary of fewer tests would hide the results of the others. */
export function findEarlier(wanted: Wanted): EarlierRun {
  const { projectRoot, resume, shard, selection } = wanted;
  if (resume === undefined) return { damaged: [] };
  if (resume === true) return latestOf(wanted);
  const found = findRun(projectRoot, resume);
  if (found === undefined) throw new RunNotFound(resume, 'resume', recentRuns(projectRoot));
  const description = found.description();
  const made = shardName(description?.shard);
  if (made !== shardName(shard))
    throw new RunNotFound(found.runId, `resume as ${shardName(shard)}: it is ${made}`);
  // For a damaged run the selection is unknown: a command that selects every test misses none.
  const asked = description === undefined ? EVERY_TEST : selectionOf(description);
  if (asked !== selection)
    throw new RunNotFound(found.runId, `resume with ${selection}: it was started with ${asked}`);
  const left = leftTargets(description, wanted);
  if (left.length > 0)
    throw new RunNotFound(
      found.runId,
      `resume without ${left.join(', ')}: it was started with ${left.length === 1 ? 'it' : 'them'}`,
    );
  return { found, damaged: [] };
}

function recentRuns(projectRoot: string): string {
  const recent = listRuns(projectRoot).slice(-3).toReversed();
  if (recent.length === 0) return 'no run was recorded here: start one without --resume';
  return `the latest runs are ${recent.map(({ runId }) => runId).join(', ')}; --resume alone continues the latest run of these files`;
}

function latestOf({ projectRoot, suites, shard, selection, target, agent }: Wanted): EarlierRun {
  const files = suites.map(({ file }) => relative(projectRoot, resolve(file)));
  const wanted = JSON.stringify([shardName(shard), selection, files.toSorted()]);
  const damaged: RunDirectory[] = [];
  for (const run of listRuns(projectRoot).toReversed()) {
    const description = run.description();
    if (description === undefined) {
      damaged.push(run);
      continue;
    }
    if (leftTargets(description, { target, agent }).length > 0) continue;
    const own = description.files.map(({ file }) => file).toSorted();
    if (JSON.stringify([shardName(description.shard), selectionOf(description), own]) === wanted)
      return { found: run, damaged };
  }
  return { damaged };
}

/** Targets of a run with several that would not be part of it any more: their results would be hidden. */
function leftTargets(
  description: RunDescription | undefined,
  { target, agent }: Pick<Wanted, 'target' | 'agent'>,
): readonly string[] {
  const before = severalTargets(description?.targets);
  if (before === undefined || (target === undefined && agent === undefined)) return [];
  const names = agent === undefined && target !== undefined ? [target].flat() : [];
  // A bare name means all variants of the target.
  return before.filter((own) => !names.some((name) => own === name || own.startsWith(`${name}/`)));
}

function shardName(shard: Shard | undefined): string {
  return shard === undefined ? 'a whole run' : `shard ${shard.index}/${shard.total}`;
}
