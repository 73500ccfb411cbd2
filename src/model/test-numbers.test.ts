import { expect, test } from 'vitest';
import { NumberTable } from './number-table.ts';
import { TestNumbers } from './test-numbers.ts';

test('finds every test by its name, and no others', () => {
  const names = Array.from({ length: 5000 }, (_, index) => ({
    file: `${index % 3}.jsonl`,
    test: `case ${Math.floor(index / 6)}`,
    target: index % 6 < 3 ? 'one' : 'other',
  }));
  const numbers = new TestNumbers();
  const isIt = (name: object) => (number: number) => JSON.stringify(names[number]) === JSON.stringify(name);
  for (const [index, name] of names.entries()) {
    expect(numbers.get(name, isIt(name))).toBeUndefined();
    numbers.add(name, index);
  }
  for (const [index, name] of names.entries()) expect(numbers.get(name, isIt(name))).toBe(index);
});

test('tests whose hashes are equal are still told apart by name', () => {
  const numbers = new TestNumbers();
  const name = { file: 'a', test: 'b', target: 'c' };
  numbers.add(name, 0);
  expect(numbers.get(name, () => false)).toBeUndefined();
  numbers.add(name, 1);
  expect(numbers.get(name, (number) => number === 1)).toBe(1);
});

test('a table keeps all entries as it grows', () => {
  const table = new NumberTable(3);
  for (let row = 0; row < 10_000; row++) expect(table.add(row, row / 3, -row)).toBe(row);
  table.set(4096, 1, NaN);
  expect(table.get(4096, 1)).toBeNaN();
  for (const row of [0, 4095, 4097, 9999])
    expect([0, 1, 2].map((field) => table.get(row, field))).toEqual([row, row / 3, row === 0 ? -0 : -row]);
});
