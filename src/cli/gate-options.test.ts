import { expect, test } from 'vitest';
import { readGateOptions } from './gate-options.ts';

test.each([
  [{ repeats: 'often' }, '--repeats takes a whole number of at least 1, or auto, not "often"'],
  [{ confidence: '0.9' }, '--confidence is for --repeats auto'],
  [{ repeats: '3', 'max-repeats': '5' }, '--max-repeats is for --repeats auto'],
  [
    { repeats: 'auto', confidence: '1' },
    '--confidence takes a number from 0.5 to below 1, such as 0.95, not "1"',
  ],
  [{ 'min-pass-rate': '90' }, '--min-pass-rate takes a share such as 0.9 or 90%, not "90"'],
  [{ 'max-flaky': '1.5' }, '--max-flaky takes a number of tests such as 2, or a share such as 5%, not "1.5"'],
  [
    { 'max-flaky': '100%' },
    '--max-flaky takes a number of tests such as 2, or a share such as 5%, not "100%"',
  ],
  [{ 'max-cost': '-1' }, '--max-cost takes US dollars such as 2.50, not "-1"'],
] as const)('%j is refused', (given, problem) => {
  expect(read(given).problems).toEqual([problem]);
});

test('shares may be percentages', () => {
  const given = { 'min-pass-rate': '92.5%', 'max-flaky': '5%', 'min-coverage': '.8', 'max-cost': '$2.50' };
  expect(read(given)).toMatchObject({
    problems: [],
    options: { minPassRate: 0.925, maxFlaky: 0.05, minCoverage: 0.8, maxCost: 2.5 },
  });
});

test('a whole number of flaky tests is a number of tests', () => {
  expect(read({ 'max-flaky': '1' }).options.maxFlaky).toBe(1);
});

function read(given: Readonly<Record<string, string>>) {
  const problems: string[] = [];
  return { options: readGateOptions((name) => given[name], problems), problems };
}
