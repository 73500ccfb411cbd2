import { join } from 'node:path';
import { checkRun } from '../../runs/journal/check-run.ts';
import type { Damage } from '../../runs/journal/damaged-run.ts';
import { readJournal } from '../../runs/journal/journal-reader.ts';
import type { RunDirectory, RunEnding } from '../../runs/journal/run-directory.ts';
import { surveyJournal } from '../../runs/journal/survey-journal.ts';
import type { Reporter } from '../../show/reporters/reporter.ts';
import { Tally } from '../../run/verdicts/tally.ts';
import { rerunOptions } from '../../base/model/rerun-command.ts';
import { nameOf } from '../recorded/run-name.ts';
import { damageFindings } from '../recorded/damage-findings.ts';
import { exitCodeOf } from '../basics/exit-code.ts';
import { rulesOf } from '../basics/gate-rules.ts';
import { recordedTargetComparisons } from '../baseline/target-comparisons.ts';
import { severalTargets } from '../../base/model/several-targets.ts';
import { leaveOutRecorded } from '../recorded/leave-out-recorded.ts';
import { mayRepeat } from '../recorded/may-repeat.ts';
import { planOfRuns, totalOf } from '../recorded/recorded-plan.ts';
import { createReporterMultiplexer } from '../basics/reporter-multiplexer.ts';

export interface ReportOptions {
  readonly run: RunDirectory;
  readonly projectRoot: string;
  readonly reporters: readonly Reporter[];
}

export interface ReportedRun {
  /** What part of the run is damaged: the reports name it, and lack its content. */
  readonly damage: readonly Damage[];
}

/**
 * Sends a recorded run to reporters, as during the run itself. A run that did not end appears as an interrupted
 * one. Records are read one by one, and no faster than the slowest reporter takes them.
 */
export async function reportRun({ run, projectRoot, reporters }: ReportOptions): Promise<ReportedRun> {
  const damage = checkRun(run);
  const emit = createReporterMultiplexer(reporters);
  const description = run.description();
  const ending = run.ending();
  const survey = surveyJournal(run.journalPath);
  const rules = rulesOf([run]);
  const tally = new Tally(
    rules,
    description?.targets?.map(({ name }) => name),
  );
  const repeats = mayRepeat({ hasRepeats: survey.hasRepeats, rules, ending }) ? Infinity : 1;
  const recorded = survey.attemptsByFile;
  const planned = planOfRuns([run], description === undefined ? [] : [description], recorded);
  let endedAt = 0;
  emit('onRunStart', {
    run_id: run.runId,
    name: nameOf(description?.options),
    agents: [],
    planned,
    cwd: join(projectRoot, description?.cwd ?? ''),
    asked: rerunOptions(description === undefined ? [] : [description]),
    targets: severalTargets(description?.targets),
  });
  for (const finding of ending?.findings ?? []) emit('onFinding', finding);
  for (const finding of damageFindings(run, damage)) emit('onFinding', finding);
  for (const { record, offset } of readJournal(run.journalPath)) {
    if (survey.superseded.has(offset)) continue;
    for (const finding of record.findings ?? []) emit('onFinding', finding);
    emit('onResult', record);
    tally.add(record, repeats);
    endedAt = Math.max(endedAt, Date.parse(record.started_at) + (record.duration_ms ?? 0));
    await emit.settled();
  }
  const durationMs = Math.max(0, endedAt - Date.parse(description?.started_at ?? ''));
  if (ending === undefined) tally.leaveOutUnnamed(totalOf(planned ?? recorded) - survey.attempts);
  const end = ending ?? broken(run, tally, Number.isNaN(durationMs) ? 0 : durationMs);
  const { summary } = end;
  const exit_code = damage.length > 0 ? 2 : end.exit_code;
  leaveOutRecorded(tally, ending);
  const tests = tally.tests();
  await emit.end({
    summary,
    tests,
    exit_code,
    baselines: ending?.baselines,
    target_comparisons: recordedTargetComparisons(run),
    directory: run.path,
  });
  return { damage };
}

function broken(run: RunDirectory, tally: Tally, durationMs: number): RunEnding {
  const counted = tally.summary({ durationMs, interrupted: true });
  const summary = { ...counted, selection: run.description()?.selection };
  const exit_code = exitCodeOf({ summary, hasErrors: false, passWithNoTests: false });
  return { run_id: run.runId, summary, exit_code };
}
