import type { FlakyTest, HistoryPoint } from '../../base/model/page-data.ts';
import type { TestName } from '../../base/model/test-map.ts';
import { isFlaky } from '../../runs/fold/test-verdict.ts';
import { rateOf } from './rate.ts';
import { findTest, findTests, type TestDigest, type TestKey } from './run-digest.ts';
import type { RunLibrary } from './run-library.ts';
import { mergedFrom, type RunFacts } from './run-row.ts';
import type { RunDirectory } from '../../runs/journal/run-directory.ts';
import { wilsonInterval } from '../../base/stats/wilson-interval.ts';

const HISTORY_RUNS = 200;
const FLAKY_RUNS = 50;
/** More would be too many to look at. */
const MAX_FLAKY = 1000;

/** A test over the latest runs it is in, oldest first. */
export async function testHistory(library: RunLibrary, key: TestKey): Promise<readonly HistoryPoint[]> {
  const points: HistoryPoint[] = [];
  for await (const { header, text, facts } of library.digestsOf(
    withoutMerged(library.recent(HISTORY_RUNS)),
  )) {
    const found = findTest(text, key);
    if (found === undefined) continue;
    const point = historyPoint(facts, found);
    points.push(header.damage.length > 0 ? { ...point, is_damaged: true } : point);
  }
  return points;
}

/** The tests that were flaky in one of the latest runs, those with the most evidence first. */
export async function flakyTests(library: RunLibrary): Promise<readonly FlakyTest[]> {
  const recent = withoutMerged(library.recent(FLAKY_RUNS));
  const keys = new Set<string>();
  for await (const { header } of library.digestsOf(recent))
    for (const key of header.flaky) keys.add(JSON.stringify(key));
  const counts = new Map<string, Mutable<Omit<FlakyTest, keyof TestName>>>();
  for await (const { text, facts } of library.digestsOf(recent)) {
    const { run_id, started_at } = facts.description;
    for (const { key, test } of findTests(text, keys)) {
      const count = counts.get(key) ?? { runs: 0, flaky_runs: 0, passed: 0, measured: 0 };
      count.runs++;
      if (isFlaky(test)) count.flaky_runs++;
      count.passed += test.passed;
      count.measured += test.passed + test.failed;
      if (test.failed > 0) count.last_failure = { run_id, started_at, problem: test.problem };
      counts.set(key, count);
    }
  }
  return [...counts]
    .map(([key, count]) => {
      const [file, test, target] = JSON.parse(key) as TestKey;
      return { file, test, target, ...count };
    })
    .sort((a, b) => evidence(b) - evidence(a) || a.test.localeCompare(b.test))
    .slice(0, MAX_FLAKY);
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The lower bound of the share of runs in which it is flaky: 24 of 33 says more than 1 of 1. */
function evidence({ flaky_runs, runs }: FlakyTest): number {
  return wilsonInterval(flaky_runs, runs).low ?? 0;
}

/** A merged run contains the attempts of its parts: those are not counted twice. */
function withoutMerged(runs: readonly RunDirectory[]): readonly RunDirectory[] {
  const merged = new Set(runs.flatMap((run) => mergedFrom(run.description()) ?? []));
  return runs.filter(({ runId }) => !merged.has(runId));
}

function historyPoint({ description }: RunFacts, found: TestDigest): HistoryPoint {
  const { passed, failed, error, skipped: _skipped, ...numbers } = found;
  return {
    run_id: description.run_id,
    started_at: description.started_at,
    pass_rate: rateOf({ passed, measured: passed + failed, errored: error }),
    is_flaky: isFlaky(found),
    errors: error,
    ...numbers,
    git_revision: description.git_revision,
    git_title: description.git_title,
  };
}
