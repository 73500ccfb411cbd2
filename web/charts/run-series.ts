import { groupBy } from '../../src/base/model/group-by.ts';
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
  const comparable = runs.flatMap(pointsOf).filter(({ result }) => result.comparable !== undefined);
  const groups = groupBy(comparable, ({ result }) => result.comparable!);
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
          other.by_target.some((one) => one.target === result.target && one.comparable === undefined),
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
