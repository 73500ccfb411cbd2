import { mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { findNewestAttempts, type SoughtTest } from '../../src/runs/journal/newest-attempts.ts';
import { JournalWriter } from '../../src/runs/journal/journal-writer.ts';
import { writeSealed } from '../../src/runs/journal/sealed-file.ts';
import type { Verdict } from '../../src/base/model/record.ts';
import { listRuns } from '../../src/runs/journal/run-directory.ts';

let root: string | undefined;
afterEach(() => rmSync(root!, { recursive: true, force: true }));

type Row = readonly [test: string, fingerprint: string, verdict: string, startedAt?: string];

/** A project with a run for each list of records, a minute apart. */
function project(...runs: (readonly Row[])[]): string {
  root = mkdtempSync(join(tmpdir(), 'assay-newest-'));
  for (const [index, rows] of runs.entries()) {
    const at = `2026-01-01T00:0${index}:00.000Z`;
    const folder = join(root, '.assay/runs', `20260101T000${index}00-000-0000000${index}`);
    mkdirSync(folder, { recursive: true });
    const files = [{ file: 'sub/a.yaml', hash: '' }];
    const run_id = basename(folder);
    writeSealed(join(folder, 'run.json'), {
      run_id,
      sequence: index + 1,
      files,
      cwd: 'sub',
      started_at: at,
      options: {},
    });
    const journal = join(folder, 'results.jsonl');
    const writer = new JournalWriter(journal, {
      runId: run_id,
      onError: (error) => expect.unreachable(error.message),
    });
    for (const [id, fingerprint, verdict, started_at = at] of rows)
      writer.append({
        id: `a.yaml::${id}::x::1`,
        file: 'a.yaml',
        line: 1,
        column: 1,
        tags: [],
        test: id,
        target: 'x',
        repeat: 1,
        fingerprint,
        verdict: verdict as Verdict,
        steps: [],
        assertions: [],
        retries: 0,
        started_at,
        duration_ms: 1,
      });
    writer.close();
    const written = new Date(Math.max(...rows.map((row) => Date.parse(row[3] ?? at))) + 1000);
    utimesSync(journal, written, written);
  }
  return root;
}

function find(projectRoot: string, ids: readonly string[], maxBytes?: number) {
  const tests = new Map(ids.map((id): [string, SoughtTest] => [id, { fingerprint: 'f', target: 'x' }]));
  const runs = findNewestAttempts(new Map([['sub/a.yaml', tests]]), {
    projectRoot,
    runs: listRuns(projectRoot),
    maxBytes,
  });
  const verdicts = [...tests].map(([id, { result, hasOther }]) => [
    id,
    result === undefined
      ? hasOther === true
        ? 'other'
        : 'none'
      : result.attempts.map(({ verdict }) => verdict).join(),
  ]);
  return { read: runs.length, ...(Object.fromEntries(verdicts) as Record<string, string>) };
}

test('the newest record with the same fingerprint counts, and reading stops once every test was found', () => {
  const made = project(
    [['a', 'f', 'failed']],
    [
      ['a', 'f', 'passed'],
      ['b', 'f', 'failed'],
      ['b', 'f', 'passed'],
    ],
    [
      ['a', 'g', 'failed'],
      ['b', 'g', 'failed'],
    ],
  );
  expect(find(made, ['a', 'b'])).toEqual({ read: 2, a: 'passed', b: 'passed' });
  expect(find(made, ['a', 'b', 'c'])).toEqual({ read: 3, a: 'passed', b: 'passed', c: 'none' });
});

test('reading stops at a limit, and tests not found by then have no record', () => {
  const made = project([['a', 'f', 'passed']], [['a', 'g', 'passed']], [['a', 'g', 'passed']]);
  expect(find(made, ['a'], 1)).toEqual({ read: 1, a: 'other' });
  expect(find(made, ['a'])).toEqual({ read: 3, a: 'passed' });
});

test('a failure counts from an older run that was written to after a later one started', () => {
  const late = '2026-01-01T00:05:00.000Z';
  const made = project(
    [
      ['a', 'f', 'failed', late],
      ['b', 'f', 'passed', late],
    ],
    [
      ['a', 'f', 'passed'],
      ['b', 'f', 'failed'],
    ],
  );
  expect(find(made, ['a', 'b'])).toEqual({ read: 2, a: 'failed', b: 'failed' });
});
