import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../base/model/json.ts';
import type { MemoryRule, ReplyRequirements, RequiredText } from '../../../base/model/reply-requirements.ts';
import { jsonOutputs } from './json-outputs.ts';
import { callCandidates, leftForLastStep } from './oracle-calls.ts';
import { oracleMemory, withValue } from './oracle-memory.ts';
import { outputCandidates } from './oracle-output.ts';

describe('memory that satisfies rules', () => {
  const rule = (path: string | undefined, says: MemoryRule['says'], negate?: boolean): MemoryRule => ({
    path,
    says,
    negate,
  });

  test.each<[string, JsonObject, readonly MemoryRule[], JsonObject]>([
    ['nothing is asked', { x: 1 }, [], { x: 1 }],
    [
      'the whole of it',
      { x: 1 },
      [rule('y', { equals: 2 }), rule(undefined, { equals: { z: 3 } })],
      { z: 3 },
    ],
    ['not the whole of it', { x: 1 }, [rule(undefined, { equals: { z: 3 } }, true)], { x: 1 }],
    ['a value', { x: 1 }, [rule('a.b', { equals: 2 })], { x: 1, a: { b: 2 } }],
    ['a value beside others', { a: { c: 1 } }, [rule('a.b', { equals: 2 })], { a: { c: 1, b: 2 } }],
    ['a value in what is no object', { a: 5 }, [rule('a.b', { equals: 2 })], { a: { b: 2 } }],
    ['a value that is there', { a: 2 }, [rule('a', { equals: 2 })], { a: 2 }],
    ['another value', { a: 2 }, [rule('a', { equals: 2 }, true)], { a: 'another value' }],
    ['another value, and it is', { a: 3 }, [rule('a', { equals: 2 }, true)], { a: 3 }],
    ['there', {}, [rule('a', { exists: true })], { a: 'text' }],
    ['there, and it is', { a: 1 }, [rule('a', { exists: true })], { a: 1 }],
    [
      'not there',
      { a: 1, b: { c: 1, d: 2 } },
      [rule('a', { exists: false }), rule('b.c', { exists: true }, true)],
      { b: { d: 2 } },
    ],
    ['not inside of what is no object', { a: 1 }, [rule('a.b', { exists: false })], { a: 1 }],
    ['null by being absent', { x: 1 }, [rule('a', { equals: null })], { x: 1 }],
    [
      'null and there',
      { x: 1 },
      [rule('a', { equals: null }), rule('a', { exists: true })],
      { x: 1, a: null },
    ],
    [
      'null, and not said to be absent',
      {},
      [rule('a', { equals: null }), rule('a', { exists: false }, true)],
      { a: null },
    ],
    [
      'a whole, and something in it',
      {},
      [rule('a.b', { exists: true }), rule('a', { equals: { c: 1 } })],
      { a: { c: 1, b: 'text' } },
    ],
    [
      'something in it, and a whole',
      {},
      [rule('a.b.c', { equals: 1 }), rule('a.b', { equals: { d: 2 } })],
      { a: { b: { d: 2, c: 1 } } },
    ],
    [
      'gone, and one in it anew',
      { a: { x: 1 } },
      [rule('a', { equals: { y: 2 } }), rule('a.x', { exists: false })],
      { a: { y: 2 } },
    ],
    ['a text that matches, and does', { a: 'b12' }, [rule('a', { matches: '\\d+' })], { a: 'b12' }],
    [
      'a text that must not match, and does not',
      { a: 'b' },
      [rule('a', { matches: '\\d+' }, true)],
      { a: 'b' },
    ],
    ['a key that every object inherits', {}, [rule('toString', { equals: 1 })], { toString: 1 }],
  ])('%s', (_, before, rules, after) => {
    expect(oracleMemory(before, rules)).toEqual(after);
  });

  test('one text satisfies all patterns of a place', () => {
    const rules = [
      rule('a', { matches: '^[ab]+$' }),
      rule('a', { matches: 'a' }, true),
      rule('b', { matches: 'zzz' }),
    ];
    const { a, b } = oracleMemory({ a: 7 }, rules);
    expect(a).toMatch(/^b+$/);
    expect(b).toContain('zzz');
    expect(oracleMemory({ a: 'x1' }, [rule('a', { matches: '\\d' }, true)])['a']).not.toMatch(/\d/);
    expect(
      oracleMemory({ a: 1 }, [rule('a', { matches: 'a(?!.*)' }), rule('a', { matches: '(?!)' })]),
    ).toEqual({ a: 1 });
  });

  test('existing memory is kept', () => {
    const before = { a: { b: 1 } };
    expect(withValue(before, { path: 'a.c', value: 2 })).toEqual({ a: { b: 1, c: 2 } });
    expect(before).toEqual({ a: { b: 1 } });
  });
});

