import { expect, test } from 'vitest';
import { DatasetBudget, DatasetText } from './dataset-text.ts';

const END = Buffer.alloc(0);

function budgetOf(bytes: number): DatasetBudget {
  const budget = new DatasetBudget();
  budget.left = bytes;
  return budget;
}

const textOf = (text: DatasetText): string | undefined => text.chunks?.map(String).join('');

test('a text is known once its end was read, whatever becomes of the memory it was read into', () => {
  const text = new DatasetText(budgetOf(10));
  const memory = Buffer.from('abcde');
  text.add(memory);
  expect(text.chunks).toBeUndefined();
  text.add(END);
  memory.fill('x');
  expect(textOf(text)).toBe('abcde');
});

test('datasets share one memory budget, and one that is too long gives back its share', () => {
  const budget = budgetOf(10);
  const [first, second, third] = [1, 2, 3].map(() => new DatasetText(budget)) as [
    DatasetText,
    DatasetText,
    DatasetText,
  ];
  first.add(Buffer.from('abcd'));
  second.add(Buffer.from('efgh'));
  second.add(Buffer.from('ijkl'));
  second.add(END);
  expect(textOf(second)).toBeUndefined();
  expect(budget.left).toBe(6);
  third.add(Buffer.from('mnopqr'));
  for (const text of [first, third]) text.add(END);
  expect([first, third].map(textOf)).toEqual(['abcd', 'mnopqr']);
  expect(budget.left).toBe(0);
});
