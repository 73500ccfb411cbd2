import { relative, resolve } from 'node:path';
import { createReplayAgent } from '../agents/replay-agent.ts';
import { latestEntries, type EntryPlace } from '../journal/latest-entries.ts';
import { RecordFile } from '../journal/record-file.ts';
import type { RunDirectory } from '../journal/run-directory.ts';
import type { OpenSuite } from '../load/open-suites.ts';
import { fileFinding } from '../load/read-suite-file.ts';
import type { Finding } from '../model/finding.ts';
import type { AttemptRecord } from '../model/record.ts';
import type { Test } from '../model/test.ts';
import { fingerprint } from '../run/fingerprint.ts';
import type { PlannedAttempt } from '../run/plan.ts';

export interface RecordedOptions {
  readonly run: RunDirectory;
  readonly suites: readonly OpenSuite[];
  readonly threshold: number;
  readonly projectRoot: string;
  /** Where the run was started, relative to the project. */
  readonly cwd: string;
  readonly onGone: (finding: Finding) => void;
}

/**
 * The attempts of a run, each with an agent that answers as it did, test by test: neither tests nor replies are held. A
 * test that is gone is said, not passed over.
 */
export async function* recordedAttempts(options: RecordedOptions): AsyncGenerator<PlannedAttempt> {
  const { run, suites, threshold, projectRoot, onGone } = options;
  const waiting = entriesByTest(options);
  const journal = new RecordFile(run.journalPath);
  for (const { file, batches } of suites) {
    const entries = waiting.get(relative(projectRoot, resolve(file)));
    if (entries === undefined) continue;
    for await (const batch of batches()) {
      for (const test of batch) {
        for (const entry of entries.get(test.id) ?? [])
          yield plannedAgain(journal.recordAt(entry), { file, test, threshold });
        entries.delete(test.id);
      }
    }
  }
  for (const entries of waiting.values())
    for (const [{ file, test }] of entries.values())
      onGone(fileFinding(file, 'test_gone', `the test "${test}" of this run is not there any more`));
}

type Entries = [EntryPlace, ...EntryPlace[]];

/** By file, seen from the project, and by test. */
function entriesByTest({ run, projectRoot, cwd }: RecordedOptions): Map<string, Map<string, Entries>> {
  const byFile = new Map<string, Map<string, Entries>>();
  const byRecordedName = new Map<string, Map<string, Entries>>();
  for (const entry of latestEntries(run.journalPath).values()) {
    let tests = byRecordedName.get(entry.file);
    if (tests === undefined) {
      const file = relative(projectRoot, resolve(projectRoot, cwd, entry.file));
      tests = byFile.get(file) ?? new Map<string, Entries>();
      byFile.set(file, tests);
      byRecordedName.set(entry.file, tests);
    }
    const before = tests.get(entry.test);
    if (before === undefined) tests.set(entry.test, [entry]);
    else before.push(entry);
  }
  return byFile;
}

function plannedAgain(
  record: AttemptRecord,
  { file, test, threshold }: { file: string; test: Test; threshold: number },
): PlannedAttempt {
  const { id, target, repeat, verdict, skip_reason } = record;
  return {
    id,
    file,
    test,
    target,
    repeat,
    agent: createReplayAgent(record),
    fingerprint: fingerprint(test, { target, threshold }),
    skipped: verdict === 'skipped' ? (skip_reason ?? '') : undefined,
  };
}
