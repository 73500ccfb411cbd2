import { relative, resolve } from 'node:path';
import { createReplayAgent, createSilentAgent } from '../agents/replay-agent.ts';
import { latestEntries, type EntryPlace } from '../journal/latest-entries.ts';
import { RecordFile } from '../journal/record-file.ts';
import type { RunDirectory } from '../journal/run-directory.ts';
import type { OpenSuite } from '../load/open-suites.ts';
import { fileFinding } from '../load/read-suite-file.ts';
import type { Redactor } from '../match/redact-secrets.ts';
import type { Finding } from '../model/finding.ts';
import type { AttemptRecord } from '../model/record.ts';
import type { Test } from '../model/test.ts';
import { fingerprint } from '../run/fingerprint.ts';
import type { PlannedAttempt } from '../run/plan.ts';
import { changedQuestion } from './changed-question.ts';

/** What a run was asked to run, as far as its description tells. */
export type WasAsked = (test: Test, file: string, next: Test | undefined) => boolean;

export interface RecordedOptions {
  readonly run: RunDirectory;
  /** Those that were given again are taken out. */
  readonly entries: Map<string, Map<string, Entries>>;
  readonly suites: readonly OpenSuite[];
  readonly threshold: number;
  readonly projectRoot: string;
  readonly redactor: Redactor;
  readonly onGone: (finding: Finding) => void;
  /** Undefined when nobody can tell a test that was added from one that the run left out. */
  readonly wasAsked: WasAsked | undefined;
}

/**
 * The attempts of a run, each with an agent that answers as it did, test by test: neither tests nor replies are held. A
 * test that is gone is said, not passed over. One that was added, or whose question changed, cannot be measured.
 */
export async function* recordedAttempts(options: RecordedOptions): AsyncGenerator<PlannedAttempt> {
  const { run, entries: waiting, suites, threshold, projectRoot, redactor, onGone } = options;
  const journal = new RecordFile(run.journalPath);
  let target = '';
  for (const { file, batches } of suites) {
    const entries = waiting.get(redactor.text(relative(projectRoot, resolve(file)))) ?? new Map();
    const again = function* (test: Test, next: Test | undefined): Generator<PlannedAttempt> {
      const id = redactor.text(test.id);
      const own = entries.get(id) ?? [];
      entries.delete(id);
      for (const entry of own) {
        const record = journal.recordAt(entry);
        target = record.target;
        yield plannedAgain(record, { file, test, threshold, redactor });
      }
      if (own.length === 0 && options.wasAsked?.(test, file, next) === true)
        yield addedSince(test, { file, target: test.target ?? target, threshold });
    };
    // A test ends where the next one begins.
    let last: Test | undefined;
    for await (const batch of batches()) {
      for (const test of batch) {
        if (last !== undefined) yield* again(last, test);
        last = test;
      }
    }
    if (last !== undefined) yield* again(last, undefined);
  }
  for (const entries of waiting.values())
    for (const [{ file, test }] of entries.values())
      onGone(fileFinding(file, 'test_gone', `the test "${test}" of this run is not there any more`));
}

type Entries = [EntryPlace, ...EntryPlace[]];

interface RunPlace {
  readonly run: RunDirectory;
  readonly projectRoot: string;
  /** Where the run was started, relative to the project. */
  readonly cwd: string;
}

/** By file, seen from the project, and by test. */
export function entriesByTest({ run, projectRoot, cwd }: RunPlace): Map<string, Map<string, Entries>> {
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

interface Again {
  readonly file: string;
  readonly test: Test;
  readonly threshold: number;
  readonly redactor: Redactor;
}

function plannedAgain(record: AttemptRecord, { file, test, threshold, redactor }: Again): PlannedAttempt {
  const { id, target, repeat, verdict, skip_reason } = record;
  const change = changedQuestion(record, test, redactor);
  return {
    id,
    file,
    test,
    target,
    repeat,
    agent: change === undefined ? createReplayAgent(record) : createSilentAgent(target, change),
    fingerprint: fingerprint(test, { target, threshold }),
    skipped: verdict === 'skipped' && change === undefined ? (skip_reason ?? '') : undefined,
  };
}

function addedSince(
  test: Test,
  { file, target, threshold }: { readonly file: string; readonly target: string; readonly threshold: number },
): PlannedAttempt {
  return {
    id: `${file}::${test.id}::${target}::1`,
    file,
    test,
    target,
    repeat: 1,
    agent: createSilentAgent(
      target,
      'the run has no reply to this test: it was added since, or its record is damaged',
    ),
    fingerprint: fingerprint(test, { target, threshold }),
    skipped: test.skip === undefined ? undefined : test.skip === true ? '' : test.skip,
  };
}
