import { withDotEnv } from '../config/dot-env.ts';
import { readRecordAt } from '../journal/journal-reader.ts';
import { latestEntries, type EntryPlace } from '../journal/latest-entries.ts';
import { createRunDirectory, type RunDirectory } from '../journal/run-directory.ts';
import { createRedactor } from '../match/redact-secrets.ts';
import type { Reporter } from '../reporters/reporter.ts';
import { Tally } from '../run/tally.ts';
import { version } from '../version.ts';
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
  const redactor = createRedactor(withDotEnv(projectRoot, process.env));
  const descriptions = runs.flatMap((run) => run.description() ?? []);
  const files = new Map(
    descriptions.flatMap((description) => description.files.map((file) => [file.file, file] as const)),
  );
  const directory = createRunDirectory(projectRoot, (run_id) => ({
    run_id,
    started_at: descriptions.map(({ started_at }) => started_at).toSorted()[0] ?? new Date().toISOString(),
    files: [...files.values()],
    cwd: descriptions[0]?.cwd ?? '',
    options: { merged: runs.map(({ runId }) => runId) },
    versions: { assay: version, node: process.version },
    git_revision: descriptions[0]?.git_revision,
  }));
  const last = new Map<string, { readonly run: RunDirectory; readonly entry: EntryPlace }>();
  for (const run of runs)
    for (const [id, entry] of latestEntries(run.journalPath)) last.set(id, { run, entry });

  const journal = directory.openJournal({ onError: () => {} });
  const tally = new Tally({ hasRepeats: true });
  tell('onRunStart', { run_id: directory.runId, agents: [] });
  for (const { run, entry } of last.values()) {
    const record = redactor.value(readRecordAt(run.journalPath, entry));
    journal.append(record);
    tally.add(record);
    tell('onResult', record);
  }
  const durationMs = runs.reduce((sum, run) => sum + (run.ending()?.summary.duration_ms ?? 0), 0);
  journal.close();
  const interrupted = runs.some((run) => run.ending()?.summary.interrupted !== false);
  const summary = tally.summary({ durationMs, interrupted });
  const exit_code = exitCodeOf({
    summary,
    hasErrors: runs.some((run) => run.ending()?.exit_code === 2),
    passWithNoTests: false,
  });
  directory.end({ run_id: directory.runId, exit_code, summary });
  await tell.end({ summary, exit_code, directory: directory.path });
  return { run_id: directory.runId, exit_code, summary, findings: [] };
}
