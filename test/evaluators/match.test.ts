import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/model/json.ts';
import type { Message } from '../../src/base/model/message.ts';
import { answer, errorOf, measure } from './evidence.ts';

const score = async (expected: Json, output: string, partial = false): Promise<number> => {
  const outcome = await measure(
    { type: 'match', partial },
    { expected_messages: answer(expected), reply: { output } },
  );
  return outcome.score;
};

describe('match', () => {
  it('compares text exactly', async () => {
    expect(await score('hello', 'hello')).toBe(1);
    expect(await score('hello', 'hello ')).toBe(0);
    expect(await score('{"a":1}', '{"a": 1}')).toBe(0);
    expect(await score('', '')).toBe(1);
  });

  it('compares structured content as JSON, also in code fences', async () => {
    expect(await score({ a: 1, b: [2] }, '{"b": [2.0], "a": 1}')).toBe(1);
    expect(await score({ a: 1 }, 'Here it is:\n```json\n{"a": 1}\n```\nDone.')).toBe(1);
    expect(await score({ a: 1 }, '```json\n{"a": 1}\n```\n```json\n{"a": 2}\n```')).toBe(0);
    expect(await score({ a: 1 }, 'Not {"a": 2}, but:\n```json\n{"a": 1}\n```')).toBe(0);
    expect(await score({ a: 1 }, '{"a": 1, "b": 2}')).toBe(0);
    expect(await score({ a: 1 }, 'no JSON at all')).toBe(0);
    expect(await score(['a'], '["a"]')).toBe(1);
    expect(await score({ id: 9007199254740993n }, '{"id": 9007199254740993}')).toBe(1);
    expect(await score({ id: 9007199254740993n }, '{"id": 9007199254740992}')).toBe(0);
  });

  it('is not measured if partial and nothing is listed, and fails if the reply is something else', async () => {
    const of = (expected: Json, output: string) =>
      errorOf({ type: 'match', partial: true }, { expected_messages: answer(expected), reply: { output } });
    expect(await of({}, '{"a": 1}')).toContain('lists nothing to compare');
    expect(await of({}, '{}')).toContain('lists nothing to compare');
    expect(await score({}, 'no JSON at all', true)).toBe(0);
    // That a is an object, and that a list is empty, are claims.
    expect(await score({ a: {} }, '{"a": {"b": 1}}', true)).toBe(1);
    expect(await score({ a: {} }, '{"a": 1}', true)).toBe(0);
    expect(await score([], '[1]', true)).toBe(0);
    expect(await score({}, '{}')).toBe(1);
  });

  it('compares only the listed fields if partial, at every depth', async () => {
    expect(await score({ a: { x: 1 } }, '{"a": {"x": 1, "y": 2}, "b": 3}', true)).toBe(1);
    expect(await score({ a: { x: 1 } }, '{"a": {"y": 2}}', true)).toBe(0);
    expect(await score([{ x: 1 }], '[{"x": 1, "y": 2}]', true)).toBe(1);
    expect(await score([{ x: 1 }], '[{"x": 1}, {"x": 2}]', true)).toBe(0);
  });

  it('shows where they differ', async () => {
    const expected = JSON.parse('{"riskLevel":"LOW","a.b":[1,2],"__proto__":1}') as Json;
    const reply = { output: '{"riskLevel":"HIGH","a.b":[1],"fetchData":true}' };
    const outcome = await measure({ type: 'match' }, { expected_messages: answer(expected), reply });
    expect(outcome).toMatchObject({
      score: 0,
      message:
        'riskLevel: expected "LOW", got "HIGH"; ["a.b"]: expected [1, 2], got [1]; __proto__: expected 1, got absent; and 1 more',
    });
    expect(outcome.details).toEqual({
      differences: [
        { kind: 'different', path: 'content.riskLevel', expected: 'LOW', actual: 'HIGH' },
        { kind: 'missing', path: 'content["a.b"][1]', expected: 2 },
        { kind: 'missing', path: 'content.__proto__', expected: 1 },
        { kind: 'extra', path: 'content.fetchData', actual: true },
      ],
      difference_count: 4,
    });
  });

  describe('tool calls', () => {
    const expected_messages: readonly Message[] = [
      {
        role: 'assistant',
        tool_calls: [{ tool: 'search', input: { q: 'x' }, id: 'call_1' }, { tool: 'read' }],
      },
      { role: 'tool', content: 'found' },
      { role: 'assistant', content: 'done' },
    ];
    const on = async (
      tool_calls: readonly { tool: string; input?: Json }[],
      partial = false,
      output = 'done',
    ): Promise<number> => {
      return (await measure({ type: 'match', partial }, { expected_messages, reply: { output, tool_calls } }))
        .score;
    };

    it('are compared whichever name their arguments have', async () => {
      for (const call of [
        { tool: 'a', args: { q: 1 } },
        { name: 'a', arguments: '{"q":1}' },
      ]) {
        const wanted: readonly Message[] = [{ role: 'assistant', tool_calls: [call] }];
        const made = (input: Json) =>
          measure(
            { type: 'match' },
            { expected_messages: wanted, reply: { tool_calls: [{ tool: 'a', input }] } },
          );
        expect([(await made({ q: 1 })).score, (await made({ q: 2 })).score]).toEqual([1, 0]);
      }
    });

    it('are compared in order, by the fields that are given', async () => {
      expect(
        await on([
          { tool: 'search', input: { q: 'x' } },
          { tool: 'read', input: { any: 1 } },
        ]),
      ).toBe(1);
      expect(await on([{ tool: 'read' }, { tool: 'search', input: { q: 'x' } }])).toBe(0);
      expect(await on([{ tool: 'search', input: { q: 'y' } }, { tool: 'read' }])).toBe(0);
      expect(await on([{ tool: 'search', input: { q: 'x' } }])).toBe(0);
      expect(await on([{ tool: 'search', input: { q: 'x' } }, { tool: 'read' }, { tool: 'more' }])).toBe(0);
      expect(await on([{ tool: 'search', input: { q: 'x' } }, { tool: 'read' }], false, 'other')).toBe(0);
    });

    it('may have extra arguments if partial', async () => {
      expect(await on([{ tool: 'search', input: { q: 'x', n: 1 } }, { tool: 'read' }])).toBe(0);
      expect(await on([{ tool: 'search', input: { q: 'x', n: 1 } }, { tool: 'read' }], true)).toBe(1);
    });

    it('are an error if the agent did not report its calls', async () => {
      expect(await errorOf({ type: 'match' }, { expected_messages, reply: { output: 'done' } })).toContain(
        'did not report',
      );
    });

    it('are an error if only unreported details differ', async () => {
      const error = (tool_calls: readonly { tool: string; input?: Json }[], wanted = expected_messages) =>
        errorOf(
          { type: 'match', negate: true },
          { expected_messages: wanted, reply: { output: 'done', tool_calls } },
        );
      expect(await error([{ tool: 'search' }, { tool: 'read' }])).toMatch(
        /the arguments of its calls to search,/,
      );
      const withResult = [{ role: 'assistant', tool_calls: [{ tool: 'read', output: 'x' }] }] as const;
      expect(await error([{ tool: 'read', input: {} }], withResult)).toMatch(
        /the results of its calls to read,/,
      );
      expect(await on([{ tool: 'search' }, { tool: 'write' }])).toBe(0);
      expect(await on([{ tool: 'search' }])).toBe(0);
      expect(await on([{ tool: 'search' }, { tool: 'read' }], false, 'other')).toBe(0);
    });

    it('are not compared when none are expected', async () => {
      const reply = { output: 'done', tool_calls: [{ tool: 'x' }] };
      expect((await measure({ type: 'match' }, { expected_messages: answer('done'), reply })).score).toBe(1);
    });
  });

  it('compares several messages with everything the agent said', async () => {
    const expected_messages: readonly Message[] = [...answer('one'), ...answer({ two: 2 })];
    const output_messages: readonly Message[] = [...answer('one'), ...answer('{"two": 2}')];
    expect((await measure({ type: 'match' }, { expected_messages, reply: { output_messages } })).score).toBe(
      1,
    );
    expect(
      (await measure({ type: 'match' }, { expected_messages, reply: { output_messages: answer('one') } }))
        .score,
    ).toBe(0);
    expect(await errorOf({ type: 'match' }, { expected_messages, reply: { output: 'x' } })).toContain(
      'did not report its messages',
    );
  });

  it('is an error without an expected answer', async () => {
    expect(await errorOf({ type: 'match' })).toContain('no expected answer');
    expect(
      await errorOf({ type: 'match' }, { expected_messages: [{ role: 'user', content: 'x' }] }),
    ).toContain('no expected answer');
  });
});
