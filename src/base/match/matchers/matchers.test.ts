import { describe, expect, test } from 'vitest';
import * as fc from '../../../../test/seeded-fast-check.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { NOWHERE, Reader } from '../../schema/reader.ts';
import { describeDifferences } from '../describe-difference.ts';
import { jsonDiff } from '../json-diff.ts';
import { jsonEqual } from '../json-equal.ts';
import { jsonMatches } from '../json-matches.ts';
import { checkMatchers } from './check-matchers.ts';
import { counterExamples } from './counter-examples.ts';
import { firstMatcher, isMatcher, matchesAbsent } from './read-matcher.ts';
import { MATCHERS } from './registry.ts';
import { sampleValues } from './sample-values.ts';
import { shownExpected } from './shown-expected.ts';
import { whyUnsatisfiable } from './why-unsatisfiable.ts';

type Row = readonly [matcher: JsonObject, matching: readonly Json[], others: readonly Json[]];

const ROWS: readonly Row[] = [
  [{ $any: true }, [null, 0, '', [], {}, false], []],
  [{ $absent: true }, [], [null, 0, '', {}]],
  [{ $type: 'string' }, ['', 'a'], [1, null, ['a'], {}]],
  [{ $type: 'number' }, [1, 1.5, 2n ** 70n], ['1', true]],
  [{ $type: 'integer' }, [1, -3, 2n ** 70n], [1.5, '1']],
  [{ $type: 'boolean' }, [true, false], [0, 'true', null]],
  [{ $type: 'array' }, [[], [1]], [{}, 'a']],
  [{ $type: 'object' }, [{}, { a: 1 }], [[], null]],
  [{ $type: 'null' }, [null], [0, '', false]],
  [{ $type: ['integer', 'null'] }, [1, null], [1.5, 'a']],
  [{ $regex: '^AB-\\d+$' }, ['AB-1'], ['ab-1', 'xAB-1', 12, null, ['AB-1']]],
  // Python's: \Z, (?P<n>), and \d of every script.
  [{ $regex: '(?P<n>\\d)\\Z' }, ['a5', '٣'], ['5\n']],
  [{ $contains: 'rli' }, ['Berlin', ['x', 'rli']], ['berLIn', ['Berlin'], { rli: 1 }, 5]],
  [{ $contains: '\uD83D' }, [], ['😀']],
  [{ $contains: { $gte: 3 } }, [[1, 3]], [[1, 2], 3, '3', []]],
  [{ $contains: { id: 1 } }, [[{ id: 1 }]], [[{ id: 1, x: 2 }], { id: 1 }]],
  [{ $gte: 5 }, [5, 5.1, 2n ** 60n], [4.999, '5', null, [5]]],
  [{ $gt: 5 }, [5.1], [5]],
  [{ $lte: 5 }, [5, -1], [5.1, '5']],
  [{ $lt: 5 }, [4], [5]],
  [{ $gte: 2n ** 53n + 1n }, [2n ** 53n + 1n], [2n ** 53n]],
  [{ $gte: 1, $lt: 5 }, [1, 4.9], [0.9, 5]],
  [{ $approx: 3.14, within: 0.01 }, [3.14, 3.15, 3.13], [3.151, 3.12, '3.14']],
  [{ within: 0, $approx: 3 }, [3], [3.0001]],
  [{ $oneOf: ['a', 2, { $type: 'boolean' }] }, ['a', 2, true], ['b', 1, null]],
  [{ $not: 5 }, [4, '5', null], [5]],
  [{ $not: { $type: 'string' } }, [1, null], ['a']],
  [{ $not: { $absent: true } }, [1, null], []],
  [{ $length: 2 }, ['ab', '😀😀', [1, 2], { a: 1, b: 2 }], ['a', '😀', [1], 2, null]],
  [{ $length: { $gte: 1, $lt: 3 } }, ['a', [1, 2]], ['', [1, 2, 3]]],
  [
    { $partial: { a: { b: 1 } } },
    [{ a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 }],
    [{ a: { c: 2 } }, { a: 1 }, [], null],
  ],
  [{ $partial: { a: [{ b: 1 }] } }, [{ a: [{ b: 1, c: 2 }] }], [{ a: [{ b: 1 }, { b: 1 }] }]],
  [{ $partial: { a: null } }, [{}, { a: null }], [{ a: 0 }]],
  [{ $partial: { a: { $absent: true } } }, [{}, { b: 1 }], [{ a: null }]],
  [{ $partial: { l: { $each: { id: 1 } } } }, [{ l: [{ id: 1, x: 2 }] }], [{ l: [{ x: 2 }] }]],
  [{ $each: { $gte: 1 } }, [[], [1, 2]], [[1, 0], 'a', 1, { a: 1 }]],
  [{ $each: { id: { $any: true } } }, [[{ id: null }]], [[{}], [{ id: 1, x: 1 }]]],
  [{ $literal: { $gte: 5 } }, [{ $gte: 5 }], [5, 6, { $gte: 6 }]],
  [{ $literal: [{ $any: true }] }, [[{ $any: true }]], [[1]]],
  [{ $type: 'string', $regex: 'a', $length: 3 }, ['abc'], ['ab', 'xyz', ['a', 'b', 'c']]],
  [{ $oneOf: [{ $gte: 5, $lt: 6 }, { $not: { $type: 'number' } }] }, [5.5, 'a'], [6, 4]],
];

