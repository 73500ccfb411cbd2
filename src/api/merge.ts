import { join } from 'node:path';
import { withDotEnv } from '../config/dot-env.ts';
import { readRecordAt } from '../journal/journal-reader.ts';
import { latestEntries, type EntryPlace } from '../journal/latest-entries.ts';
import { createRunDirectory, type RunDirectory } from '../journal/run-directory.ts';
import { createRedactor } from '../match/redact-secrets.ts';
import type { Finding } from '../model/finding.ts';
import type { JsonObject } from '../model/json.ts';
import type { AskedAgain, Reporter } from '../reporters/reporter.ts';
import { Tally } from '../run/tally.ts';
import { version } from '../version.ts';
import { askedAgain } from './asked-again.ts';
import { exitCodeOf } from './exit-code.ts';
import { rulesOf } from './gate-rules.ts';
import { countByFile } from './report.ts';
import type { RunResult } from './run-options.ts';
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
  // Every shard reads all files, and finds the same in them.
  const allFindings: Finding[] = [];
  const tell = createTeller([...reporters, { onFinding: (finding) => void allFindings.push(finding) }]);
  const redactor = createRedactor(withDotEnv(projectRoot, process.env));
  const descriptions = runs.flatMap((run) => run.description() ?? []);
  const files = new Map(
    descriptions.flatMap((description) => description.files.map((file) => [file.file, file] as const)),
  );
  const asked = askedAgain(descriptions.map(({ options }) => options));
  const cwd = descriptions[0]?.cwd ?? '';
  const directory = createRunDirectory(projectRoot, (run_id) => ({
    run_id,
    started_at: descriptions.map(({ started_at }) => started_at).toSorted()[0] ?? new Date().toISOString(),
    files: [...files.values()],
    cwd,
    options: { merged: runs.map(({ runId }) => runId), ...definedOnly(asked) },
    versions: { assay: version, node: process.version },
    git_revision: descriptions[0]?.git_revision,
  }));
  const last = new Map<string, { readonly run: RunDirectory; readonly entry: EntryPlace }>();
  for (const run of runs)
    for (const [id, entry] of latestEntries(run.journalPath)) last.set(id, { run, entry });

  const journal = directory.openJournal({ onError: () => {} });
  const endings = runs.map((run) => run.ending());
  const tally = new Tally(rulesOf(runs));
  tell('onRunStart', {
    run_id: directory.runId,
    agents: [],
    planned: countByFile([...last.values()].map(({ entry }) => entry)),
    cwd: join(projectRoot, cwd),
    asked,
  });
  for (const finding of endings.flatMap((ending) => ending?.findings ?? [])) tell('onFinding', finding);
  const findingsOfRun = [...allFindings];
  for (const { run, entry } of last.values()) {
    const record = redactor.value(readRecordAt(run.journalPath, entry));
    journal.append(record);
    tally.add(record);
    for (const finding of record.findings ?? []) tell('onFinding', finding);
    tell('onResult', record);
    await tell.settled();
  }
  for (const ending of endings) tally.leaveOutUnnamed(ending?.summary.not_started ?? 0);
  const durationMs = endings.reduce((sum, ending) => sum + (ending?.summary.duration_ms ?? 0), 0);
  journal.close();
  const interrupted = endings.some((ending) => ending?.summary.interrupted !== false);
  const tallied = tally.summary({ durationMs, interrupted });
  // What a part was stopped by stops the whole.
  const stops = endings.flatMap(
    (ending) => ending?.summary.gates.filter(({ gate }) => gate === 'max_cost') ?? [],
  );
  const summary = { ...tallied, gates: [...tallied.gates, ...stops] };
  const exit_code = exitCodeOf({
    summary,
    hasErrors: endings.some((ending) => ending?.exit_code === 2),
    passWithNoTests: false,
  });
  directory.end({ run_id: directory.runId, exit_code, summary, findings: findingsOfRun });
  directory.unlock();
  const tests = tally.tests();
  await tell.end({ summary, tests, exit_code, directory: directory.path });
  return { run_id: directory.runId, exit_code, summary, tests, findings: allFindings };
}

function definedOnly(asked: AskedAgain): JsonObject {
  return JSON.parse(JSON.stringify(asked)) as JsonObject;
}
