import { TargetResolver } from '../../suites/config/target-resolver.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { RunSelection } from '../../base/model/selection.ts';
import type { Test } from '../../base/model/test.ts';
import { planTests } from '../../run/plan/plan.ts';
import { describeSelection } from '../select/describe-selection.ts';
import { explainEmpty, type EmptySelection } from '../select/explain-empty.ts';
import { narrowToFailed } from '../select/narrow-to-failed.ts';
import type { RunOptions } from '../basics/run-options.ts';
import { withConfigDefaults } from '../basics/with-config-defaults.ts';
import { selectSuites, type SelectedSuites } from '../select/select-suites.ts';

interface ListedTests {
  readonly count: number;
  readonly findings: readonly Finding[];
  /** What is left out without the user's request. */
  readonly selection: RunSelection | undefined;
  /** Why no test is listed, if filters are the reason. */
  readonly empty?: EmptySelection | undefined;
  /** No test is listed because every selected one passed when it last ran. */
  readonly isAllPassed: boolean;
}

export interface ListOptions extends RunOptions {
  /** Code of the project is executed: configs and evaluators. */
  readonly trustConfig?: boolean;
}

/** The tests that a run with these options would run, one by one. */
export async function listTests(
  given: ListOptions,
  onTest: (file: string, test: Test) => Promise<void>,
): Promise<ListedTests> {
  const mayExecute = given.trustConfig === true;
  const options = await withConfigDefaults(given, { mayExecute });
  const asked = await selectSuites(options, { mayExecute });
  try {
    return await listSelected(asked, options, onTest);
  } finally {
    await asked.evaluators.close();
  }
}

async function listSelected(
  asked: SelectedSuites,
  options: ListOptions,
  onTest: (file: string, test: Test) => Promise<void>,
): Promise<ListedTests> {
  const { suites, selection, findings, isAllPassed, rerun } = await narrowToFailed(asked, options);
  if (suites.length > 0) await refuseUnknownTargets(asked, options);
  let count = 0;
  const leftOut = { filters: 0, only: 0, passed: 0 };
  for await (const { suite, tests } of planTests(suites, selection, (reason) => leftOut[reason]++)) {
    count += tests.length;
    for (const test of tests) await onTest(suite.file, test);
  }
  // Filters are visible on the command line. `only` and `--last-failed` leave out tests without anybody noticing.
  const isNoteworthy = leftOut.only > 0 || rerun !== undefined;
  const files = new Map([['', { tests: count, pairs: count, attempts: undefined }]]);
  return {
    count,
    findings,
    selection: isNoteworthy
      ? describeSelection(options, { suites, outline: { leftOut, files }, rerun })
      : undefined,
    isAllPassed,
    empty: count === 0 && !isAllPassed ? await explainEmpty(suites, selection) : undefined,
  };
}

/** A run refuses a `--target` that no config has, so its list does too. A config that is code may define any target. */
async function refuseUnknownTargets(asked: SelectedSuites, options: ListOptions): Promise<void> {
  const { configs } = asked.evaluators;
  const choice = { ...options, mayExecute: options.trustConfig === true, isNamingOnly: true, configs };
  const resolver = new TargetResolver(choice, process.cwd(), process.env);
  for (const { file } of asked.suites) {
    if (resolver.isRefused(file) || resolver.isConfigUnread(file)) continue;
    const problem = await resolver.unknownTarget(file);
    if (problem !== undefined) throw problem;
  }
}
