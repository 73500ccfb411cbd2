import { join, relative } from 'node:path';
import { withDotEnv } from '../../suites/config/dot-env.ts';
import { checkRun } from '../../runs/journal/check-run.ts';
import { RecordFile } from '../../runs/journal/record-file.ts';
import {
  createRunDirectory,
  type RunDescription,
  type RunDirectory,
  type RunEnding,
} from '../../runs/journal/run-directory.ts';
import { TextFile } from '../../runs/journal/text-file.ts';
import { createRedactor } from '../../base/match/redact-secrets.ts';
import { hasErrors, type Finding } from '../../base/model/finding.ts';
import type { RegressionRule } from '../../base/model/comparison.ts';
import type { JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import { fillTexts } from '../../base/model/sent-texts.ts';
import type { Summary } from '../../base/model/summary.ts';
import type { Reporter } from '../../show/reporters/reporter.ts';
import { Tally } from '../../run/verdicts/tally.ts';
import { version } from '../../base/system/version.ts';
import { rerunOptions } from '../../base/model/rerun-command.ts';
import { nameOf } from '../recorded/run-name.ts';
import { checkShards } from './check-shards.ts';
import { damageFindings } from '../recorded/damage-findings.ts';
import { baselineOutcomes } from '../baseline/baseline-outcome.ts';
import { recordedTargetComparisons } from '../baseline/target-comparisons.ts';
import { severalTargets } from '../../base/model/several-targets.ts';
import { withBaselines } from '../baseline/comparison-exit.ts';
import { exitCodeOf } from '../basics/exit-code.ts';
import { otherRules, rulesOf } from '../basics/gate-rules.ts';
import { leaveOutRecorded } from '../recorded/leave-out-recorded.ts';
import { orderRecords } from './merge-order.ts';
import { mergeSelections } from './merge-selections.ts';
import { planOfRuns, recordedPlan } from '../recorded/recorded-plan.ts';
import { recordedStops } from '../recorded/recorded-stops.ts';
import { RunBaseline } from '../baseline/run-baseline.ts';
import { partAsBaseline, unmatchedTargets } from '../basics/run-findings.ts';
import type { RunResult } from '../basics/run-options.ts';
import { createReporterMultiplexer } from '../basics/reporter-multiplexer.ts';
import { unstartedTests } from '../recorded/unstarted-tests.ts';
import { timestamp } from '../../base/system/system-time.ts';

export interface MergeOptions {
  readonly runs: readonly RunDirectory[];
  readonly projectRoot: string;
  /** A missing shard is a warning. */
  readonly allowMissing?: boolean | undefined;
  /** Compare the merged run with this run or baseline file. */
  readonly baseline?: string | undefined;
  readonly failOn?: RegressionRule | undefined;
  readonly reporters?: readonly Reporter[];
}

/**
 * Merges several runs into one: the same records, once each, in the order of the plan. If an attempt is in two of
 * them, the last one counts.
 */
export async function mergeRuns({
  runs,
  projectRoot,
  allowMissing = false,
  reporters = [],
  ...compared
}: MergeOptions): Promise<Omit<RunResult, 'records'>> {
  const damaged = runs.flatMap((run) => damageFindings(run, checkRun(run)));
  const allFindings: Finding[] = [];
  const emit = createReporterMultiplexer([
    ...reporters,
    { onFinding: (finding) => void allFindings.push(finding) },
  ]);
  const redactor = createRedactor(withDotEnv(projectRoot, process.env));
  const descriptions = runs.flatMap((run) => run.description() ?? []);
  const endings = runs.map((run) => run.ending());
  const { entries, planned: recorded } = orderRecords(runs, recordedFiles(descriptions));
  const planned = planOfRuns(runs, descriptions, recorded);
  const baseline =
    compared.baseline === undefined ? undefined : new RunBaseline(compared.baseline, projectRoot);
  const selection = mergeSelections(descriptions.map((description) => description.selection));
  const directory = createRunDirectory(projectRoot, (run_id) => ({
    ...describe(run_id, descriptions, runs),
    selection,
  }));

  const journal = directory.openJournal({ onError: () => {} });
  const rules = rulesOf(runs);
  if (rules !== undefined) baseline?.useRules(rules);
  const tally = new Tally(
    rules,
    mergeTargets(descriptions)?.map(({ name }) => name),
  );
  emit('onRunStart', {
    run_id: directory.runId,
    name: nameOf(directory.description()?.options),
    agents: [],
    planned,
    cwd: join(projectRoot, descriptions[0]?.cwd ?? ''),
    asked: rerunOptions(descriptions),
    targets: severalTargets(mergeTargets(descriptions)),
  });
  // Every shard reads all files and finds the same problems, which are reported once.
  for (const finding of endings.flatMap((ending) => ending?.findings ?? [])) emit('onFinding', finding);
  const shards = checkShards(runs, { allowMissing });
  for (const finding of [...damaged, ...shards.findings, ...findMismatches(runs, baseline)])
    emit('onFinding', finding);
  const findingsOfRun = [...allFindings];
  const journals = runs.map(({ journalPath }) => new RecordFile(journalPath));
  const texts = runs.map(({ textsPath }) => new TextFile(textsPath));
  for (const entry of entries) {
    const found = fillTexts(journals[entry.run]!.recordAt(entry), (id) => texts[entry.run]!.read(id));
    const record = journal.keepTexts(redactor.value(found));
    journal.append(record);
    tally.add(record);
    for (const finding of record.findings ?? []) emit('onFinding', finding);
    emit('onResult', record);
    await emit.settled();
  }
  journal.close();
  tally.leaveOutUnnamed(shards.missing);
  const summary = { ...summarize(tally, endings), selection };
  const against = baseline?.compareRecorded(directory, compared.failOn);
  const comparison = against?.whole;
  const named = baseline?.lastingName ?? '';
  const baselines = against && baselineOutcomes(against, { baseline: named, extent: summary });
  if (against !== undefined)
    for (const finding of unmatchedTargets(directory.runId, named, against)) emit('onFinding', finding);
  const ownCode = exitCodeOf({
    summary,
    hasErrors: hasErrors(findingsOfRun) || endings.some((ending) => ending?.exit_code === 2),
    passWithNoTests: descriptions.some(({ options }) => options['passWithNoTests'] === true),
  });
  // Without its summary, a damaged run counts as interrupted, although nobody interrupted it.
  const own = damaged.length > 0 ? 2 : ownCode;
  const exit_code = withBaselines(own, baselines);
  const tests = tally.tests();
  directory.end({
    run_id: directory.runId,
    exit_code,
    summary,
    tests: unstartedTests(tests),
    findings: findingsOfRun,
    baselines,
    journal: journal.seal,
  });
  directory.unlock();
  await emit.end({
    summary,
    tests,
    exit_code,
    comparison,
    baselines,
    baseline_comparisons: against?.targets,
    target_comparisons: recordedTargetComparisons(directory),
    directory: directory.path,
  });
  return { run_id: directory.runId, exit_code, summary, tests, comparison, findings: allFindings };
}

/** What makes the whole meaningless, no matter which shards are there. */
function findMismatches(
  runs: readonly RunDirectory[],
  baseline: RunBaseline | undefined,
): readonly Finding[] {
  const own = runs.find((run) => baseline?.isRun(run) === true);
  return [otherRules(runs) ?? [], own === undefined ? [] : partAsBaseline(own.runId)].flat();
}

function describe(
  run_id: string,
  descriptions: readonly RunDescription[],
  runs: readonly RunDirectory[],
): Omit<RunDescription, 'sequence'> {
  const plan = recordedPlan(descriptions.map((description) => ({ ...description, cwd: '' })));
  const files = descriptions.flatMap((description) =>
    description.files.map((file) => ({ ...file, planned: plan?.get(file.file) })),
  );
  return {
    run_id,
    started_at: descriptions.map(({ started_at }) => started_at).toSorted()[0] ?? timestamp(),
    files: [...new Map(files.map((file) => [file.file, file])).values()],
    cwd: descriptions[0]?.cwd ?? '',
    options: {
      ...commonOptions(descriptions.map(({ options }) => options)),
      merged: runs.map(({ runId }) => runId),
    },
    targets: mergeTargets(descriptions),
    versions: { assay: version, node: process.version },
    git_revision: descriptions[0]?.git_revision,
    git_branch: descriptions[0]?.git_branch,
    git_title: descriptions[0]?.git_title,
  };
}

/** Undefined if a run does not say; a target with two definitions is named twice. */
function mergeTargets(descriptions: readonly RunDescription[]): RunDescription['targets'] {
  if (descriptions.some(({ targets }) => targets === undefined)) return undefined;
  const all = descriptions.flatMap(({ targets = [] }) => targets);
  return [...new Map(all.map((target) => [`${target.name} ${target.settings}`, target])).values()];
}

/** The options that all runs share: a grade of the merged run needs their threshold, for example. */
function commonOptions([first = {}, ...others]: readonly JsonObject[]): JsonObject {
  const { shard: _shard, shardBy: _by, resume: _resume, ...asked } = first;
  return Object.fromEntries(
    Object.entries(asked).filter(([name, value]) =>
      others.every((other) => printJson(other[name] ?? null) === printJson(value)),
    ),
  );
}

/** As records name them: relative to the folder of the run's start. */
function recordedFiles(descriptions: readonly RunDescription[]): readonly string[] {
  const names = descriptions.flatMap(({ files, cwd }) =>
    files.map(({ file }) => relative(join('/', cwd ?? ''), join('/', file))),
  );
  return [...new Set(names)];
}

function summarize(tally: Tally, endings: readonly (RunEnding | undefined)[]): Summary {
  for (const ending of endings) leaveOutRecorded(tally, ending);
  const summary = tally.summary({
    // The time that one machine would have taken.
    durationMs: endings.reduce((sum, ending) => sum + (ending?.summary.duration_ms ?? 0), 0),
    interrupted: endings.some((ending) => ending?.summary.interrupted !== false),
  });
  // What stopped a part stops the whole.
  return { ...summary, gates: [...summary.gates, ...endings.flatMap(recordedStops)] };
}