describe('matches', () => {
  test.each(ROWS.map(([matcher, matching, others]) => [show(matcher), matcher, matching, others] as const))(
    '%s',
    (_name, matcher, matching, others) => {
      expect(isMatcher(matcher)).toBe(true);
      for (const value of matching) {
        expect(jsonMatches(matcher, value), show(value)).toBe(true);
        expect(jsonMatches({ deep: [matcher] }, { deep: [value] }), `deep ${show(value)}`).toBe(true);
        expect(jsonDiff(matcher, value), `diff ${show(value)}`).toEqual([]);
      }
      for (const value of others) {
        expect(jsonMatches(matcher, value), show(value)).toBe(false);
        expect(jsonMatches({ deep: [matcher] }, { deep: [value] }), `deep ${show(value)}`).toBe(false);
        expect(jsonDiff(matcher, value).length, `diff ${show(value)}`).toBeGreaterThan(0);
      }
    },
  );

  test('every matcher of the table has a row', () => {
    const tried = new Set(ROWS.flatMap(([matcher]) => Object.keys(matcher)));
    expect([...MATCHERS.keys()].filter((name) => !tried.has(name))).toEqual([]);
  });

  test.each<JsonObject>([
    { $ref: '#/a' },
    { $set: { a: 1 } },
    { $gte: 5, a: 1 },
    { $gte: 5, within: 1 },
    { within: 1 },
    {},
    { a: { $ref: 1 } },
    { constructor: 1 },
  ])('%j is data', (value: JsonObject) => {
    expect(isMatcher(value)).toBe(false);
    expect(jsonMatches(value, value)).toBe(true);
    expect(jsonMatches(value, 5)).toBe(false);
    expect(firstMatcher(value)).toBeUndefined();
  });

  test('without matchers, matching is equality', () => {
    const values: readonly Json[] = [
      null,
      0,
      1,
      2n ** 70n,
      true,
      '',
      'a',
      [],
      [1],
      [null],
      {},
      { a: 1 },
      { a: null },
      { a: { b: [1] } },
    ];
    for (const one of values)
      for (const other of values)
        expect(jsonMatches(one, other), show([one, other])).toBe(jsonEqual(one, other));
  });
});

