import type { HistoryPoint } from '../model/page-data.ts';
import { isFlaky } from '../verdicts/test-verdict.ts';
import { rateOf } from './rate.ts';
import { findTest, findTests, type TestDigest, type TestKey } from './run-digest.ts';
import type { RunLibrary } from './run-library.ts';
import type { RunFacts } from './run-row.ts';

const HISTORY_RUNS = 200;
const FLAKY_RUNS = 50;
/** More would be too many to look at. */
const MAX_FLAKY = 1000;

/** A test over the latest runs it is in, oldest first. */
export async function testHistory(library: RunLibrary, key: TestKey): Promise<readonly HistoryPoint[]> {
  const points: HistoryPoint[] = [];
  for await (const { header, text, facts } of library.digestsOf(library.recent(HISTORY_RUNS))) {
    const found = findTest(text, key);
    if (found === undefined) continue;
    const point = historyPoint(facts, found);
    points.push(header.damage.length > 0 ? { ...point, is_damaged: true } : point);
  }
  return points;
}

export interface FlakyTest {
  readonly file: string;
  readonly test: string;
  readonly target: string;
  /** How many of the latest runs contain it, and in how many of those it was flaky. */
  readonly runs: number;
  readonly flaky_runs: number;
  readonly passed: number;
  readonly measured: number;
}

/** The tests that were flaky in one of the latest runs, the most often flaky first. */
export async function flakyTests(library: RunLibrary): Promise<readonly FlakyTest[]> {
  const recent = library.recent(FLAKY_RUNS);
  const keys = new Set<string>();
  for await (const { header } of library.digestsOf(recent))
    for (const key of header.flaky) keys.add(JSON.stringify(key));
  const counts = new Map<string, { runs: number; flaky_runs: number; passed: number; measured: number }>();
  for await (const { text } of library.digestsOf(recent)) {
    for (const { key, test } of findTests(text, keys)) {
      const count = counts.get(key) ?? { runs: 0, flaky_runs: 0, passed: 0, measured: 0 };
      count.runs++;
      if (isFlaky(test)) count.flaky_runs++;
      count.passed += test.passed;
      count.measured += test.passed + test.failed;
      counts.set(key, count);
    }
  }
  return [...counts]
    .map(([key, count]) => {
      const [file, test, target] = JSON.parse(key) as TestKey;
      return { file, test, target, ...count };
    })
    .sort((a, b) => b.flaky_runs - a.flaky_runs || a.test.localeCompare(b.test))
    .slice(0, MAX_FLAKY);
}

function historyPoint({ description }: RunFacts, found: TestDigest): HistoryPoint {
  const { passed, failed, error, score, cost_usd, duration_ms, verdict } = found;
  return {
    run_id: description.run_id,
    started_at: description.started_at,
    pass_rate: rateOf({ passed, measured: passed + failed, errored: error }),
    verdict,
    is_flaky: isFlaky(found),
    errors: error,
    score,
    cost_usd,
    duration_ms,
  };
}
