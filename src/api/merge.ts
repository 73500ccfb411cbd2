import { readJournal } from '../journal/journal-reader.ts';
import { createRunDirectory, type RunDirectory } from '../journal/run-directory.ts';
import type { Reporter } from '../reporters/reporter.ts';
import { Tally } from '../run/tally.ts';
import { exitCodeOf } from './exit-code.ts';
import type { RunResult } from './run.ts';
import { createTeller } from './tell-reporters.ts';

export interface MergeOptions {
  readonly runs: readonly RunDirectory[];
  readonly projectRoot: string;
  readonly reporters?: readonly Reporter[];
}

/** Makes one run of several: the same records, once each. An attempt that is in two of them counts as in the last. */
export async function mergeRuns({
  runs,
  projectRoot,
  reporters = [],
}: MergeOptions): Promise<Omit<RunResult, 'records'>> {
  const tell = createTeller(reporters);
  const descriptions = runs.map((run) => run.description());
  const files = new Map(
    descriptions.flatMap((description) => description.files.map((file) => [file.file, file] as const)),
  );
  const directory = createRunDirectory(projectRoot, (run_id) => ({
    ...descriptions[0]!,
    run_id,
    started_at: descriptions.map(({ started_at }) => started_at).toSorted()[0]!,
    files: [...files.values()],
    options: { merged: runs.map(({ runId }) => runId) },
  }));
  const lastRunOf = new Map<string, number>();
  for (const [index, run] of runs.entries())
    for (const { record } of readJournal(run.journalPath)) lastRunOf.set(record.id, index);

  const journal = directory.openJournal({ onError: () => {} });
  const tally = new Tally({ hasRepeats: true });
  let durationMs = 0;
  tell('onRunStart', { run_id: directory.runId, agents: [] });
  for (const [index, run] of runs.entries()) {
    for (const { record } of readJournal(run.journalPath)) {
      if (lastRunOf.get(record.id) !== index) continue;
      journal.append(record);
      tally.add(record);
      tell('onResult', record);
    }
    durationMs += run.ending()?.summary.duration_ms ?? 0;
  }
  journal.close();
  const interrupted = runs.some((run) => run.ending()?.summary.interrupted !== false);
  const summary = tally.summary({ durationMs, interrupted });
  const exit_code = exitCodeOf({
    summary,
    hasErrors: runs.some((run) => run.ending()?.exit_code === 2),
    passWithNoTests: false,
  });
  directory.end({ run_id: directory.runId, exit_code, summary });
  for (const reporter of reporters)
    await reporter.onRunEnd?.({ summary, exit_code, directory: directory.path });
  return { run_id: directory.runId, exit_code, summary, findings: [] };
}
