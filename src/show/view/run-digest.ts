import { setImmediate as nextTurn } from 'node:timers/promises';
import { meanCost, meanDuration, meanScore } from '../../runs/fold/test-result.ts';
import { JournalTail } from '../../runs/journal/journal-tail.ts';
import { LineOpener } from '../../runs/journal/line-opener.ts';
import type { RunDirectory } from '../../runs/journal/run-directory.ts';
import type { Verdict } from '../../base/model/record.ts';
import { isFlaky, testVerdict } from '../../runs/fold/test-verdict.ts';
import { resultRow } from './result-row.ts';
import {
  createFold,
  foldRow,
  runTotals,
  type RunTotals,
  type ViewedFold,
  type ViewedTest,
} from './run-totals.ts';
import { damageOf } from './run-row.ts';

/** A digest of another version is computed again. */
const VERSION = 9;

/** Sizes and times of the files behind a digest: if they differ, the run has changed since. */
export type RunStamp = string;

/** The first line of a digest. */
export interface DigestHeader {
  readonly assay_digest: number;
  readonly stamp: RunStamp;
  /** What part of the run is damaged, for people. */
  readonly damage: readonly string[];
  readonly totals: RunTotals;
  readonly flaky: readonly TestKey[];
}

export type TestKey = readonly [file: string, test: string, target: string];

/** A test in a run. The means are over its repeats; absent if none of them was measured or reported it. */
export interface TestDigest {
  readonly passed: number;
  readonly failed: number;
  readonly error: number;
  readonly skipped: number;
  readonly score?: number | undefined;
  readonly cost_usd?: number | undefined;
  readonly duration_ms?: number | undefined;
  readonly verdict: Verdict;
  /** Why it did not pass, or why one of its repeats did not. */
  readonly problem?: string | undefined;
}

/**
 * What lists and histories need of a run, as text: a header, then one line per test that starts with its key, so
 * that one test is found without parsing the others.
 */
export function digestRun(run: RunDirectory, stamp: RunStamp, fold: ViewedFold): string {
  const { tests } = fold;
  const flaky = tests.filter(isFlaky).map(({ file, test, target }): TestKey => [file, test, target]);
  const header: DigestHeader = {
    assay_digest: VERSION,
    stamp,
    damage: damageOf(run),
    totals: runTotals(fold),
    flaky,
  };
  const lines = tests.map((test) => testLine(test, testVerdict(test, fold.rules).verdict));
  return [JSON.stringify(header), ...lines, ''].join('\n');
}

/** The results of a run, from its journal. */
export async function foldRun(run: RunDirectory): Promise<ViewedFold> {
  const fold = createFold(run);
  const tail = new JournalTail(run.journalPath);
  const opener = new LineOpener(run.journalPath);
  for (let lines = tail.read(); lines !== undefined; lines = tail.read()) {
    // Gives other requests a turn.
    await nextTurn();
    for (const { bytes } of lines) {
      const opened = opener.open(bytes);
      const read = opened.kind === 'record' ? resultRow({ bytes, length: opened.length }, 0) : undefined;
      if (read !== undefined) foldRow(fold, read.row, read.endedAt);
    }
  }
  return fold;
}

/** Undefined if it is damaged, has another version, or is outdated. */
export function digestHeader(digest: string, stamp: RunStamp): DigestHeader | undefined {
  try {
    const header = JSON.parse(digest.slice(0, digest.indexOf('\n'))) as DigestHeader;
    return header.assay_digest === VERSION && header.stamp === stamp ? header : undefined;
  } catch {
    return undefined;
  }
}

export function findTest(digest: string, key: TestKey): TestDigest | undefined {
  const start = digest.indexOf(`\n${JSON.stringify(key)}\t`);
  return start === -1 ? undefined : readTest(digest.slice(start + 1, digest.indexOf('\n', start + 1)));
}

/** Some tests, by the JSON of their keys: those that the run has. */
export function* findTests(
  digest: string,
  wanted: ReadonlySet<string>,
): Generator<{ readonly key: string; readonly test: TestDigest }> {
  for (let start = digest.indexOf('\n') + 1; start < digest.length;) {
    const end = digest.indexOf('\n', start);
    const key = digest.slice(start, digest.indexOf('\t', start));
    if (wanted.has(key)) yield { key, test: readTest(digest.slice(start, end)) };
    start = end + 1;
  }
}

/** JSON contains no tabs: a tab separates key and numbers. */
function testLine(result: ViewedTest, verdict: Verdict): string {
  const { file, test, target, passed, failed, error, skipped } = result;
  const means = [meanScore(result), meanCost(result), meanDuration(result)];
  const { problem = null } = result.attempts.find((one) => one.problem !== undefined) ?? {};
  const values = [passed, failed, error, skipped, ...means, verdict, problem];
  return `${JSON.stringify([file, test, target])}\t${JSON.stringify(values)}`;
}

function readTest(line: string): TestDigest {
  const values = JSON.parse(line.slice(line.indexOf('\t') + 1)) as readonly unknown[];
  const numbers = values.slice(0, -2) as readonly (number | null)[];
  const [passed = 0, failed = 0, error = 0, skipped = 0, score, cost_usd, duration_ms] = numbers.map(
    (number) => number ?? undefined,
  );
  const verdict = values.at(-2) as Verdict;
  const problem = (values.at(-1) as string | null) ?? undefined;
  return { passed, failed, error, skipped, score, cost_usd, duration_ms, verdict, problem };
}
