import { version } from '../../base/system/version.ts';
import { join, relative, resolve } from 'node:path';
import { withProjectEnvironment } from '../../suites/config/project-environment.ts';
import { TargetResolver } from '../../suites/config/target-resolver.ts';
import { checkRun } from '../../runs/journal/check-run.ts';
import { readOutlines } from '../../runs/journal/read-outlines.ts';
import { DamagedRun } from '../../runs/journal/damaged-run.ts';
import type { RunDirectory, RunEnding } from '../../runs/journal/run-directory.ts';
import { compareRuns } from '../../runs/compare/compare-runs.ts';
import { comparisonsOf } from '../baseline/target-comparisons.ts';
import { severalTargets } from '../../base/model/several-targets.ts';
import { ComparedFold } from '../../runs/compare/run-side.ts';
import { openSuites } from '../../suites/load/open-suites.ts';
import { hasErrors, type Finding } from '../../base/model/finding.ts';
import { withoutTexts } from '../../base/model/sent-texts.ts';
import type { Summary } from '../../base/model/summary.ts';
import { runTests } from '../../run/run-tests.ts';
import { Tally } from '../../run/verdicts/tally.ts';
import { keepHeapSmall } from '../../base/system/small-heap.ts';
import { rerunOptions } from '../../base/model/rerun-command.ts';
import { findAddedFiles } from './added-files.ts';
import { findChangedTargets } from './changed-targets.ts';
import { readRun } from '../baseline/compared-side.ts';
import { damageFindings } from '../recorded/damage-findings.ts';
import { exitCodeOf } from '../basics/exit-code.ts';
import { otherVersion, uncaughtError } from '../basics/run-findings.ts';
import { takeUncaught } from '../../base/system/user-code.ts';
import { DEFAULT_ALPHA } from '../baseline/run-baseline.ts';
import { rulesOf } from '../basics/gate-rules.ts';
import { leaveOutRecorded } from '../recorded/leave-out-recorded.ts';
import { mayRepeat } from '../recorded/may-repeat.ts';
import { GradedRecordings } from './graded-recordings.ts';
import { matchedAttempts } from './matched-attempts.ts';
import { recordedAttempts, recordedTests } from './recorded-attempts.ts';
import { recordedStops } from '../recorded/recorded-stops.ts';
import { createReporterMultiplexer } from '../basics/reporter-multiplexer.ts';
import type { RunOptions, RunResult } from '../basics/run-options.ts';
import { createEvaluationHost } from '../evaluation/evaluation-host.ts';
import { cassetteSettings } from '../targets/cassette-settings.ts';
import type { RunCassettes } from '../targets/run-cassettes.ts';
import { ProjectEvaluators } from '../evaluation/project-evaluators.ts';
import { createRecordedSelection } from './recorded-selection.ts';

export interface GradeOptions extends Pick<
  RunOptions,
  'reporters' | 'signal' | 'threshold' | 'allowScripts' | 'useCache' | 'config' | 'cassettes'
> {
  readonly run: RunDirectory;
  readonly projectRoot: string;
  /** Suites for recordings of agents that Assay did not run. Their verdicts are a run of their own. */
  readonly recordings?:
    | { readonly suites: readonly string[]; readonly match?: string | undefined }
    | undefined;
}

/** Evaluates the current assertions on the replies that a run recorded. No agent is called. */
export function gradeRun(options: GradeOptions): Promise<Omit<RunResult, 'records'>> {
  return withProjectEnvironment(async () => {
    const evaluators = new ProjectEvaluators({ config: options.config, mayExecute: true });
    try {
      return await gradeWith(evaluators, options);
    } finally {
      await evaluators.close();
    }
  });
}

