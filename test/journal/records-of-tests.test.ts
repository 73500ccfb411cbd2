import { join } from 'node:path';
import { expect, test } from 'vitest';
import { JournalWriter } from '../../src/runs/journal/journal-writer.ts';
import { recordsOfTests } from '../../src/runs/journal/records-of-tests.ts';
import { RunDirectory } from '../../src/runs/journal/run-directory.ts';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { attemptRecord } from '../attempt-record.ts';
import { createTempFolder } from '../formats/temp-folder.ts';

function shownOf(...records: readonly Partial<AttemptRecord>[]): readonly string[] {
  const root = createTempFolder();
  const run = new RunDirectory(root);
  const path = join(run.path, 'results.jsonl');
  const writer = new JournalWriter(path, {
    runId: 'r',
    onError: (error) => expect.unreachable(error.message),
  });
  for (const record of records) writer.append(attemptRecord(record));
  writer.close();
  const found = recordsOfTests(run, { root, file: join(root, 'a.test.yaml'), ids: new Set(['t']) });
  return found.map(({ target, repeat, verdict }) => `${target} ${repeat} ${verdict}`);
}

test('whoever shows only the first attempts shows every target: the first repeat of each comes first', () => {
  expect(
    shownOf(
      { target: 'one', repeat: 2 },
      { target: 'one', repeat: 1 },
      { target: 'two', repeat: 1, verdict: 'failed' },
      { target: 'one', repeat: 3 },
      { target: 'two', repeat: 2 },
    ),
  ).toEqual(['one 1 passed', 'two 1 failed', 'one 2 passed', 'two 2 passed', 'one 3 passed']);
});

test('the last record of an attempt counts, and other tests do not', () => {
  expect(
    shownOf({ verdict: 'failed' }, { test: 'other' }, { file: 'b.test.yaml' }, { verdict: 'passed' }),
  ).toEqual(['agent 1 passed']);
});
