import { join } from 'node:path';
import { expect, test } from 'vitest';
import { JournalWriter } from '../../src/runs/journal/journal-writer.ts';
import { latestEntries } from '../../src/runs/journal/latest-entries.ts';
import { recordedDurations } from '../../src/runs/journal/recorded-durations.ts';
import { RunDirectory } from '../../src/runs/journal/run-directory.ts';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { attemptRecord } from '../attempt-record.ts';
import { createTempFolder } from '../formats/temp-folder.ts';

function runOf(...records: readonly Partial<AttemptRecord>[]): RunDirectory {
  const run = new RunDirectory(createTempFolder());
  const path = join(run.path, 'results.jsonl');
  const writer = new JournalWriter(path, {
    runId: 'r',
    onError: (error) => expect.unreachable(error.message),
  });
  for (const record of records) writer.append(attemptRecord(record));
  writer.close();
  return run;
}

test("a test's duration is the mean of its attempts; skipped ones do not count", () => {
  const run = runOf(
    { test: 'a', duration_ms: 10 },
    { test: 'b', duration_ms: 5, verdict: 'error' },
    { test: 'a', duration_ms: 30, repeat: 2, verdict: 'failed' },
    { test: 'c', duration_ms: 0, verdict: 'skipped' },
    { test: 'a', duration_ms: 8, target: 'other' },
  );
  expect([...recordedDurations(run)]).toEqual([
    ['a.test.yaml::a::agent', 20],
    ['a.test.yaml::b::agent', 5],
    ['a.test.yaml::a::other', 8],
  ]);
});

test('the last record of an attempt counts', () => {
  const run = runOf(
    { test: 'a', verdict: 'error' },
    { test: 'b', verdict: 'failed' },
    { test: 'c', verdict: 'skipped' },
    { test: 'a', verdict: 'passed', fingerprint: 'f2' },
    { test: 'd', verdict: 'error' },
  );
  const entries = latestEntries(run.journalPath);
  expect(
    [...entries.values()].map(({ test: name, isBad, fingerprint }) => [name, isBad, fingerprint]),
  ).toEqual([
    ['a', false, 'f2'],
    ['b', true, 'f1'],
    ['c', false, 'f1'],
    ['d', true, 'f1'],
  ]);
  expect([...entries.values()].every(({ isSealed, length }) => isSealed && length > 100)).toBe(true);
});
