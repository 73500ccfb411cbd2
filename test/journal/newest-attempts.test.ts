import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { findNewestAttempts, type SoughtTest } from '../../src/journal/newest-attempts.ts';
import { listRuns } from '../../src/journal/run-directory.ts';

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
    writeFileSync(
      join(folder, 'run.json'),
      JSON.stringify({ files, cwd: 'sub', started_at: at, options: {} }),
    );
    const lines = rows.map(([id, fingerprint, verdict, started_at = at]) =>
      JSON.stringify({
        id: `a.yaml::${id}::x::1`,
        file: 'a.yaml',
        test: id,
        target: 'x',
        fingerprint,
        verdict,
        started_at,
      }),
    );
    writeFileSync(join(folder, 'results.jsonl'), ['{"assay_journal":1}', ...lines, ''].join('\n'));
    const written = new Date(Math.max(...rows.map((row) => Date.parse(row[3] ?? at))) + 1000);
    utimesSync(join(folder, 'results.jsonl'), written, written);
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
  const verdicts = [...tests].map(([id, { verdicts: found, hasOther }]) => [
    id,
    found === undefined ? (hasOther === true ? 'other' : 'none') : [...found.values()].join(),
  ]);
  return { read: runs.length, ...(Object.fromEntries(verdicts) as Record<string, string>) };
}

test('the newest record of the same fingerprint counts, and no run is read when every test was found', () => {
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

test('no more is read than a limit, and what was not found then has no record', () => {
  const made = project([['a', 'f', 'passed']], [['a', 'g', 'passed']], [['a', 'g', 'passed']]);
  expect(find(made, ['a'], 1)).toEqual({ read: 1, a: 'other' });
  expect(find(made, ['a'])).toEqual({ read: 3, a: 'passed' });
});

test('an older run that was written to after a later one began counts where it did not pass', () => {
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
