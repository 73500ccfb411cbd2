import { join, relative } from 'node:path';
import { readRecordAt } from '../journal/journal-reader.ts';
import { createRunDirectory, type RunDescription, type RunDirectory } from '../journal/run-directory.ts';
import { hasErrors, type Finding } from '../model/finding.ts';
import { printJson } from '../model/print-json.ts';
import type { Reporter } from '../reporters/reporter.ts';
import { Tally } from '../run/tally.ts';
import { version } from '../version.ts';
import { checkShards } from './check-shards.ts';
import { exitCodeOf } from './exit-code.ts';
import { orderRecords } from './merge-order.ts';
import type { RunResult } from './run.ts';
import { createTeller } from './tell-reporters.ts';

export interface MergeOptions {
  readonly runs: readonly RunDirectory[];
  readonly projectRoot: string;
  /** A shard that is not there is a warning. */
  readonly allowMissing?: boolean | undefined;
  readonly reporters?: readonly Reporter[];
}

/**
 * Makes one run of several: the same records, once each, in the order of the plan. An attempt that is in two of them
 * counts as in the last.
 */
export async function mergeRuns(options: MergeOptions): Promise<Omit<RunResult, 'records'>> {
  const { runs, projectRoot, reporters = [], allowMissing = false } = options;
  const tell = createTeller(reporters);
  const descriptions = runs.flatMap((run) => run.description() ?? []);
  const directory = createRunDirectory(projectRoot, (run_id) => describe(run_id, descriptions, runs));
  const entries = orderRecords(runs, recordedFiles(descriptions));
  const findings = [...recordedFindings(runs), ...checkShards(runs, { allowMissing })];

  const journal = directory.openJournal({ onError: () => {} });
  const tally = new Tally({ hasRepeats: true });
  tell('onRunStart', { run_id: directory.runId, agents: [] });
  for (const finding of findings) tell('onFinding', finding);
  for (const entry of entries) {
    const record = readRecordAt(runs[entry.run]!.journalPath, entry);
    journal.append(record);
    tally.add(record);
    tell('onResult', record);
  }
  journal.close();
  const endings = runs.map((run) => run.ending());
  const summary = tally.summary({
    // What one machine would have taken.
    durationMs: endings.reduce((sum, ending) => sum + (ending?.summary.duration_ms ?? 0), 0),
    interrupted: endings.some((ending) => ending?.summary.interrupted !== false),
  });
  const exit_code = exitCodeOf({
    summary,
    hasErrors: hasErrors(findings) || endings.some((ending) => ending?.exit_code === 2),
    passWithNoTests: descriptions.some(({ options: asked }) => asked['passWithNoTests'] === true),
  });
  directory.end({ run_id: directory.runId, exit_code, summary });
  await tell.end({ summary, exit_code, directory: directory.path });
  return { run_id: directory.runId, exit_code, summary, findings };
}

function describe(
  run_id: string,
  descriptions: readonly RunDescription[],
  runs: readonly RunDirectory[],
): RunDescription {
  const [first] = descriptions;
  const { shard: _shard, shardBy: _by, resume: _resume, ...asked } = first?.options ?? {};
  const files = descriptions.flatMap((description) => description.files);
  return {
    run_id,
    started_at: descriptions.map(({ started_at }) => started_at).toSorted()[0] ?? new Date().toISOString(),
    files: [...new Map(files.map((file) => [file.file, file])).values()],
    cwd: first?.cwd ?? '',
    options: { ...asked, merged: runs.map(({ runId }) => runId) },
    versions: { assay: version, node: process.version },
    git_revision: first?.git_revision,
  };
}

/** As records name them: relative to where the run was started. */
function recordedFiles(descriptions: readonly RunDescription[]): readonly string[] {
  const names = descriptions.flatMap(({ files, cwd }) =>
    files.map(({ file }) => relative(join('/', cwd ?? ''), join('/', file))),
  );
  return [...new Set(names)];
}

/** Every shard reads every file: what they all found in them is told once. */
function recordedFindings(runs: readonly RunDirectory[]): readonly Finding[] {
  const findings = runs.flatMap((run) => run.ending()?.findings ?? []);
  const loading = findings.flatMap((found) => found.loading);
  return [
    ...new Map(loading.map((finding) => [printJson(finding), finding])).values(),
    ...findings.flatMap((found) => found.running),
  ];
}
