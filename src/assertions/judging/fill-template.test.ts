import { array, assert, property, string } from '../../../test/seeded-fast-check.ts';
import { describe, expect, test } from 'vitest';
import { DEFAULT_THRESHOLD } from '../../model/threshold.ts';
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

  test('a value is put in as it is, whatever it holds', () => {
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
  test('makes the same code of the same texts, and none that occurs in them', () => {
    assert(
      property(array(string()), (texts) => {
        const { code } = createDelimiter(texts);
        expect(createDelimiter(texts).code).toBe(code);
        expect(code).toMatch(/^[0-9a-z]{14}$/);
        expect(createDelimiter([...texts, code.toUpperCase()]).code).not.toBe(code);
      }),
    );
  });

  test('tries another code when a text holds the first, in whatever case', () => {
    const codes = ['aaa', 'bbb', 'ccc'];
    expect(createDelimiter(['xAaAx', 'bbb'], (_texts, salt) => codes[salt]!).code).toBe('ccc');
  });

  test('tells where one text ends and the next begins', () => {
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

test('rubrics without an id get one that is free', () => {
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
