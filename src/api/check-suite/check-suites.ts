import { createAssertionKinds } from '../../assertions/registry.ts';
import { TargetResolver } from '../../config/target-resolver.ts';
import { fileFinding } from '../../load/read-suite-file.ts';
import type { Test } from '../../model/test.ts';
import type { Finding } from '../../model/finding.ts';
import type { AttemptRecord } from '../../model/record.ts';
import { DEFAULT_THRESHOLD } from '../../model/threshold.ts';
import { planTests, type PlannedAttempt } from '../../run/plan.ts';
import { runTests } from '../../run/run-tests.ts';
import type { RunOptions } from '../run-options.ts';
import { selectSuites, type SelectedSuites } from '../select-suites.ts';
import { createSurroundings } from '../surroundings.ts';
import { toCheckable } from './checkable-test.ts';
import { NOT_CHECKED, NotCheckedCounter, type NotChecked } from './not-checked.ts';
import { TestCheck } from './test-check.ts';
import { createWantedBy } from './wanted-by.ts';

export interface CheckSuitesOptions extends Pick<
  RunOptions,
  'paths' | 'grep' | 'tags' | 'config' | 'threshold' | 'strict'
> {
  /** Execute the root's config when it is code. */
  readonly trustConfig?: boolean;
  readonly signal: AbortSignal;
  /** Told each finding as it is made: of files, and of tests. The check goes on when the promise resolves. */
  onFinding(finding: Finding): Promise<void>;
}

/** What the check of suites came to. */
export interface SuiteCheck {
  readonly exit_code: number;
  readonly tests: number;
  /** Tests with at least one assertion that could be checked. */
  readonly checked: number;
  readonly skipped: number;
  readonly assertions: number;
  /** Replies that were tried: of oracles, of the agent that does nothing, and changed ones. */
  readonly replies: number;
  /** What is wrong with tests and their assertions. */
  readonly problems: number;
  /** Errors of files. */
  readonly errors: number;
  readonly not_checked: readonly NotChecked[];
}

/** Runs an oracle, an agent that does nothing, and changed oracles against suites: can their tests pass, and fail? */
export async function checkSuites(options: CheckSuitesOptions): Promise<SuiteCheck> {
  const { signal, onFinding } = options;
  const selected = await selectSuites(options);
  const counts = { tests: 0, checked: 0, skipped: 0, assertions: 0, replies: 0, problems: 0, errors: 0 };
  const notChecked = new NotCheckedCounter();
  const report = async (finding: Finding): Promise<void> => {
    if (finding.severity === 'error') counts.errors++;
    await onFinding(finding);
  };
  const resolver = new TargetResolver(
    { config: options.config, mayExecute: options.trustConfig === true, isOptional: true },
    process.cwd(),
    process.env,
  );
  const config = selected.suites.length === 0 ? {} : await resolver.configFor(selected.suites[0]!.file);
  for (const finding of [...selected.findings, ...resolver.findings]) await report(finding);
  const kinds = createAssertionKinds();
  const wantedBy = createWantedBy(kinds);
  let lastRecord: AttemptRecord | undefined;

  async function* attempts({ suites, selection }: SelectedSuites): AsyncGenerator<PlannedAttempt> {
    for await (const { suite, tests } of planTests(suites, selection)) {
      for (const test of tests) yield* attemptsOf(suite.file, test);
    }
  }

  async function* attemptsOf(file: string, test: Test): AsyncGenerator<PlannedAttempt> {
    counts.tests++;
    if (test.skip !== undefined) {
      counts.skipped++;
      return;
    }
    const checkable = toCheckable(test, wantedBy);
    for (const assertion of checkable.judged) notChecked.add(test, assertion, NOT_CHECKED.judged);
    const count = checkable.whole.length + checkable.steps.flat().length;
    if (count === 0) return;
    counts.checked++;
    counts.assertions += count;
    const check = new TestCheck(checkable, file, () => lastRecord!);
    const { findings, unsatisfied, replies } = yield* check.run();
    counts.replies += replies;
    counts.problems += findings.length;
    for (const { assertion } of unsatisfied) notChecked.add(test, assertion, NOT_CHECKED.unsatisfied);
    for (const finding of findings) await onFinding(finding);
  }

  const surroundings = createSurroundings({
    resolver,
    projectRoot: selected.projectRoot,
    allowScripts: false,
    useCache: false,
  });
  await runTests(
    {
      attempts: attempts(selected),
      learn: (_attempt, record) => (lastRecord = record),
      kinds,
      surroundings: (place, abort) => ({ ...surroundings(place, abort), runScript: refuse, assess: refuse }),
      // One after the other: what is tried next depends on what came of the last.
      workers: 1,
      retries: 0,
      timeoutMs: TIMEOUT_MS,
      threshold: options.threshold ?? config.threshold ?? DEFAULT_THRESHOLD,
      signal,
    },
    {},
  );
  if (counts.tests === 0 && counts.errors === 0 && !signal.aborted)
    await report(nothingFound(options.paths ?? []));
  return { exit_code: exitCodeOf(counts, signal.aborted), ...counts, not_checked: notChecked.list() };
}

const TIMEOUT_MS = 120_000;

function refuse(): Promise<never> {
  return Promise.reject(new Error('neither judges nor programs are asked when a suite is checked'));
}

function nothingFound(paths: readonly string[]): Finding {
  const where = paths.length === 0 ? '.' : paths.join(' ');
  return fileFinding(where, 'no_tests', 'there is no test to check', 'look at the paths and filters');
}

function exitCodeOf(
  { errors, problems, checked }: Pick<SuiteCheck, 'errors' | 'problems' | 'checked'>,
  interrupted: boolean,
): number {
  if (interrupted) return 130;
  if (errors > 0) return 2;
  if (problems > 0) return 1;
  return checked === 0 ? 3 : 0;
}