describe('calls that satisfy the assertions', () => {
  type Wanted = Omit<ReplyRequirements, 'about'>;
  const candidates = (...all: readonly Wanted[]) =>
    [...callCandidates(all.map((wanted) => ({ about: ['tools'], ...wanted })))].map((calls) =>
      calls.map(({ tool, input }) => (input === undefined ? tool : `${tool} ${JSON.stringify(input)}`)),
    );
  const calls = (isOrdered: boolean, ...tools: readonly string[]): Wanted => ({
    calls: tools.map((tool) => ({ tool, isOrdered })),
  });

  test('none if none is expected', () => {
    expect(candidates({})).toEqual([[], [], []]);
  });

  test('exactly the named tools, with the arguments that other assertions expect', () => {
    expect(
      candidates({ tools_used: ['a', 'b'] }, { calls: [{ tool: 'b', input: { x: 1 } }, { tool: 'c' }] }),
    ).toEqual([['a', 'b {"x":1}']]);
  });

  test('one call for two assertions, and as many as one list expects', () => {
    expect(candidates(calls(false, 'a'), calls(false, 'a', 'a'))[0]).toEqual(['a', 'a']);
    expect(candidates(calls(false, 'a'), calls(false, 'b'))[0]).toEqual(['a', 'b']);
  });

  test('the expected order, with the other calls in between', () => {
    expect(candidates(calls(false, 'c', 'a'), calls(true, 'a', 'b'))[0]).toEqual(['a', 'b', 'c']);
    expect(candidates(calls(true, 'a', 'b'), calls(true, 'b', 'a'))[0]).toEqual(['a', 'b', 'a']);
    expect(candidates(calls(true, 'a', 'c'), calls(true, 'a', 'b', 'c'))[0]).toEqual(['a', 'b', 'c']);
    expect(candidates(calls(true, 'b'), calls(true, 'a', 'b'))[0]).toEqual(['a', 'b']);
  });

  test('other combinations, and all calls, if the first attempt is not enough', () => {
    expect(candidates(calls(true, 'a', 'b'), calls(true, 'b', 'a'))).toEqual([
      ['a', 'b', 'a'],
      ['b', 'a', 'b'],
      ['a', 'b', 'b', 'a'],
    ]);
  });

  test('for a whole test, only the calls that earlier steps did not make', () => {
    const left = leftForLastStep(
      { about: ['tools'], calls: [{ tool: 'a' }, { tool: 'a' }, { tool: 'b' }], tools_used: ['a', 'b', 'c'] },
      [{ tool: 'a' }, { tool: 'c' }],
    );
    expect(left.calls?.map(({ tool }) => tool)).toEqual(['a', 'b']);
    expect(left.tools_used).toEqual(['b']);
    const nothing: ReplyRequirements = { about: ['output'] };
    expect(leftForLastStep(nothing, [{ tool: 'a' }])).toBe(nothing);
    expect(leftForLastStep({ about: [], calls: [{ tool: 'a' }] }, []).tools_used).toBeUndefined();
    expect(leftForLastStep({ about: [], tools_used: ['a'] }, [])).toMatchObject({
      calls: [],
      tools_used: ['a'],
    });
  });
});

