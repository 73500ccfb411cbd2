import { TargetResolver } from '../../suites/config/target-resolver.ts';
import { readReferencedFile } from '../../suites/load/file-parts.ts';
import { rootForSuite } from '../../suites/load/project-root.ts';
import { fileFinding } from '../../suites/load/read-suite-file.ts';
import type { Finding } from '../../base/model/finding.ts';
import { DEFAULT_THRESHOLD } from '../../base/model/threshold.ts';
import { SYSTEM_CLOCK } from '../../run/pool/clock.ts';
import { gradeInTime, releaseLimits } from '../../run/attempt/execute-attempt.ts';
import { Grader } from '../../run/grade/grade.ts';
import { planTests } from '../../run/plan/plan.ts';
import { nextTurn } from '../../base/system/system-time.ts';
import type { RunOptions } from '../basics/run-options.ts';
import { isFiltered } from '../../run/plan/plan-outline.ts';
import { selectSuites, type SelectedSuites } from '../select/select-suites.ts';
import { createEvaluationHost } from '../evaluation/evaluation-host.ts';
import type { EvaluationPlace } from '../../run/attempt/attempt.ts';
import { FileCheck, type CheckedInFile } from './file-check.ts';
import { withConfigDefaults } from '../basics/with-config-defaults.ts';
import { withInlineFiles, type ReadText } from './inline-files.ts';
import { isProblem, KnownProblems } from './load-problems.ts';
import { NotCheckedCounter, type NotChecked } from './not-checked.ts';
import { createRequirementsOf } from './requirements-of.ts';
import type { GradeReplies } from './test-check.ts';

export interface CheckSuitesOptions extends Pick<
  RunOptions,
  'paths' | 'grep' | 'grepInvert' | 'tags' | 'excludedTags' | 'config' | 'threshold' | 'strict'
> {
  /** Execute the root's config if it is code. */
  readonly trustConfig?: boolean;
  readonly signal: AbortSignal;
  /** Tests that could not be checked do not count against the rest. */
  readonly allowUnchecked?: boolean | undefined;
  /** Called with each finding, of files and of tests. The check continues when the promise resolves. */
  onFinding(finding: Finding): Promise<void>;
}

/** The result of a check of suites. */
export interface SuiteCheck {
  readonly exit_code: number;
  readonly tests: number;
  /** Tests that were checked completely. */
  readonly checked: number;
  /** Tests that were not: a judge or a program takes part in the decision, or no passing reply was found. */
  readonly unchecked: number;
  readonly skipped: number;
  readonly assertions: number;
  /** Replies that were tried: of oracles, of the idle agent, and changed ones. */
  readonly replies: number;
  /** What is wrong with tests and their assertions. */
  readonly problems: number;
  /** Errors of files. */
  readonly errors: number;
  readonly not_checked: readonly NotChecked[];
}