describe('an absent value', () => {
  test.each([
    [{ $absent: true }, true],
    [{ $oneOf: [5, { $absent: true }] }, true],
    [{ $oneOf: [5, null] }, false],
    [{ $any: true }, false],
    [{ $not: 5 }, false],
    [{ $not: { $any: true } }, false],
    [{ $type: 'null' }, false],
    [{ $each: { $any: true } }, false],
    [{ $partial: {} }, false],
    [{ $literal: null }, false],
    [{ $length: 0 }, false],
  ])('%j: %j', (matcher: JsonObject, expected) => {
    expect(matchesAbsent(matcher)).toBe(expected);
    expect(jsonMatches({ a: matcher }, {})).toBe(expected);
    expect(jsonMatches({ a: matcher }, {}, { partial: true })).toBe(expected);
    expect(jsonDiff({ a: matcher }, {}).length).toBe(expected ? 0 : 1);
  });

  test('in an object without matchers, an absent key differs from null', () => {
    expect(jsonMatches({ a: null }, {})).toBe(false);
    expect(jsonMatches({ a: { $absent: true }, b: 1 }, { b: 1 })).toBe(true);
    expect(jsonMatches({ a: { $absent: true }, b: 1 }, { b: 1, c: 2 })).toBe(false);
  });
});

describe('a failure', () => {
  test.each([
    [{ a: { n: { $gte: 5 } } }, { a: { n: 3 } }, 'a.n is 3, which does not match {$gte: 5}'],
    [{ a: { $gte: 5, $lt: 9 } }, { a: 12 }, 'a is 12, which does not match {$lt: 9}'],
    [{ a: { $any: true } }, {}, 'a is absent, but must match {$any: true}'],
    [{ a: { $absent: true } }, { a: null }, 'a is null, but must be absent ({$absent: true})'],
    [
      { l: { $each: { id: { $type: 'integer' } } } },
      { l: [{ id: 1 }, { id: 'x' }] },
      'l[1].id is "x", which does not match {$type: "integer"}',
    ],
    [
      { p: { $partial: { a: { b: 1 }, c: { $regex: 'x' } } } },
      { p: { a: { b: 2 }, c: 'y' } },
      'p.a.b is 2, not 1; p.c is "y", which does not match {$regex: "x"}',
    ],
    [{ l: { $length: 3 } }, { l: [1, 2] }, 'l has the length 2 ([1,2]), which does not match {$length: 3}'],
    [{ $approx: 1, within: 0.5 }, 2, 'the value is 2, which does not match {$approx: 1, within: 0.5}'],
    [{ $each: { $gte: 1 } }, 'x', 'the value is "x", which does not match {$each: {"$gte":1}}'],
    [
      { q: { age: { $gte: 18 } } },
      { q: { age: { $gte: 18 } } },
      'q.age is {"$gte":18}, which does not match {$gte: 18}; to compare it as data write {$literal: ...}',
    ],
    [
      [{ $lt: 1 }, { $lt: 1 }, { $lt: 1 }, { $lt: 1 }],
      [1, 2, 3, 4],
      '[0] is 1, which does not match {$lt: 1}; [1] is 2, which does not match {$lt: 1}; [2] is 3, which does not match {$lt: 1}; and 1 more',
    ],
  ] as readonly (readonly [Json, Json, string])[])('of %j with %j', (expected, actual, words) => {
    expect(describeDifferences(jsonDiff(expected, actual))).toBe(words);
  });

  test('shows the actual value in place of matchers that hold', () => {
    const expected = {
      id: { $any: true },
      n: { $gte: 5, $lt: 9 },
      gone: { $absent: true },
      p: { $partial: { a: 1, b: { $type: 'string' } } },
      l: { $each: { $type: 'number' } },
    };
    const actual = { id: 'x', n: 12, p: { z: 0, a: 2, b: 'text' }, l: [1, 'two', 3] };
    expect(shownExpected(expected, actual)).toEqual({
      id: 'x',
      n: { $lt: 9 },
      p: { z: 0, a: 1, b: 'text' },
      l: [1, { $type: 'number' }, 3],
    });
    expect(shownExpected({ a: 1 }, { a: 2 })).toEqual({ a: 1 });
  });
});