describe('outputs that satisfy the assertions', () => {
  const outputs = (...all: readonly Omit<ReplyRequirements, 'about'>[]) =>
    [...outputCandidates(all.map((wanted) => ({ about: ['output'], ...wanted })))].map(
      ({ output }) => output,
    );

  test('only the expected output, if one is given', () => {
    expect(outputs({ texts: [{ text: 'x' }] }, { output: 'exactly' })).toEqual(['exactly']);
    expect([
      ...outputCandidates([
        { about: [], output: 'b' },
        { about: [], said: ['a'] },
      ]),
    ]).toEqual([{ said: ['a'], output: 'b' }]);
    expect(outputs({})).toEqual([]);
  });

  test('texts in their places, on one line, on several lines, or alone', () => {
    const texts: readonly RequiredText[] = [
      { text: 'mid' },
      { text: 'end', at: 'end' },
      { text: 'start', at: 'start' },
    ];
    expect(outputs({ texts })).toEqual(['start mid end', 'start\nmid\nend', 'mid', 'end', 'start']);
  });

  test('a text that is part of another is not repeated', () => {
    expect(outputs({ texts: [{ text: 'a' }, { text: 'cat' }, { text: 'cat' }] })[0]).toBe('cat');
    expect(
      outputs({ texts: [{ text: 'Hel', at: 'start' }, { text: 'Hello', at: 'start' }, { text: 'ell' }] })[0],
    ).toBe('Hello');
    expect(
      outputs({ texts: [{ text: 'lo', at: 'end' }, { text: 'Hello', at: 'end' }, { text: 'x' }] })[0],
    ).toBe('x Hello');
    expect(
      outputs({
        texts: [
          { text: 'b', at: 'end' },
          { text: 'ab', at: 'end' },
          { text: 'c', at: 'end' },
        ],
      })[0],
    ).toBe('c ab');
  });

  test('a text that satisfies all rules comes last', () => {
    const found = outputs(
      { texts: [{ text: 'x' }], rule: { type: 'pattern', pattern: '^y+$' } },
      { necessary_rule: { type: 'pattern', pattern: 'yyy' } },
    );
    expect(found.slice(0, 1)).toEqual(['x']);
    expect(found.at(-1)).toMatch(/^yyy+$/);
  });
});

describe('outputs that are JSON', () => {
  const all = (wanted: readonly (readonly Json[])[], ...texts: readonly string[]) => [
    ...jsonOutputs(
      wanted,
      texts.map((text) => ({ text })),
    ),
  ];

  test('none if none is expected', () => {
    expect(all([], 'x')).toEqual([]);
  });

  test('compact, with spaces, and indented', () => {
    expect(all([[{ a: [1, 'x'] }]])).toEqual([
      '{"a":[1,"x"]}',
      '{"a": [1, "x"]}',
      '{\n  "a": [\n    1,\n    "x"\n  ]\n}',
    ]);
    expect(all([[7]])).toEqual(['7', '7', '7']);
  });

  test('objects that several assertions expect are merged; the first one counts', () => {
    const found = all([[{ a: 1 }], [{ a: 2, b: 3 }, { c: 4 }]]).filter((text) => !/[ \n]/.test(text));
    expect(found).toEqual(['{"a":1,"b":3}', '{"a":1}', '{"a":2,"b":3}', '{"c":4}']);
    expect(all([[{ a: 1 }], [7]]).filter((text) => !/[ \n]/.test(text))).toEqual(['{"a":1}', '7', '7', '7']);
  });

  test.each<[Json, string, string]>([
    [{ a: 1 }, '"status": "ok"', '{"a":1,"status":"ok"}'],
    [{ a: 1 }, '"status": "ok",', '{"a":1,"status":"ok"}'],
    [{ a: 1 }, '"a": 2', '{"a":2}'],
    [{ a: 1 }, '"b"', '{"a":1,"b":true}'],
    [{ a: 1 }, '"a"', '{"a":1}'],
    [{ a: 'text', b: 'x' }, 'hello', '{"a":"hello","b":"x"}'],
    [{ b: 'x', a: 'text' }, 'hello', '{"b":"x","a":"hello"}'],
    [{ b: 'x', a: 1 }, 'hello', '{"b":"hello","a":1}'],
    [{ a: 1 }, 'hello', '{"a":1,"text":"hello"}'],
    [['x'], 'hello', '["hello"]'],
    [[1, { a: 'x' }], 'hello', '[1,{"a":"hello"}]'],
    [[1], 'hello', '[1,"hello"]'],
    ['x', 'hello', '"hello"'],
    [5, 'hello', '"hello"'],
  ])('%j with %s somewhere in it', (value, text, output) => {
    expect(all([[value]], text)).toContain(output);
  });

  test('in a code fence after the text', () => {
    expect(all([[{ a: 1 }]], 'so', 'be it').at(-1)).toBe('so be it\n```json\n{"a":1}\n```');
    expect(all([[1, 2, 3]], 'x').filter((text) => text.includes('```'))).toHaveLength(2);
  });
});
