import { expect, test } from 'vitest';
import { isDataset, splitSuiteLines } from './suite-lines.ts';

test('the extension decides whether a file is a dataset', () => {
  for (const file of ['a.jsonl', 'a/b.JSONL', 'C:\\a.eval.jsonl']) expect(isDataset(file)).toBe(true);
  for (const file of ['a.json', 'a.jsonl.yaml', '.jsonl', 'a/.jsonl', 'jsonl'])
    expect(isDataset(file)).toBe(false);
});

test('lines end where line numbers count them', () => {
  const text = '\uFEFFa\rb\r\nc\nd';
  expect(splitSuiteLines(text, 'x.yaml')).toEqual(['a', 'b', 'c', 'd']);
  expect(splitSuiteLines(text, 'x.jsonl')).toEqual(['a\rb', 'c', 'd']);
});
