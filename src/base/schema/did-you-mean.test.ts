import { expect, test } from 'vitest';
import { closest, didYouMean, missingSpace, quoteName } from './did-you-mean.ts';

const NAMES = [
  'input',
  'input_messages',
  'evaluators',
  'tool_trajectory',
  'cases',
  'tags',
  'steps',
  'assert',
];

test.each([
  ['inptu', 'input'],
  ['inputs', 'input'],
  ['INPUT', 'input'],
  ['evalautors', 'evaluators'],
  ['evaluator', 'evaluators'],
  ['tool-trajectory', 'tool_trajectory'],
  ['toolTrajectory', 'tool_trajectory'],
  ['case', 'cases'],
  ['tag', 'tags'],
  ['stesp', 'steps'],
  ['asserts', 'assert'],
])('%s suggests %s', (word, meant) => {
  expect(closest(word, NAMES)).toBe(meant);
});

test.each(['', 'x', 'base', 'name', 'output', 'description', 'x'.repeat(10_000)])(
  '%j has no suggestion',
  (word) => {
    expect(closest(word, NAMES)).toBeUndefined();
    expect(didYouMean(word, NAMES)).toBeUndefined();
  },
);

test('two swapped letters count as one mistake', () => {
  expect(closest('tgas', ['tags'])).toBe('tags');
  expect(closest('agts', ['tags'])).toBeUndefined();
  expect(closest('stesp', ['stes_p', 'steps'])).toBe('stes_p');
  expect(closest('inupt', ['inxpx', 'input'])).toBe('input');
});

test('the nearest name wins', () => {
  expect(closest('inputt', ['inputs', 'inputt_', 'input'])).toBe('inputt_');
});

test('a colon without a space is explained', () => {
  expect(missingSpace('input:x', NAMES)).toBe('write `input: ...`, with a space after the colon');
  expect(missingSpace('inputs:x', NAMES)).toBeUndefined();
});

test('a long name is shortened', () => {
  expect(quoteName('a')).toBe('`a`');
  expect(quoteName('a'.repeat(200))).toBe(`\`${'a'.repeat(80)}…\``);
});