describe('oracle and anti-oracle', () => {
  const all = [
    ...[...MATCHERS.values()].map(({ example }) => example),
    ...ROWS.map(([matcher]) => matcher),
    { $gt: 0, $lt: 0.5 },
    { $contains: { $gte: 3 }, $length: 4 },
    { $each: { $regex: '^x' }, $length: { $gte: 2 } },
    { $regex: '^a', $contains: 'b', $length: 5 },
    { $type: 'object', $length: 2 },
    { $gte: 1e300 },
  ].filter((matcher) => !show(matcher).includes('uD83D'));

  test.each(all.map((matcher) => [show(matcher), matcher] as const))('%s', (_name, matcher) => {
    const expected = { a: matcher, b: 1 };
    const [sample] = sampleValues(expected);
    expect(sample).toBeDefined();
    expect(jsonMatches(expected, sample!)).toBe(true);
    const examples = counterExamples(expected, sample);
    // One for each part, and more for those inside of it.
    expect(examples.length).toBeGreaterThanOrEqual(
      Object.keys(matcher).filter((key) => key !== 'within').length,
    );
    for (const { what, value } of examples)
      expect(jsonMatches(expected, value!), `${what}: ${show(value!)}`).toBe(false);
  });

  test('a counter-example breaks one part and leaves the others', () => {
    const [low, high] = counterExamples({ $gte: 5, $lt: 9 }, 5);
    expect(low).toEqual({ what: '$gte', value: 4 });
    expect(high).toEqual({ what: '$lt', value: 9 });
  });
});

