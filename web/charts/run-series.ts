import type { RunRow, TargetRow } from '../../src/base/model/page-data.ts';
import { nameFileSets } from '../run/name-file-sets.ts';

/** One target's results in runs that may be compared: only such numbers form a line. */
export interface RunSeries {
  /** Of its files: unique among those of other files. */
  readonly name: string;
  readonly agent: string;
  /** The oldest first. */
  readonly points: readonly SeriesPoint[];
  /** Runs of the same files by this target that are not in the line. */
  readonly leftOut: number;
}

export interface SeriesPoint {
  readonly run: RunRow;
  readonly result: TargetRow;
}

/** The line with the newest run first. `all`: the newest first. */
export function runSeries(all: readonly RunRow[]): readonly RunSeries[] {
  const names = nameFileSets(all.map(({ files }) => files));
  const runs = all.filter((run) => !all.some((other) => containsRun(other, run)));
  const groups = new Map<string, SeriesPoint[]>();
  for (const { run, result } of runs.flatMap(pointsOf)) {
    if (result.comparable === undefined) continue;
    const group = groups.get(result.comparable);
    if (group === undefined) groups.set(result.comparable, [{ run, result }]);
    else group.push({ run, result });
  }
  return [...groups.values()].map((points) => {
    const { run, result } = points[0]!;
    const name = names(run.files);
    return {
      name,
      agent: agentName(result),
      points: points.toReversed(),
      leftOut: runs.filter(
        (other) =>
          names(other.files) === name &&
          other.by_target.some(
            ({ target, comparable }) => target === result.target && comparable === undefined,
          ),
      ).length,
    };
  });
}

/** A merged run with the same tests has the attempts of its parts. */
function containsRun({ merged_from = [], comparable }: RunRow, part: RunRow): boolean {
  return comparable !== undefined && comparable === part.comparable && merged_from.includes(part.run_id);
}

function pointsOf(run: RunRow): readonly SeriesPoint[] {
  return run.by_target.map((result) => ({ run, result }));
}

/** With targets for single tests, a target may run only some of them. */
function agentName({ target, has_every_test }: TargetRow): string {
  return has_every_test ? target : `${target} (some of the tests)`;
}
