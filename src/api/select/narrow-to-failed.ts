import type { RunDirectory } from '../../runs/journal/run-directory.ts';
import { fileFinding } from '../../suites/load/read-suite-file.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { RerunCounts } from '../../base/model/selection.ts';
import type { RunOptions } from '../basics/run-options.ts';
import type { SelectedSuites } from './select-suites.ts';
import type { TestsToRerun } from './tests-to-rerun.ts';

/** What is left of a selection with `--last-failed`. */
export interface NarrowedSuites extends SelectedSuites {
  /** `--last-failed` selects no test that can run. */
  readonly isComplete: boolean;
  /** Every selected test passed when it last ran, so running none is fine. */
  readonly isAllPassed: boolean;
  /** Undefined without `--last-failed`. */
  readonly rerun?: RerunCounts | undefined;
}

/** Returns the selection unchanged without `--last-failed`; `--failed-first` changes only its order. */
export async function narrowToFailed(
  selected: SelectedSuites,
  options: RunOptions,
  resumed?: RunDirectory,
): Promise<NarrowedSuites> {
  const isAll = options.lastFailed !== true;
  if (isAll && options.failedFirst !== true) return { ...selected, isComplete: false, isAllPassed: false };
  // Loaded on first use: most runs do not look back.
  const { findTestsToRerun } = await import('./tests-to-rerun.ts');
  const left = await findTestsToRerun(options, { ...selected, resumed });
  const { tests, failed, passedTargets, isComplete, counts, latest } = left;
  if (isAll) {
    const selection = { ...selected.selection, first: failed };
    return { ...selected, selection, isComplete: false, isAllPassed: false };
  }
  const findings = [...selected.findings];
  if (latest === undefined && tests.size > 0 && !isComplete) findings.push(noEarlierRun());
  if (isComplete) findings.push(nothingFailed(left));
  return {
    ...selected,
    findings,
    selection: {
      ...selected.selection,
      tests,
      passedTargets,
      first: options.failedFirst === true ? failed : undefined,
    },
    isComplete,
    isAllPassed: isComplete && counts.skipped === 0,
    rerun: counts,
  };
}

function noEarlierRun(): Finding {
  const message = 'there is no earlier run of these files: every selected test runs';
  return { ...fileFinding('.assay', 'no_earlier_run', message), severity: 'warning' };
}

function nothingFailed({ counts: { skipped }, passed, latest, open }: TestsToRerun): Finding {
  if (open !== undefined)
    return fileFinding(
      '.assay',
      'nothing_failed',
      `every test passed when it last ran, but the run ${open.runId} ended with exit code ${open.exitCode}`,
      'remove --last-failed to run every test',
    );
  const warn = (message: string, hint: string): Finding => ({
    ...fileFinding('.assay', 'nothing_failed', message, hint),
    severity: 'warning',
  });
  const others = passed === 0 ? '' : `, and the other ${passed} passed when last run`;
  if (skipped > 0)
    return warn(
      `nothing to run: ${skipped} selected ${skipped === 1 ? 'test is' : 'tests are'} skipped${others}`,
      'a skipped test is not a pass: remove `skip`, select other tests, or add --pass-with-no-tests',
    );
  return warn(
    `nothing to run: all ${passed} selected tests passed when they last ran (latest run: ${latest?.runId ?? ''})`,
    'remove --last-failed to run every test',
  );
}