describe('findings at load time', () => {
  const findings = (value: Json, options = {}): readonly string[] => {
    const reader = new Reader(NOWHERE);
    checkMatchers(value, reader, options);
    return reader.findings.map(({ severity, code, path }) => `${severity} ${code} ${path}`);
  };

  test.each(ROWS.map(([matcher]) => [show(matcher), matcher] as const))(
    '%s has no findings',
    (_name, matcher) => {
      expect(findings({ a: matcher })).toEqual([]);
    },
  );

  test.each([
    [{ $gte: 5, $lt: 1 }, 'error unsatisfiable_matcher '],
    [{ $gt: 5, $lte: 5 }, 'error unsatisfiable_matcher '],
    [{ $approx: 5, within: 1, $gt: 7 }, 'error unsatisfiable_matcher '],
    [{ $type: 'integer', $gt: 1, $lt: 2 }, 'error unsatisfiable_matcher '],
    [{ $type: 'string', $gte: 1 }, 'error unsatisfiable_matcher '],
    [{ $regex: 'a', $type: 'array' }, 'error unsatisfiable_matcher '],
    [{ $regex: '^a', $length: 0 }, 'error unsatisfiable_matcher '],
    [{ $oneOf: [1, 2], $gt: 2 }, 'error unsatisfiable_matcher '],
    [{ $literal: 5, $not: 5 }, 'error unsatisfiable_matcher '],
    [{ $not: { $any: true } }, 'error unsatisfiable_matcher '],
    [{ $not: { $type: 'string' }, $regex: 'a' }, 'error unsatisfiable_matcher '],
    [{ $absent: true, $type: 'string' }, 'error unsatisfiable_matcher '],
    [{ $length: { $lt: 0 } }, 'error unsatisfiable_matcher '],
    [{ $length: { $gte: -2, $lt: 0 } }, 'error unsatisfiable_matcher '],
    [{ $length: { $type: 'string' } }, 'error unsatisfiable_matcher '],
    [{ $each: { $gte: 5, $lt: 1 } }, 'error unsatisfiable_matcher $each'],
    [{ $oneOf: [1, { $gte: 5, $lt: 1 }] }, 'error unsatisfiable_matcher $oneOf[1]'],
    [{ $partial: { a: { $gte: 5, $lt: 1 } } }, 'error unsatisfiable_matcher $partial.a'],
    [{ a: [1, { $absent: true }] }, 'error unsatisfiable_matcher a[1]'],
    [{ $regex: '(' }, 'error pattern $regex'],
    [{ $regex: 5 }, 'error type $regex'],
    [{ $regex: '.*' }, 'warning always_holds $regex'],
    [{ $gte: '5' }, 'error type $gte'],
    [{ $gte: null }, 'error type $gte'],
    [{ $any: false }, 'error value $any'],
    [{ $absent: false }, 'error value $absent'],
    [{ $type: 'text' }, 'error value $type'],
    [{ $type: [] }, 'error empty $type'],
    [{ $oneOf: [] }, 'error empty $oneOf'],
    [{ $oneOf: 'a' }, 'error type $oneOf'],
    [{ $length: -1 }, 'error range $length'],
    [{ $length: 1.5 }, 'error range $length'],
    [{ $length: { a: 1 } }, 'error type $length'],
    [{ $length: '3' }, 'error type $length'],
    [{ $partial: 'a' }, 'error type $partial'],
    [{ $partial: {} }, 'warning always_holds $partial'],
    [{ $contains: '' }, 'warning always_holds $contains'],
    [{ $approx: 5 }, 'error missing_within '],
    [{ $approx: 5, within: -1 }, 'error range within'],
    [{ $approx: 5, within: 'a' }, 'error type within'],
    [{ $gte: 5, $foo: 1 }, 'error mixed_matchers $foo'],
    [{ $regex: 'a', $options: 'i' }, 'error mixed_matchers $options'],
    [{ $gte: 5, a: 1 }, 'warning not_a_matcher $gte'],
    [{ $regx: 'a' }, 'warning unknown_matcher $regx'],
    [{ a: { $lenght: 3 } }, 'warning unknown_matcher a.$lenght'],
    [{ $oneof: [1] }, 'warning unknown_matcher $oneof'],
    [{ a: { $typ: 'string', b: 1 } }, 'warning unknown_matcher a.$typ'],
  ] as readonly (readonly [Json, string])[])('%j: %s', (value, finding) => {
    expect(findings(value)).toEqual([finding]);
  });

  test.each([
    { $ref: '#/x' },
    { $set: { a: 1 } },
    { $schema: 'x', $id: 'y' },
    { $in: [1] },
    { regex: 'x' },
    { $literal: { $gte: 5, $foo: 1, x: { $regx: 1 } } },
  ])('%j is not reported', (value) => {
    expect(findings(value)).toEqual([]);
  });

  test('`regex` without a dollar sign is reported as a likely typo in an argument', () => {
    expect(findings({ q: { regex: 'x' } }, { isArgument: true })).toEqual(['warning not_a_matcher q.regex']);
    expect(findings({ q: { regex: 'x', flags: 'i' } }, { isArgument: true })).toEqual([]);
  });

  test.each([
    [{ $not: { $in: [1] } }, ['error unknown_matcher $not.$in']],
    [{ a: { $not: { $eq: 'x' } } }, ['error unknown_matcher a.$not.$eq']],
    [{ $not: { $regx: 'x' } }, ['error unknown_matcher $not.$regx']],
    [{ $not: { a: [{ $exists: true }] } }, ['error unknown_matcher $not.a[0].$exists']],
    [{ $not: { $oneOf: ['a', { $matches: 'x' }] } }, ['error unknown_matcher $not.$oneOf[1].$matches']],
    [{ $not: { $not: { $anyOf: ['a'] } } }, ['error unknown_matcher $not.$not.$anyOf']],
    [{ $not: { $ref: '#/x', b: 1 } }, ['error unknown_matcher $not.$ref']],
    [{ $not: { $gte: 5, $foo: 1 } }, ['error mixed_matchers $not.$foo']],
    [{ $not: { regex: 'x' } }, ['warning not_a_matcher $not.regex']],
    [{ $not: { oneOf: ['a'] } }, ['warning not_a_matcher $not.oneOf']],
    [{ $not: { any_of: ['a'] } }, ['warning not_a_matcher $not.any_of']],
    [{ $not: ['a', 'b'] }, ['warning not_a_matcher $not']],
    [{ $not: [] }, []],
    [{ $not: { type: 'error' } }, []],
    [{ $not: { status: 'error' } }, []],
    [{ $not: { $literal: { $in: [1], a: { $eq: 1 } } } }, []],
    [{ $not: { $literal: ['a', 'b'] } }, []],
  ] as readonly (readonly [Json, readonly string[]])[])('inside $not, %j: %j', (value, expected) => {
    expect(findings(value)).toEqual(expected);
    expect(findings({ q: value }, { isArgument: true })).toHaveLength(expected.length);
  });

  test('inside $not, the hint says what to write', () => {
    const hintFor = (value: Json): string | undefined => {
      const reader = new Reader(NOWHERE);
      checkMatchers({ $not: value }, reader);
      return reader.findings[0]?.hint;
    };
    expect(hintFor({ $in: [1] })).toBe('write {$oneOf: [...]}; to compare it as data write {$literal: ...}');
    expect(hintFor({ $regx: 'a' })).toContain('did you mean `$regex`?');
    expect(hintFor({ $ref: 'a' })).toContain('{$literal: ...}');
  });

  test('the answer of an agent is never absent', () => {
    expect(findings({ $any: true }, { isAlwaysThere: 'answer' })).toEqual(['warning always_holds ']);
    expect(findings({ $absent: true }, { isAlwaysThere: 'answer' })).toEqual([
      'error unsatisfiable_matcher ',
    ]);
    expect(findings({ a: { $any: true } }, { isAlwaysThere: 'answer' })).toEqual([]);
  });
});

