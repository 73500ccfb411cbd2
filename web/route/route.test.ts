import { expect, test } from 'vitest';
import { linkTo, parseRoute } from './route.ts';

test('a link keeps its path and query, whatever they contain', () => {
  const link = linkTo(['runs', 'a/b?c', 7], { q: 'x & y', empty: '', none: undefined });
  expect(link).toBe('#/runs/a%2Fb%3Fc/7?q=x+%26+y');
  const { path, query } = parseRoute(link);
  expect(path).toEqual(['runs', 'a/b?c', '7']);
  expect([...query]).toEqual([['q', 'x & y']]);
});

test('a damaged link causes no error', () => {
  expect(parseRoute('#/runs/%E0%A4%A').path).toEqual(['runs', '%E0%A4%A']);
  expect(parseRoute('').path).toEqual([]);
});
