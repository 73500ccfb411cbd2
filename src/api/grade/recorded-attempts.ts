import { relative, resolve } from 'node:path';
import { noReplies, recordedReplies } from '../../agents/recorded-replies.ts';
import { RecordFile } from '../../runs/journal/record-file.ts';
import { testsOfJournal, type RecordPlaces } from '../../runs/journal/record-places.ts';
import type { RunDirectory } from '../../runs/journal/run-directory.ts';
import type { OpenSuite } from '../../suites/load/open-suites.ts';
import { fileFinding } from '../../suites/load/read-suite-file.ts';
import type { Redactor } from '../../base/match/redact-secrets.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import type { Test } from '../../base/model/test.ts';
import { attemptId, testKey } from '../../base/model/test-key.ts';
import { fingerprint } from '../../run/plan/fingerprint.ts';
import type { PlannedAttempt } from '../../run/plan/plan.ts';
import { changedQuestion } from '../recorded/changed-question.ts';

/** What a run was supposed to run, as far as its description says. */
export type RecordedSelection = (test: Test, file: string, next: Test | undefined) => boolean;

export interface RecordedOptions {
  readonly run: RunDirectory;
  /** Tests are removed from it once they were yielded. */
  readonly recorded: RecordedTests;
  readonly suites: readonly OpenSuite[];
  /** Undefined: nobody chose one. */
  readonly threshold: number | undefined;
  /** How often each test ran; undefined if unknown. */
  readonly repeats: number | undefined;
  readonly projectRoot: string;
  readonly redactor: Redactor;
  readonly onGone: (finding: Finding) => void;
  /** Undefined if a test that was added cannot be told from one that the run left out. */
  readonly isSelected: RecordedSelection | undefined;
}

/**
 * The attempts of a run, each with its replies, test by test: neither tests nor replies are
 * kept in memory. A test that was removed is reported. One that was added, or whose question changed, cannot be
 * measured.
 */
export async function* recordedAttempts(options: RecordedOptions): AsyncGenerator<PlannedAttempt> {
  const { run, recorded, suites, threshold, repeats, projectRoot, redactor, onGone } = options;
  const journal = new RecordFile(run.journalPath);
  const targets = new Set<string>();
  for (const { file, batches } of suites) {
    const waiting = recorded.files.get(redactor.text(relative(projectRoot, resolve(file))));
    const again = function* (test: Test, next: Test | undefined): Generator<PlannedAttempt> {
      const id = redactor.text(test.id);
      const own = waiting?.tests.get(id) ?? [];
      waiting?.tests.delete(id);
      for (const number of typeof own === 'number' ? [own] : own) {
        const record = journal.recordAt(recorded.places.at(number));
        targets.add(record.target);
        yield plannedAgain(record, { file, test, threshold, repeats, redactor });
      }
      if (typeof own !== 'number' && own.length === 0 && options.isSelected?.(test, file, next) === true)
        for (const target of test.targets ?? (test.target === undefined ? namesOf(targets) : [test.target]))
          yield addedSince(test, { file, target, threshold });
    };
    // A test ends where the next one starts.
    let last: Test | undefined;
    for await (const batch of batches()) {
      for (const test of batch) {
        if (last !== undefined) yield* again(last, test);
        last = test;
      }
    }
    if (last !== undefined) yield* again(last, undefined);
  }
  for (const { file, tests } of recorded.files.values())
    for (const test of tests.keys())
      onGone(fileFinding(file, 'test_gone', `the test "${test}" of this run no longer exists`));
}

/** Those of the run so far: a test that was added since has no target in it. */
function namesOf(targets: ReadonlySet<string>): readonly string[] {
  return targets.size === 0 ? [''] : [...targets];
}

/** What a run recorded, by file, relative to the project, and by test. */
export interface RecordedTests {
  readonly places: RecordPlaces;
  readonly files: ReadonlyMap<string, TestsOfFile>;
  /** A test ran more than once. */
  readonly hasRepeats: boolean;
}

interface TestsOfFile {
  /** As its records name it. */
  readonly file: string;
  readonly tests: Map<string, number | number[]>;
}

interface RunPlace {
  readonly run: RunDirectory;
  readonly projectRoot: string;
  /** Where the run was started, relative to the project. */
  readonly cwd: string;
}

export function recordedTests({ run, projectRoot, cwd }: RunPlace): RecordedTests {
  const { places, files: recorded } = testsOfJournal(run.journalPath);
  const files = new Map<string, TestsOfFile>();
  let hasRepeats = false;
  for (const [name, own] of recorded) {
    const file = relative(projectRoot, resolve(projectRoot, cwd, name));
    const known = files.get(file);
    if (known === undefined) files.set(file, { file: name, tests: own });
    // Two names of one file.
    else for (const [test, numbers] of own) known.tests.set(test, join(known.tests.get(test), numbers));
    for (const numbers of own.values()) hasRepeats ||= typeof numbers !== 'number';
    hasRepeats ||= known !== undefined;
  }
  return { places, files, hasRepeats };
}

function join(before: number | number[] | undefined, numbers: number | number[]): number | number[] {
  return before === undefined ? numbers : [before, numbers].flat();
}

interface Again extends Pick<RecordedOptions, 'threshold' | 'repeats' | 'redactor'> {
  readonly file: string;
  readonly test: Test;
}

function plannedAgain(
  record: AttemptRecord,
  { file, test, threshold, repeats, redactor }: Again,
): PlannedAttempt {
  const { id, target, repeat, verdict, skip_reason } = record;
  const change = changedQuestion(record, test, redactor);
  return {
    id,
    file,
    test,
    target,
    repeat,
    repeats,
    replies: change === undefined ? recordedReplies(record) : noReplies(change),
    fingerprint: fingerprint(test, { target, threshold }),
    skipped: verdict === 'skipped' && change === undefined ? (skip_reason ?? '') : undefined,
  };
}

function addedSince(
  test: Test,
  {
    file,
    target,
    threshold,
  }: { readonly file: string; readonly target: string; readonly threshold: number | undefined },
): PlannedAttempt {
  return {
    id: attemptId(testKey({ file, test: test.id, target }), 1),
    file,
    test,
    target,
    repeat: 1,
    replies: noReplies('the run has no reply for this test: it was added later, or its record is damaged'),
    fingerprint: fingerprint(test, { target, threshold }),
    skipped: test.skip === undefined ? undefined : test.skip === true ? '' : test.skip,
  };
}
