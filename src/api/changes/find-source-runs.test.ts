import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RunDirectory } from '../../runs/journal/run-directory.ts';
import { findSourceRuns } from './find-source-runs.ts';

test('runs with other filters do not push out the run that selected the same tests', () => {
  const root = mkdtempSync(join(tmpdir(), 'assay-runs-'));
  try {
    const filters = [undefined, ...Array.from({ length: 14 }, (_, index) => `t${index}`)];
    for (const [index, grep] of filters.entries()) {
      const run_id = `20260101T0000${String(index).padStart(2, '0')}-000-0000000${index.toString(16)}`;
      const path = join(root, '.assay/runs', run_id);
      mkdirSync(path, { recursive: true });
      new RunDirectory(path).describe({
        run_id,
        sequence: index + 1,
        started_at: '2026-01-01T00:00:00.000Z',
        files: [{ file: 'a.test.yaml', hash: '0' }],
        cwd: '',
        options: { changed: true, ...(grep === undefined ? {} : { grep }) },
        versions: { assay: '0', node: '0' },
      });
    }
    const { sources, continued } = findSourceRuns(root, 'every test');
    expect(continued?.runId).toMatch(/^20260101T000000/);
    expect(sources.at(-1)?.runId).toBe(continued?.runId);
    expect(sources.length).toBe(11);
  } finally {
    rmSync(root, { recursive: true });
  }
});
