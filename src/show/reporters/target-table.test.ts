import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import type { TargetSummary } from '../../base/model/summary.ts';
import type { GridRow } from '../../runs/fold/target-grid.ts';
import { targetTable } from './target-table.ts';
import { displayWidth } from './terminal-text.ts';

const colors = picocolors.createColors(false);
const PASSED = { verdict: 'passed', passed: 1, failed: 0, error: 0, skipped: 0, not_graded: 0 } as const;

function targetsOf(names: readonly string[]): readonly TargetSummary[] {
  return names.map(
    (target) =>
      ({
        target,
        tests: 1,
        passed: 1,
        failed: 0,
        error: 0,
        skipped: 0,
        attempts: 1,
        attempts_without_cost: 1,
        pass_rate: { passed: 1, measured: 1, rate: 1, low: 0.2, high: 1 },
        duration_ms: 5,
      }) as unknown as TargetSummary,
  );
}

function rowOf(name: string, targets: readonly string[], columns = targets): GridRow {
  const file = 'a.eval.yaml';
  const cell = { ...PASSED, file, line: 3, column: 1, test: name, target: '', notStarted: 0 };
  const cells = columns.map((target) => (targets.includes(target) ? cell : undefined));
  return { key: name, file, test: name, first: cell, cells, differs: false };
}

test.each([40, 60])('thirty targets fit into %i columns, each with its result', (columns) => {
  const names = Array.from({ length: 30 }, (_, index) => `model-${index}`);
  const rows = [rowOf('books a flight', names), rowOf('pays', names)];
  const text = targetTable({ targets: targetsOf(names), rows, comparisons: [] }, { colors, columns });
  for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
  expect(text.match(/✓/g)).toHaveLength(60);
  for (const name of names) expect(text).toContain(` = ${name}:`);
  expect(text.match(/\bD2\b/g)).toHaveLength(2);
});

const BOTH = ['shop', 'bank'];

test('tests that ran with one target each are not listed again', () => {
  const rows = [rowOf('books a flight', ['shop'], BOTH), rowOf('pays', ['bank'], BOTH)];
  const table = { targets: targetsOf(BOTH), rows, comparisons: [] };
  expect(targetTable(table, { colors, columns: 100 })).not.toMatch(/books a flight|pays/);
  const compared = { ...table, rows: [...rows, rowOf('greets', BOTH)] };
  expect(targetTable(compared, { colors, columns: 100 })).toMatch(/books a flight[^]*pays[^]*greets/);
});