async function gradeWith(
  evaluators: ProjectEvaluators,
  options: GradeOptions,
): Promise<Omit<RunResult, 'records'>> {
  keepHeapSmall();
  const { run, projectRoot, reporters = [], allowScripts = false, useCache = true } = options;
  const allFindings: Finding[] = [];
  const emit = createReporterMultiplexer([
    ...reporters,
    { onFinding: (finding) => void allFindings.push(finding) },
  ]);
  const damage = checkRun(run);
  const description = run.description();
  if (description === undefined) throw new DamagedRun(run, damage);
  const { recordings } = options;
  const isSelected = recordings ? undefined : createRecordedSelection(run, description, projectRoot);
  const files =
    recordings?.suites ??
    description.files.map(({ file }) => relative(process.cwd(), join(projectRoot, file)));
  const added = isSelected === undefined ? [] : await findAddedFiles(description, projectRoot);
  const { suites, findings } = await openSuites([...files, ...added], evaluators.formatsOf);
  const resolver = new TargetResolver(
    { config: options.config, mayExecute: true, configs: evaluators.configs },
    process.cwd(),
    process.env,
  );
  const config = suites.length === 0 ? {} : await resolver.configFor(suites[0]!.file);
  const recordedThreshold = description.options['threshold'] as number | undefined;
  const threshold = options.threshold ?? recordedThreshold ?? config.threshold;
  for (const { file } of suites) await resolver.configFor(file);
  const cassettes = await openCassettes(options, { resolver, file: suites[0]?.file });
  const redactor = await resolver.redactor();
  const find = (finding: Finding): void => emit('onFinding', redactor.value(finding));
  const rules = rulesOf([run]);
  const judgedAgain = new ComparedFold((file) => relative(projectRoot, resolve(file)), rules);
  const kept = recordings && new GradedRecordings(run, { projectRoot, suites });
  emit('onRunStart', {
    run_id: kept?.directory.runId ?? run.runId,
    agents: [],
    cwd: process.cwd(),
    asked: rerunOptions([description]),
    targets: severalTargets(description.targets),
  });
  const place = { projectRoot, suites, config: options.config };
  const changed = recordings ? [] : await findChangedTargets(description, place);
  const earlier =
    description.versions.assay === version ? [] : [otherVersion(run.runId, description.versions.assay)];
  for (const finding of [
    ...evaluators.findings,
    ...findings,
    ...damageFindings(run, damage),
    ...changed,
    ...earlier,
  ])
    find(finding);
  const targets = severalTargets(description.targets);
  const tally = new Tally(rules, targets);
  const recorded = recordedTests({ run, projectRoot, cwd: description.cwd ?? '' });
  const { hasRepeats } = recorded;
  const repeats = recordings || mayRepeat({ hasRepeats, rules, ending: run.ending() }) ? undefined : 1;
  const made = await runTests(
    {
      attempts: recordings
        ? matchedAttempts({ run, suites, rule: recordings.match, threshold, redactor, find })
        : recordedAttempts({
            run,
            recorded,
            suites,
            threshold,
            repeats,
            projectRoot,
            redactor,
            onGone: find,
            isSelected,
          }),
      kinds: evaluators.kinds,
      redact: redactor.value,
      evaluationHost: createEvaluationHost({
        resolver,
        projectRoot,
        evaluators,
        allowScripts,
        useCache: useCache && cassettes?.isReplay !== true,
      }),
      cassettes: cassettes?.deck,
      rules,
      workers: 8,
      retries: 0,
      timeoutMs: GRADE_TIMEOUT_MS,
      threshold,
      strict: description.options['strict'] === true,
      signal: options.signal ?? new AbortController().signal,
    },
    {
      onResult(record) {
        tally.add(record, repeats);
        judgedAgain.addRecord(record);
        const shown = withoutTexts(redactor.value(record));
        kept?.append(shown);
        emit('onResult', shown);
      },
      onFinding: find,
      caughtUp: () => emit.caughtUp(),
    },
  );
  for (const finding of cassettes?.close() ?? []) find(finding);
  for (const error of await takeUncaught()) find(uncaughtError(run.runId, error));
  const comparison = recordings
    ? undefined
    : compareRuns(readRun(run, readOutlines(run.journalPath)), judgedAgain.side(run.runId), {
        rule: 'regression',
        alpha: DEFAULT_ALPHA,
        sameReplies: true,
      });
  const here = (file: string): string =>
    relative(process.cwd(), resolve(projectRoot, description.cwd ?? '', file));
  const ending = recordings ? undefined : run.ending();
  const counted = summarize(tally, ending, { made: made.summary, here });
  // What was imported is complete: its run did not end early.
  const interrupted = recordings ? made.summary.interrupted : counted.interrupted;
  const summary = { ...counted, interrupted, selection: description.selection };
  const tests = redactor.value(tally.tests());
  const exit_code =
    damage.length > 0
      ? 2
      : exitCodeOf({ summary, hasErrors: hasErrors(allFindings), passWithNoTests: false });
  kept?.end({ summary, exit_code, findings: allFindings.filter(({ severity }) => severity === 'error') });
  // Without recordings no folder: the run's own folder contains the earlier verdicts.
  await emit.end({
    directory: kept?.directory.path,
    summary,
    tests,
    exit_code,
    comparison,
    target_comparisons: targets && comparisonsOf(judgedAgain.side(run.runId), targets),
  });
  return {
    run_id: kept?.directory.runId ?? run.runId,
    exit_code,
    summary,
    tests,
    comparison,
    findings: allFindings,
  };
}

/** What judges said when the run was recorded. Only `replay` may not ask them for what is not there. */
async function openCassettes(
  { cassettes, projectRoot }: GradeOptions,
  { resolver, file }: { readonly resolver: TargetResolver; readonly file: string | undefined },
): Promise<RunCassettes | undefined> {
  const settings = await cassetteSettings({ cassettes }, resolver, file);
  if (settings === undefined) return undefined;
  const mode = settings.mode === 'replay' ? 'replay' : 'new';
  await resolver.useCassettes({ isReplay: mode === 'replay' });
  const { RunCassettes: Cassettes } = await import('../targets/run-cassettes.ts');
  const redactor = await resolver.redactor();
  return new Cassettes({ ...settings, mode }, { projectRoot, redactor, isJudgeOnly: true });
}

const GRADE_TIMEOUT_MS = 600_000;

interface Regraded {
  /** For the replies that were judged again. */
  readonly made: Summary;
  /** Where a file of the run is, seen from here. */
  here(file: string): string;
}

/** Attempts that the run never started cannot be judged: a grade is no more complete than its run. */
function summarize(tally: Tally, ending: RunEnding | undefined, { made, here }: Regraded): Summary {
  leaveOutRecorded(tally, ending, (test) => ({ ...test, file: here(test.file) }));
  const summary = tally.summary({
    durationMs: made.duration_ms,
    interrupted: made.interrupted || ending?.summary.interrupted !== false,
  });
  return { ...summary, gates: [...summary.gates, ...recordedStops(ending)] };
}
