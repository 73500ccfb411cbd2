import { selectionHere } from '../select/selection-text.ts';
import { findEarlier, type EarlierRun } from '../resume/earlier-run.ts';
import { resumeOptions } from '../resume/resume-options.ts';
import { narrowToFailed, type NarrowedSuites } from '../select/narrow-to-failed.ts';
import type { RunOptions } from '../basics/run-options.ts';
import { closingOnError } from '../targets/run-targets.ts';
import { selectSuites, type SelectedSuites } from '../select/select-suites.ts';

export interface ChosenTests extends NarrowedSuites {
  readonly options: RunOptions;
  readonly earlier: EarlierRun;
  /** Tests of the files say `only`. */
  readonly hasOnly: boolean;
}

/** Which tests are selected, by the files, the command line and the resumed run. */
export async function chooseTests(given: RunOptions): Promise<ChosenTests> {
  const selected = await selectSuites(given, { mayExecute: true });
  return closingOnError([selected.evaluators], () => narrow(selected, given));
}

async function narrow(selected: SelectedSuites, given: RunOptions): Promise<ChosenTests> {
  const { projectRoot, suites } = selected;
  const hasOnly = suites.some((suite) => suite.hasOnly);
  const selection = selectionHere({ ...given, only: hasOnly }, projectRoot);
  const earlier =
    given.record === false ? NO_EARLIER : findEarlier({ ...given, projectRoot, suites, selection });
  const options = resumeOptions(given, earlier.found);
  const narrowed = await narrowToFailed(selected, options, earlier.found);
  return { ...narrowed, options, hasOnly, earlier: narrowed.isComplete ? NO_EARLIER : earlier };
}

const NO_EARLIER: EarlierRun = { damaged: [] };
