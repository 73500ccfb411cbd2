import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { effort } from '../effort.ts';

const ONE = { compare: { rows: 2, about: 'compare' } };
const PARTS = effort<Readonly<Record<string, { rows: number; about: string }>>>({
  short: ONE,
  long: {
    throughput: { rows: 3, about: 'throughput' },
    records: { rows: 6, about: '100 results' },
    lsp: { rows: 2, about: 'lsp' },
    ...ONE,
  },
});

/** Checks that it measures, not the numbers: a test must not depend on times. */
test('the benchmark runs and prints a row for each measurement; a partial run saves nothing', () => {
  const before = readFileSync('bench/RESULTS.md', 'utf8');
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bench/run.mjs', ...Object.keys(PARTS)], {
    encoding: 'utf8',
    env: { ...process.env, BENCH_CASES: '100', BENCH_RESULTS: '100', BENCH_RECORDS: '100' },
  });
  // With so few cases a ratio may be above its target, which the exit code says.
  const isTooSlow = stderr.includes('too slow: ');
  expect({ status, stderr: stderr.replaceAll(/^too slow: .*\n/gm, '') }).toEqual({
    status: isTooSlow ? 1 : 0,
    stderr: Object.keys(PARTS)
      .map((name) => `${name}...\n`)
      .join(''),
  });
  const rows = stdout.split('\n').filter((line) => /^\| (?!what|-)/.test(line));
  expect(rows.map((row) => row.split(/[:|]/)[1]!.trim())).toEqual(
    Object.values(PARTS).flatMap(({ rows: count, about }) => Array.from({ length: count }, () => about)),
  );
  for (const row of rows) expect(row).toMatch(/\| \d+\.\d\dx \|/);
  expect(readFileSync('bench/RESULTS.md', 'utf8')).toBe(before);
});
