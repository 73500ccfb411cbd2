import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { baselineTests } from '../../runs/compare/baseline-tests.ts';
import { parseBaseline, printBaseline } from '../../runs/compare/baseline-text.ts';
import { removeLeftDrafts } from '../../base/files/draft-file.ts';
import { writeWhole } from '../../base/files/write-whole.ts';
import { refuseDamaged } from '../../runs/journal/check-run.ts';
import { readOutlines } from '../../runs/journal/read-outlines.ts';
import type { RunDirectory } from '../../runs/journal/run-directory.ts';
import { BASELINE_VERSION, type Baseline, type BaselineTest } from '../../base/model/baseline.ts';
import { testKey } from '../../base/model/test-key.ts';
import { NotComparable, readRun } from '../baseline/compared-side.ts';
import { refuseLinks } from '../../base/files/make-folder.ts';
import { findProjectRoot } from '../../suites/load/project-root.ts';

export interface UpdatedBaseline {
  readonly run_id: string;
  readonly tests: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** In the baseline as failed: later runs in which they fail are no worse. */
  readonly failed: number;
  /** In the baseline as errors: the run could not measure them. */
  readonly unmeasured: number;
}

/**
 * Writes the results of a run as the baseline, in one step. An existing file that is not a baseline is not touched.
 */
export function updateBaseline(run: RunDirectory, path: string): UpdatedBaseline {
  refuseDamaged(run);
  const ending = run.ending();
  if (ending === undefined || ending.summary.interrupted)
    throw new NotComparable(
      `the run ${run.runId} did not end, so its baseline would lack tests\n  hint: finish it with \`assay run ... --resume=${run.runId}\``,
    );
  const tests = baselineTests(readRun(run, readOutlines(run.journalPath)));
  if (tests.length === 0) throw new NotComparable(`the run ${run.runId} has no results`);
  const git_revision = run.description()?.git_revision;
  const before = readPrevious(path);
  const baseline: Baseline = { assay_baseline: BASELINE_VERSION, run_id: run.runId, git_revision, tests };
  refuseLinks(dirname(path), findProjectRoot(process.cwd()));
  writeWhole(path, printBaseline(baseline), { flush: true });
  removeLeftDrafts(path);
  return { run_id: run.runId, ...describeUpdate(before, tests) };
}

function readPrevious(path: string): readonly BaselineTest[] {
  if (!existsSync(path)) return [];
  // Reading a pipe could wait forever.
  const text = statSync(path).isFile() ? readFileSync(path, 'utf8') : '';
  if (!text.includes('"assay_baseline"'))
    throw new NotComparable(
      `${path} exists and is not a baseline, so it is not overwritten\n  hint: name another file with --file`,
    );
  const previous = parseBaseline(text);
  // A damaged one, for example with merge conflicts, is meant to be replaced.
  return 'problem' in previous ? [] : previous.tests;
}

function describeUpdate(
  before: readonly BaselineTest[],
  after: readonly BaselineTest[],
): Omit<UpdatedBaseline, 'run_id'> {
  const previous = new Map(before.map((test) => [testKey(test), test]));
  const known = after.filter((test) => previous.has(testKey(test)));
  return {
    tests: after.length,
    added: after.length - known.length,
    changed: known.filter((test) => !hasSameResult(test, previous.get(testKey(test))!)).length,
    removed: before.length - known.length,
    failed: after.filter(({ verdict }) => verdict === 'failed').length,
    unmeasured: after.filter(({ verdict }) => verdict === 'error').length,
  };
}

/** Durations always differ a little; that is not a change of the result. */
function hasSameResult(a: BaselineTest, b: BaselineTest): boolean {
  return a.verdict === b.verdict && a.passed === b.passed && a.measured === b.measured && a.score === b.score;
}
