import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/base/model/json.ts';
import type { RecordedToolCall } from '../../src/base/model/reply.ts';
import { errorOf, measure, read } from './evidence.ts';

function trajectory(
  parameters: JsonObject,
  tool_calls: readonly RecordedToolCall[],
): ReturnType<typeof measure> {
  return measure({ type: 'tool_trajectory', ...parameters }, { reply: { tool_calls } });
}

const calls = (...tools: readonly string[]): readonly RecordedToolCall[] => tools.map((tool) => ({ tool }));
const expected = (...tools: readonly string[]): readonly JsonObject[] => tools.map((tool) => ({ tool }));

const one = async (item: JsonObject, input: Json | undefined, more: JsonObject = {}): Promise<number> => {
  const call: RecordedToolCall = { tool: 'fetchData', ...(input === undefined ? {} : { input }) };
  return (await trajectory({ mode: 'exact', expected: [{ tool: 'fetchData', ...item }], ...more }, [call]))
    .score;
};

describe('tool_trajectory', () => {
  it.each([
    ['exact', ['a', 'b'], ['a', 'b'], 1],
    ['exact', ['a', 'b'], ['a'], 1 / 2],
    ['exact', ['a', 'b'], ['a', 'b', 'c'], 0],
    ['exact', ['a', 'b'], ['a', 'c'], 1 / 2],
    ['exact', ['a', 'b'], ['a', 'a'], 1 / 2],
    ['exact', ['a'], ['b'], 0],
    ['exact', ['a', 'b', 'c'], ['a', 'c', 'b'], 1 / 3],
    ['exact', [], ['a'], 0],
    ['exact', [], [], 1],
    ['in_order', ['a', 'b'], ['x', 'a', 'x', 'b'], 1],
    ['in_order', ['a', 'b'], ['b', 'a'], 1 / 2],
    ['in_order', ['a', 'b', 'c'], ['c', 'a', 'b'], 2 / 3],
    ['in_order', ['a'], ['b'], 0],
    ['in_order', [], ['a'], 1],
    ['any_order', ['a', 'b', 'a'], ['b', 'a', 'x'], 2 / 3],
    ['any_order', ['a', 'b'], ['x', 'b', 'a'], 1],
    ['unordered', ['a', 'b'], ['b', 'a'], 1],
    ['unordered', ['a', 'b'], ['b', 'a', 'a'], 0],
    ['unordered', ['a', 'b'], ['b'], 1 / 2],
    ['unordered', ['a'], ['b'], 0],
    ['subset', ['a', 'b'], ['a', 'a', 'b'], 1],
    ['subset', ['a', 'b'], ['a', 'x'], 1 / 2],
    ['subset', ['a'], [], 1],
    ['subset', [], ['a'], 0],
  ])('%s: expected %j, made %j, scores %d', async (mode, wanted, made, score) => {
    expect((await trajectory({ mode, expected: expected(...wanted) }, calls(...made))).score).toBeCloseTo(
      score,
      12,
    );
  });

  it('finds the best assignment where the first fit is not it', async () => {
    const wanted = [{ tool: 'search' }, { tool: 'search', args: { q: 'a' } }];
    const made = [
      { tool: 'search', input: { q: 'a' } },
      { tool: 'search', input: { q: 'b' } },
    ];
    expect((await trajectory({ mode: 'any_order', expected: wanted }, made)).score).toBe(1);
    expect((await trajectory({ mode: 'unordered', expected: wanted }, made)).score).toBe(1);
    expect((await trajectory({ mode: 'in_order', expected: wanted }, made)).score).toBe(1 / 2);
  });

  describe('arguments', () => {
    it('are not compared if omitted, `any` or ignored', async () => {
      expect(await one({}, { x: 1 })).toBe(1);
      expect(await one({ args: 'any' }, { x: 1 })).toBe(1);
      expect(await one({ args: { x: 2 }, args_match: 'ignore' }, { x: 1 })).toBe(1);
      expect(await one({ args: { x: 2 } }, { x: 1 }, { args_match: 'ignore' })).toBe(1);
    });

    it('are compared for the given keys, with whole values', async () => {
      expect(await one({ args: { x: 1 } }, { x: 1, y: 2 })).toBe(1);
      expect(await one({ args: { x: { y: 1 } } }, { x: { y: 1, z: 2 } })).toBe(0);
      expect(await one({ args: { x: 1 } }, { X: 1 })).toBe(0);
      expect(await one({ args: { x: null } }, {})).toBe(0);
      expect(await one({ args: { x: 1 } }, [1])).toBe(0);
    });

    it('that were not reported are an error, unless they cannot change the score', async () => {
      const unknown = { tool: 'fetchData' };
      const known = { tool: 'fetchData', input: { x: 1 } };
      const error = (item: JsonObject, made: readonly RecordedToolCall[], mode = 'exact'): Promise<string> =>
        errorOf(
          { type: 'tool_trajectory', mode, expected: [{ tool: 'fetchData', ...item }] },
          { reply: { tool_calls: made } },
        );
      const argsMatches: readonly Json[] = ['partial', 'superset', 'deep_partial', 'subset', 'exact', ['x']];
      for (const args_match of argsMatches)
        for (const mode of ['exact', 'in_order', 'any_order', 'unordered', 'subset'])
          expect(await error({ args: { x: 1 }, args_match }, [unknown], mode)).toMatch(
            /^the agent did not report the arguments of its calls to fetchData, .*\n.*`tool_calls` with the `input`/,
          );
      for (const args_match of ['subset', 'exact'])
        expect(await error({ args: {}, args_match }, [unknown])).toContain('did not report the arguments');
      expect(await error({ args: { x: null }, args_match: ['x'] }, [unknown])).toContain('did not report');
      expect(await one({ args: {} }, undefined)).toBe(1);
      expect(await one({ args: 'any' }, undefined, { args_match: 'exact' })).toBe(1);

      const claim = { mode: 'any_order', expected: [{ tool: 'fetchData', args: { x: 1 } }] };
      expect((await trajectory(claim, [unknown, known])).score).toBe(1);
      expect(await error({ args: { x: 1 } }, [unknown, known], 'subset')).toContain('did not report');
      const extra = await trajectory({ ...claim, mode: 'exact' }, [unknown, known]);
      expect(extra.score).toBe(0);
      const other = await trajectory({ ...claim, mode: 'exact' }, [unknown, { tool: 'pay' }]);
      expect(other.score).toBe(0);
      expect(other.misses).toContain('fetchData was called and its arguments were not reported');
    });

    it('that a list of keys names must be present, even if they are null', async () => {
      const item = { args: { x: null }, args_match: ['x'] };
      expect(await one(item, { x: null, y: 1 })).toBe(1);
      expect(await one(item, {})).toBe(0);
      expect(await one(item, { y: 1 })).toBe(0);
      const nested = { args: { a: { b: null } }, args_match: ['a.b'] };
      expect(await one(nested, { a: {} })).toBe(0);
      expect(await one(nested, { a: 'text' })).toBe(0);
      expect(await one({ args: { x: 1, y: 2 }, args_match: ['x'] }, { x: 1 })).toBe(1);
    });

    it('for a list of keys for all calls, each call with `args` must have one of them', () => {
      const claim = (args: JsonObject): JsonObject => ({
        type: 'tool_trajectory',
        mode: 'any_order',
        args_match: ['id'],
        expected: [
          { tool: 'find', args: { id: 1 } },
          { tool: 'pay', args },
        ],
      });
      expect(() => read(claim({ amount: 5 }))).toThrow('missing_argument');
      expect(() => read(claim({ amount: 5, id: 2 }))).not.toThrow();
    });

    it('can be required to be exact, for all calls or for one', async () => {
      expect(await one({ args: { x: 1 } }, { x: 1, y: 2 }, { args_match: 'exact' })).toBe(0);
      expect(await one({ args: { x: 1 }, args_match: 'exact' }, { x: 1, y: 2 })).toBe(0);
      expect(
        await one({ args: { x: 1 }, args_match: 'partial' }, { x: 1, y: 2 }, { args_match: 'exact' }),
      ).toBe(1);
    });

    it('may be called input', async () => {
      expect(await one({ input: { x: 1 } }, { x: 1, y: 2 })).toBe(1);
      expect(await one({ input: { x: 2 } }, { x: 1 })).toBe(0);
      expect(await one({ input: ['a'] }, ['a'])).toBe(1);
      expect(await one({ input: 'Rome' }, 'Rome')).toBe(1);
    });

    it('keep every key and number as it is', async () => {
      const odd = JSON.parse('{"riskLevel":"HIGH","a.b":1,"__proto__":{"x":1}}') as JsonObject;
      expect(await one({ args: odd }, odd)).toBe(1);
      expect(await one({ args: odd }, { riskLevel: 'HIGH', 'a.b': 1 })).toBe(0);
      expect(await one({ args: { id: 9007199254740993n } }, { id: 9007199254740993n })).toBe(1);
      expect(await one({ args: { id: 9007199254740993n } }, { id: 9007199254740992 })).toBe(0);
      expect(await one({ args: { n: 1 } }, { n: true })).toBe(0);
    });
  });

  describe('durations', () => {
    it('are claims in addition to their calls', async () => {
      const claim = { mode: 'exact', expected: [{ tool: 'a', max_duration_ms: 100 }, { tool: 'b' }] };
      expect((await trajectory(claim, [{ tool: 'a', duration_ms: 100 }, { tool: 'b' }])).score).toBe(1);
      const slow = await trajectory(claim, [{ tool: 'a', duration_ms: 101 }, { tool: 'b' }]);
      expect(slow.score).toBe(2 / 3);
      expect(slow.misses).toEqual(['a took 101 ms, but the limit is 100 ms']);
    });

    const BOTH = [{ tool: 'a', max_duration_ms: 100 }, { tool: 'b', max_duration_ms: 50 }, { tool: 'c' }];

    it.each(['exact', 'in_order', 'any_order', 'unordered', 'subset'])(
      'are neutral if only some are reported, with a warning: %s',
      async (mode) => {
        const made = [{ tool: 'a' }, { tool: 'b', duration_ms: 50 }, { tool: 'c' }];
        const outcome = await trajectory({ mode, expected: BOTH }, made);
        expect(outcome.score).toBe(1);
        expect(outcome.details).toMatchObject({
          duration_not_reported: [{ tool: 'a', expected: 0, actual: 0 }],
        });
        expect(outcome.warnings).toMatchObject([
          { code: 'no_duration', message: expect.stringContaining('a (`max_duration_ms: 100`)') as unknown },
        ]);
        const timed = made.map((call) => ({ duration_ms: 1, ...call }));
        expect((await trajectory({ mode, expected: BOTH }, timed)).warnings).toBeUndefined();
      },
    );

    it.each(['exact', 'in_order', 'any_order', 'unordered', 'subset'])(
      'are an error if none is reported: %s',
      async (mode) => {
        const claim = { type: 'tool_trajectory', mode, expected: BOTH };
        const made = [{ tool: 'a' }, { tool: 'b' }, { tool: 'c', duration_ms: 1 }];
        expect(await errorOf(claim, { reply: { tool_calls: made } })).toMatch(
          /^the agent did not report how long it took to call a \(`max_duration_ms: 100`\), b /,
        );
      },
    );

    it('are not checked for calls that were not made', async () => {
      expect((await trajectory({ mode: 'exact', expected: BOTH }, calls('c'))).score).toBe(0);
      expect((await trajectory({ mode: 'subset', expected: BOTH }, calls('c'))).score).toBe(1);
    });

    it('that are too long fail', async () => {
      const made = [{ tool: 'a', duration_ms: 200 }, { tool: 'b' }, { tool: 'c' }];
      const outcome = await trajectory({ mode: 'exact', expected: BOTH }, made);
      expect(outcome.score).toBe(3 / 4);
      expect(outcome.warnings).toMatchObject([{ code: 'no_duration' }]);
    });

    it('choose the call that is fast enough', async () => {
      const claim = { mode: 'any_order', expected: [{ tool: 'a', max_duration_ms: 10 }, { tool: 'a' }] };
      const made = [
        { tool: 'a', duration_ms: 50 },
        { tool: 'a', duration_ms: 5 },
      ];
      expect((await trajectory(claim, made)).score).toBe(1);
    });
  });

  it('counts limits as claims', async () => {
    const limits = { minimums: { a: 2 }, maximums: { b: 1 }, forbidden: ['c', 'd'], max_calls: 4 };
    expect((await trajectory(limits, calls('a', 'a', 'b'))).score).toBe(1);
    const outcome = await trajectory(limits, calls('a', 'b', 'b', 'c', 'x'));
    expect(outcome.score).toBe(1 / 5);
    expect(outcome.hits).toEqual(['d never (0 calls)']);
    expect(outcome.misses).toContain('c never (called once)');
    const together = { mode: 'in_order', expected: expected('a', 'b'), forbidden: ['c'] };
    expect((await trajectory(together, calls('a', 'c'))).score).toBe(1 / 3);
    expect(
      (await trajectory({ maximums: JSON.parse('{"__proto__": 0}') as JsonObject }, calls('__proto__')))
        .score,
    ).toBe(0);
  });

  it('scores 0 for extra calls, whatever else holds', async () => {
    const outcome = await trajectory(
      { mode: 'exact', expected: expected('a'), max_calls: 9 },
      calls('a', 'b'),
    );
    expect(outcome.score).toBe(0);
    expect(outcome.message).toBe(
      '1 call was made in addition to the 1 expected, but exact allows none, so nothing else counts: b was called, but is not expected',
    );
    expect(
      (await trajectory({ mode: 'in_order', expected: expected('a'), max_calls: 9 }, calls('b'))).score,
    ).toBe(0);
  });

  it('includes the aligned diff', async () => {
    const wanted = [
      { tool: 'a' },
      { tool: 'b' },
      { tool: 'c', args: { x: 1 } },
      { tool: 'd', max_duration_ms: 1 },
      { tool: 'e' },
    ];
    const made = [
      { tool: 'b' },
      { tool: 'a' },
      { tool: 'c', input: { x: 2, y: 3 } },
      { tool: 'd', duration_ms: 5 },
      { tool: 'f' },
    ];
    const { details } = await trajectory({ mode: 'in_order', expected: wanted }, made);
    expect(details).toEqual({
      mode: 'in_order',
      matched: [{ tool: 'b', expected: 1, actual: 0 }],
      missing: [{ tool: 'e', expected: 4 }],
      extra: [{ tool: 'f', actual: 4 }],
      out_of_order: [{ tool: 'a', expected: 0, actual: 1 }],
      wrong_arguments: [
        {
          tool: 'c',
          expected: 2,
          actual: 2,
          differences: [{ kind: 'different', path: 'x', expected: 1, actual: 2 }],
        },
      ],
      too_slow: [{ tool: 'd', expected: 3, actual: 3, max_duration_ms: 1, duration_ms: 5 }],
    });
  });

  it('needs a trace: a missing one is an error, an empty one counts', async () => {
    const claim = { type: 'tool_trajectory', mode: 'exact', expected: [] };
    expect(await errorOf(claim)).toContain('did not report its tool calls');
    expect((await measure(claim, { reply: { tool_calls: [] } })).score).toBe(1);
    expect((await measure(claim, { reply: { tools_used: ['a'] } })).score).toBe(0);
    expect(await errorOf({ type: 'tool_trajectory', minimums: {} }, { reply: { tool_calls: [] } })).toContain(
      'nothing is claimed',
    );
  });

  it('is validated when the file is read', () => {
    expect(() => read({ type: 'tool_trajectory', expected: [{ tool: 'a' }] })).toThrow('missing_mode');
    expect(() => read({ type: 'tool_trajectory', mode: 'exact' })).toThrow('missing_field');
    expect(() =>
      read({ type: 'tool_trajectory', mode: 'exact', expected: [{ tool: 'a', args: {}, input: {} }] }),
    ).toThrow('given_twice');
  });
});
