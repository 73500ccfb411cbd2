import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Test } from '../model/test.ts';
import { DatasetBudget, InMemoryDataset } from './in-memory-dataset.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-held-'));
afterAll(() => rmSync(folder, { recursive: true }));

const TEST = { id: 't', steps: [], assertions: [], tags: [] } as unknown as Test;
const LINE = 'x'.repeat(900);
/** About what one such test takes. */
const BYTES = 10_000;

function dataset(size: number): string {
  const file = join(folder, `${size}.jsonl`);
  writeFileSync(file, 'x'.repeat(size));
  return file;
}

function budgetOf(bytes: number): DatasetBudget {
  const budget = new DatasetBudget();
  budget.left = bytes;
  return budget;
}

test('datasets share one memory budget', () => {
  const budget = budgetOf(5 * BYTES);
  const [first, second] = [
    new InMemoryDataset(dataset(10), budget),
    new InMemoryDataset(dataset(10), budget),
  ];
  for (let count = 0; count < 3; count++) first.add(TEST, LINE);
  for (let count = 0; count < 2; count++) second.add(TEST, LINE);
  expect(first.tests).toHaveLength(3);
  expect(second.tests).toHaveLength(2);
  expect(budget.left).toBe(0);
});

test('a dataset that grows too large is dropped, and its memory is returned to the budget', () => {
  const budget = budgetOf(3 * BYTES);
  const large = new InMemoryDataset(dataset(10), budget);
  for (let count = 0; count < 4; count++) large.add(TEST, LINE);
  expect(large.tests).toBeUndefined();
  expect(budget.left).toBe(3 * BYTES);
  large.add(TEST, LINE);
  expect(large.tests).toBeUndefined();
});

test('a file that is too large is not read at all', () => {
  const budget = budgetOf(10 * 1000);
  expect(new InMemoryDataset(dataset(1001), budget).tests).toBeUndefined();
  expect(new InMemoryDataset(dataset(1000), budget).tests).toEqual([]);
  expect(new InMemoryDataset(join(folder, 'missing.jsonl'), budget).tests).toBeUndefined();
});

test('a dataset that will not fit is dropped after its first tests', () => {
  const line = 'x'.repeat(100);
  const budget = budgetOf(1_500_000);
  const [long, short] = [dataset(100_000), dataset(60_000)].map((file) => new InMemoryDataset(file, budget));
  for (let count = 0; count < 500; count++) long!.add(TEST, line);
  expect(long!.tests).toBeUndefined();
  expect(budget.left).toBe(1_500_000);
  for (let count = 0; count < 600; count++) short!.add(TEST, line);
  expect(short!.tests).toHaveLength(600);
});
