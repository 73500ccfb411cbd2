import { expect, test } from 'vitest';
import type { Json } from '../model/json.ts';
import * as fc from '../../../test/seeded-fast-check.ts';
import { answerDiff, shownAnswer } from './answer-diff.ts';

const holds = (expected: Json, answer: Json, partial = false): boolean =>
  answerDiff(expected, answer, { partial }).length === 0;

test('text is compared as text and structure as JSON, also inside $not and $oneOf', () => {
  const matching: readonly (readonly [Json, Json])[] = [
    ['5', '5'],
    [{ $literal: '5' }, '5'],
    [{ $oneOf: ['yes', '6'] }, '6'],
    [{ $oneOf: ['yes', 6] }, '6'],
    [{ $oneOf: ['5', 6] }, '5'],
    [{ $oneOf: [{ $regex: 'sorry' }, { a: 1 }] }, '{"a":"sorry"}'],
    [{ $oneOf: [{ $regex: 'sorry' }, { a: 1 }] }, '{"a":1}'],
    [{ $regex: 'sorry' }, '{"msg":"sorry"}'],
    [{ $contains: 'denied' }, '{"error":"denied"}'],
    [{ $contains: 'Ann' }, '["Bob", "Ann"]'],
    [{ $regex: '^true$', $not: false }, 'true'],
    [{ $type: 'object', $not: { a: 1 } }, '```json\n{"a":2}\n```'],
    [{ $oneOf: [{ $not: 'x' }] }, '5'],
    [null, 'null'],
    [{ $regex: 'sorry' }, { msg: 'sorry' }],
    [{ $contains: 'denied' }, { error: 'denied' }],
    [{ $contains: 'a' }, ['a']],
    [{ $length: 1 }, { error: 'denied' }],
  ];
  for (const [expected, answer] of matching) {
    expect([expected, answer, holds(expected, answer)]).toEqual([expected, answer, true]);
    expect([expected, answer, holds({ $not: expected }, answer)]).toEqual([expected, answer, false]);
    expect(holds({ $oneOf: [expected] }, answer)).toBe(true);
    expect(shownAnswer({ $not: expected }, answer, {})).toEqual({ $not: expected });
  }
});

test('exactly one of a matcher and its $not holds for any answer', () => {
  const data = fc.constantFrom<Json>(
    '5',
    '6',
    'a',
    5,
    6,
    true,
    null,
    'null',
    [],
    ['a'],
    { a: 1 },
    { a: 'a' },
  );
  const { matcher } = fc.letrec<{ matcher: Json }>((tie) => ({
    matcher: fc.oneof(
      { maxDepth: 4, depthSize: 'medium' },
      data,
      fc.constantFrom<Json>(
        { $any: true },
        { $regex: 'a' },
        { $contains: 'a' },
        { $contains: 5 },
        { $length: 1 },
        { $gte: 5 },
        { $type: 'string' },
        { $type: ['string', 'number'] },
        { $partial: { a: { $any: true } } },
        { $each: 'a' },
        { $regex: 'a', $length: { $gte: 2 } },
      ),
      data.map((value): Json => ({ $literal: value })),
      tie('matcher').map((inner): Json => ({ $not: inner })),
      fc.array(tie('matcher'), { minLength: 1, maxLength: 3 }).map((inner): Json => ({ $oneOf: inner })),
      fc.tuple(tie('matcher'), tie('matcher')).map(([one, other]): Json => ({ $not: one, $oneOf: [other] })),
      tie('matcher').map((inner): Json => ({ $type: 'string', $not: inner })),
    ),
  }));
  const answer = fc.oneof(
    data,
    fc.constantFrom('5', '"5"', 'null', '', 'a', '```json\n5\n```', '["a"]', '{"a":1}', '{"a":"a"} and more'),
    fc.json({ maxDepth: 1 }),
    fc.string({ maxLength: 4 }),
  );
  fc.assert(
    fc.property(matcher, answer, fc.boolean(), (expected, text, partial) => {
      const does = holds(expected, text, partial);
      expect(holds({ $not: expected }, text, partial)).toBe(!does);
      expect(holds({ $oneOf: [expected] }, text, partial)).toBe(does);
    }),
    { numRuns: 2000 },
  );
});