describe('any matcher', () => {
  const number = fc.integer({ min: -3, max: 3 });
  const data: fc.Arbitrary<Json> = fc.oneof(
    number,
    fc.constantFrom<Json>(
      '',
      'a',
      'ab',
      'text',
      null,
      true,
      0.5,
      [],
      [1],
      ['a', 'a'],
      {},
      { a: 1 },
      { key: 'value' },
    ),
  );
  const { matcher } = fc.letrec<{ matcher: JsonObject; expected: Json }>((tie) => ({
    expected: fc.oneof({ maxDepth: 2 }, data, tie('matcher'), fc.record({ a: tie('matcher') })),
    matcher: fc
      .record(
        {
          $any: fc.constant(true),
          $type: fc.constantFrom('string', 'number', 'integer', 'array', 'object', 'null', 'boolean'),
          $regex: fc.constantFrom('a', '^a', 'b$', '^.{2}$', '[^a]'),
          $contains: fc.oneof(fc.constantFrom<Json>('a', 'b'), tie('expected')),
          $gte: number,
          $gt: number,
          $lte: number,
          $lt: number,
          $oneOf: fc.array(tie('expected'), { minLength: 1, maxLength: 3 }),
          $not: tie('expected'),
          $length: number.map(Math.abs),
          $partial: fc.record({ a: tie('expected') }, { requiredKeys: [] }),
          $each: tie('expected'),
          $literal: data,
        },
        { requiredKeys: [] },
      )
      .map((parts) => Object.fromEntries(Object.entries(parts).slice(0, 2)) as JsonObject)
      .filter((parts) => Object.keys(parts).length > 0),
  }));

  test('is called impossible only if nothing matches it, and its samples and counter-examples are right', () => {
    fc.assert(
      fc.property(matcher, data, (expected, value) => {
        const isRefuted = whyUnsatisfiable(expected) !== undefined;
        const samples = sampleValues(expected);
        expect(isRefuted && (samples.length > 0 || jsonMatches(expected, value))).toBe(false);
        for (const sample of samples) expect(jsonMatches(expected, sample)).toBe(true);
        for (const { value: broken } of counterExamples(expected, samples[0]))
          if (broken !== undefined) expect(jsonMatches(expected, broken)).toBe(false);
        expect(jsonDiff(expected, value).length === 0).toBe(jsonMatches(expected, value));
        // What is shown beside a value differs from it exactly if the value does not match.
        const shown = shownExpected(expected, value);
        if (jsonMatches(expected, value)) expect(shown).toEqual(value);
      }),
      { numRuns: 1000 },
    );
  });
});

function show(value: Json): string {
  return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? `${inner}n` : inner));
}
