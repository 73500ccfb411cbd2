import { array, assert, property, string } from '../../../test/seeded-fast-check.ts';
import { describe, expect, test } from 'vitest';
import { DEFAULT_THRESHOLD } from '../../base/model/threshold.ts';
import { createDelimiter } from './delimiter.ts';
import { fillTemplate } from './fill-template.ts';
import { majority } from './majority.ts';
import { rubricItems } from './rubric-items.ts';

describe('fillTemplate', () => {
  test.each([
    ['{{a}}{{ a }}{{\ta\n}}', 'AAA', []],
    ['{{b}} {{toString}}', '{{b}} {{toString}}', ['b', 'toString']],
    ['{a} {{}} {{ }} {{1}} {{a', '{a} {{}} {{ }} {{1}} {{a', []],
    ['{{{a}}}', '{A}', []],
  ])('%j', (template, text, unknown) => {
    expect(fillTemplate(template, new Map([['a', 'A']]))).toMatchObject({ text, unknown });
  });

  test('a value is inserted unchanged, whatever it contains', () => {
    assert(
      property(string({ unit: 'grapheme' }), (value) => {
        const values = new Map([
          ['a', `${value}{{b}}$&$1`],
          ['b', 'never'],
        ]);
        expect(fillTemplate('<{{a}}>', values).text).toBe(`<${value}{{b}}$&$1>`);
      }),
    );
  });
});

describe('createDelimiter', () => {
  test('makes the same code for the same texts, and never one that occurs in them', () => {
    assert(
      property(array(string()), (texts) => {
        const { code } = createDelimiter(texts);
        expect(createDelimiter(texts).code).toBe(code);
        expect(code).toMatch(/^[0-9a-z]{14}$/);
        expect(createDelimiter([...texts, code.toUpperCase()]).code).not.toBe(code);
      }),
    );
  });

  test('tries another code if a text contains the first one in any letter case', () => {
    const codes = ['aaa', 'bbb', 'ccc'];
    expect(createDelimiter(['xAaAx', 'bbb'], (_texts, salt) => codes[salt]!).code).toBe('ccc');
  });

  test('depends on where one text ends and the next begins', () => {
    expect(createDelimiter(['ab', 'c']).code).not.toBe(createDelimiter(['a', 'bc']).code);
  });
});

describe('majority', () => {
  test.each([
    [[0.9], 0.9, 1],
    [[0.8], 0.8, 1],
    [[1, 0], 0, 1],
    [[1, 0.9, 0], 0.95, 2],
    [[0, 0.4, 1], 0.2, 1],
    [[1, 1, 0, 0.5], 0.25, 2],
  ])('%j scores %d', (scores, score, passes) => {
    const result = majority(
      scores.map((each) => ({ score: each })),
      DEFAULT_THRESHOLD,
    );
    expect(result.score).toBeCloseTo(score, 12);
    expect(result.passes).toBe(passes);
  });
});

test('rubrics without an id get an unused one', () => {
  const items = rubricItems([
    'x',
    { id: 'rubric-1', expected_outcome: 'y' },
    { expected_outcome: 'z', required: false, weight: 2 },
  ]);
  expect(items.map(({ id, weight, minimum }) => [id, weight, minimum])).toEqual([
    ["rubric-1'", 1, 1],
    ['rubric-1', 1, 1],
    ['rubric-3', 2, undefined],
  ]);
});