/** Runs an oracle, an idle agent, and changed oracles against suites: can their tests pass, and can they fail? */
export async function checkSuites(given: CheckSuitesOptions): Promise<SuiteCheck> {
  const { signal, onFinding } = given;
  const mayExecute = given.trustConfig === true;
  const options = await withConfigDefaults(given, { mayExecute });
  const selected = await selectSuites(options, { mayExecute });
  const { evaluators } = selected;
  const counts = {
    tests: 0,
    checked: 0,
    unchecked: 0,
    skipped: 0,
    assertions: 0,
    replies: 0,
    problems: 0,
    errors: 0,
  };
  const notChecked = new NotCheckedCounter();
  const known = new KnownProblems();
  // If only some tests of a file are selected, problems of the others do not matter.
  const isWhole = !isFiltered(selected.selection);
  const report = async (finding: Finding): Promise<void> => {
    if (finding.severity === 'error') counts.errors++;
    if (isWhole && isProblem(finding)) {
      counts.problems++;
      known.add(finding);
    }
    await onFinding(finding);
  };
  const resolver = new TargetResolver(
    {
      config: options.config,
      mayExecute: options.trustConfig === true,
      isOptional: true,
      configs: evaluators.configs,
    },
    process.cwd(),
    process.env,
  );
  const config = selected.suites.length === 0 ? {} : await resolver.configFor(selected.suites[0]!.file);
  for (const finding of [...selected.findings, ...resolver.findings]) await report(finding);
  for (const { file } of selected.suites.filter(({ hasOnly }) => hasOnly)) {
    counts.problems++;
    await onFinding(onlySet(file));
  }
  const { kinds } = evaluators;
  const wantedBy = createRequirementsOf(kinds);
  const threshold = options.threshold ?? config.threshold;
  const weaknesses = { kinds, defaultThreshold: threshold === undefined ? DEFAULT_THRESHOLD : undefined };

  async function checkAll({ suites, selection }: SelectedSuites, grade: GradeReplies): Promise<void> {
    let file: FileCheck | undefined;
    for await (const { suite, tests } of planTests(suites, selection)) {
      if (file?.file !== suite.file) {
        if (file !== undefined) await take(file.end());
        file = new FileCheck(suite.file, { known, notChecked, weaknesses, wantedBy, grade });
      }
      for (const test of tests) {
        signal.throwIfAborted();
        counts.tests++;
        if (test.skip !== undefined) counts.skipped++;
        else await take(await file.check(withInlineFiles(test, kinds, readTextFor(suite.file))));
      }
    }
    if (file !== undefined) await take(file.end());
  }

  async function take({ findings, isChecked, assertions, replies }: CheckedInFile): Promise<void> {
    if (isChecked !== undefined) counts[isChecked ? 'checked' : 'unchecked']++;
    counts.assertions += assertions;
    counts.replies += replies;
    counts.problems += findings.length;
    for (const finding of findings) await onFinding(finding);
  }

  const readTextFor =
    (file: string): ReadText =>
    (path) => {
      const read = readReferencedFile(path, { file, root: rootForSuite(file, selected.projectRoot) });
      return 'text' in read ? read.text : undefined;
    };
  const evaluationHost = createEvaluationHost({
    resolver,
    projectRoot: selected.projectRoot,
    evaluators,
    allowScripts: false,
    useCache: false,
  });
  const context = {
    grader: new Grader(kinds),
    threshold,
    clock: SYSTEM_CLOCK,
    evaluationHost: (place: EvaluationPlace, abort: AbortSignal) => ({
      ...evaluationHost(place, abort),
      runScript: refuse,
      loadEvaluator: refuse,
      assess: refuse,
    }),
  };
  try {
    await checkAll(selected, async (attempt, replies) => {
      // Timers and signals have their turn.
      await nextTurn();
      const { record } = await gradeInTime(attempt, replies, { context, signal, timeoutMs: TIMEOUT_MS });
      signal.throwIfAborted();
      return record;
    });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    releaseLimits(signal);
  }
  await evaluators.close();
  if (counts.tests === 0 && counts.errors === 0 && !signal.aborted)
    await report(nothingFound(options.paths ?? []));
  const exit_code = exitCodeOf(counts, {
    isInterrupted: signal.aborted,
    allowsUnchecked: options.allowUnchecked === true,
  });
  return { exit_code, ...counts, not_checked: notChecked.list() };
}

const TIMEOUT_MS = 120_000;

function refuse(): Promise<never> {
  return Promise.reject(new Error('`assay check` calls no judges and no programs'));
}

/** Tests hidden by `only` are neither run nor checked. */
function onlySet(file: string): Finding {
  const message = '`only` is set, so no other test is run or checked';
  return { ...fileFinding(file, 'only_set', message, 'remove it'), severity: 'warning' };
}

function nothingFound(paths: readonly string[]): Finding {
  const where = paths.length === 0 ? '.' : paths.join(' ');
  return fileFinding(where, 'no_tests', 'there is no test to check', 'check the paths and filters');
}

interface ExitRules {
  readonly isInterrupted: boolean;
  readonly allowsUnchecked: boolean;
}

/** Only a check of everything that found nothing ends with 0. */
function exitCodeOf(
  { errors, problems, checked, unchecked }: Omit<SuiteCheck, 'exit_code' | 'not_checked'>,
  { isInterrupted, allowsUnchecked }: ExitRules,
): number {
  if (isInterrupted) return 130;
  if (errors > 0) return 2;
  if (problems > 0) return 1;
  return checked === 0 || (unchecked > 0 && !allowsUnchecked) ? 3 : 0;
}
