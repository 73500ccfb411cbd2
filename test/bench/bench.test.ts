import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** That it measures, not what: times are no business of a test. */
test('the benchmark runs, with a row for each thing it measures, and some parts alone keep nothing', () => {
  const before = readFileSync('bench/RESULTS.md', 'utf8');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['bench/run.mjs', 'throughput', 'records', 'compare'],
    {
      encoding: 'utf8',
      env: { ...process.env, BENCH_CASES: '100', BENCH_RESULTS: '100', BENCH_RECORDS: '100' },
    },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: 'throughput...\nrecords...\ncompare...\n' });
  const rows = stdout.split('\n').filter((line) => /^\| (?!what|-)/.test(line));
  expect(rows.map((row) => row.split(/[:|]/)[1]!.trim())).toEqual([
    ...Array.from({ length: 2 }, () => 'throughput'),
    ...Array.from({ length: 5 }, () => '100 results'),
    ...Array.from({ length: 2 }, () => 'compare'),
  ]);
  for (const row of rows) expect(row).toMatch(/\| \d+\.\d\dx \|/);
  expect(readFileSync('bench/RESULTS.md', 'utf8')).toBe(before);
});
