import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/model/json.ts';
import { answer, errorOf, measure } from '../../evaluators/evidence.ts';

async function score(rule: JsonObject, expected: Json, actual: Json): Promise<number> {
  const outcome = await measure(
    { type: 'field_accuracy', fields: [{ path: 'v', ...rule }] },
    { expected_messages: answer({ v: expected }), reply: { output: JSON.stringify({ v: actual }) } },
  );
  return outcome.score;
}

describe('dates', () => {
  it.each([
    '2025/1/15',
    '2025.01.15',
    '20250115',
    '01/15/2025',
    '1/15/2025',
    '1/15/25',
    '15/01/2025',
    '15-01-2025',
    '15.01.2025',
    '15-JAN-2025',
    '15-January-2025',
    '15-Jan-25',
    '2025-Jan-15',
    '15 January 2025',
    'Jan 15, 2025',
    'January 15 2025',
    'Wed Jan 15 2025',
    'Wednesday, January 15, 2025',
    'Wed, 15 Jan 2025 10:00:00 GMT',
    '2025-01-15 10:00',
    '2025-01-15T10:00:00.123Z',
    '01/15/2025 10:30 AM',
    'Jan 15, 2025 at 10:30 PM',
    // The day as it is written: no time zone moves it.
    '2025-01-15T23:30:00-08:00',
    '2025-01-15T00:30:00+05:00',
  ])('%s is 15 January 2025, on either side', async (date) => {
    expect(await score({ match: 'date' }, '2025-01-15', date)).toBe(1);
    expect(await score({ match: 'date' }, date, '2025-01-15')).toBe(1);
    expect(await score({ match: 'date' }, date, '2025-01-16')).toBe(0);
  });

  it.each([
    '2025',
    '2025-01',
    'Jan 2025',
    '2025-02-30',
    '02/30/2025',
    '13/13/2025',
    '15-FOO-2025',
    'soon',
    '',
  ])('%j does not name a day', async (date) => {
    expect(await score({ match: 'date' }, '2025-01-01', date)).toBe(0);
  });

  it('a text that only starts like a date is rejected quickly', async () => {
    for (const filler of [' ', '-', '1', 'a ', '1:'])
      expect(await score({ match: 'date' }, '2025-01-01', `1${filler.repeat(500_000)}x`)).toBe(0);
  });

  it.each<readonly [readonly string[] | undefined, string, string | undefined]>([
    [undefined, '03/04/2025', '2025-03-04'],
    [undefined, '03-04-2025', '2025-03-04'],
    [undefined, '04.04.2025', '2025-04-04'],
    [undefined, '03.04.2025', undefined],
    [['DD/MM/YYYY'], '03/04/2025', '2025-04-03'],
    [['DD/MM/YYYY'], '03-04-2025', '2025-04-03'],
    [['MM/DD/YYYY'], '03-04-2025', '2025-03-04'],
    [['MM/DD/YYYY'], '15/04/2025', undefined],
    [['YYYY-MM-DD'], '03/04/2025', undefined],
    [['YYYY-MM-DD'], 'April 15, 2025', '2025-04-15'],
  ])('with formats %j, %s is %s', async (formats, date, day) => {
    const rule = { match: 'date', ...(formats === undefined ? {} : { formats }) };
    for (const one of ['2025-03-04', '2025-04-03', '2025-04-04', '2025-04-15'])
      expect(await score(rule, one, date)).toBe(one === day ? 1 : 0);
  });
});

describe('numbers', () => {
  it('around an expected 0, a relative tolerance counts as an absolute one', async () => {
    const rule = { match: 'numeric_tolerance', tolerance: 0.1, relative: true };
    expect(await score(rule, 0, 0.1)).toBe(1);
    expect(await score(rule, 0, -0.1)).toBe(1);
    expect(await score(rule, '0', '0.05')).toBe(1);
    expect(await score(rule, 0, 0.2)).toBe(0);
    expect(await score({ match: 'numeric_tolerance', relative: true }, 0, 0.001)).toBe(0);
  });
});

describe('JSON in an answer', () => {
  const judge = (output: string): ReturnType<typeof measure> =>
    measure(
      { type: 'field_accuracy', fields: [{ path: 'total', match: 'exact' }] },
      { expected_messages: answer({ total: 7 }), reply: { output } },
    );

  it.each([
    '{"total":7}',
    '```json\n{"total":7}\n```',
    '```\n{"total":7}\n```',
    'The invoice says {"total":7}.',
    'Here it is:\n\n{\n  "total": 7,\n  "note": "a } in a text"\n}\n\nAnything else?',
    'Call f() {} and read {"total":7} with {placeholders}.',
    'Once {"total":7}, and again {"total": 7}.',
    'Its form is {"total": number}.\n```json\n{"total":7}\n```',
  ])('%j is found', async (output) => {
    expect((await judge(output)).score).toBe(1);
  });

  it.each([
    ['First {"total":7}, then {"total":8}.', '2 different JSON values'],
    ['```json\n{"total":7}\n```\n```json\n{"total":8}\n```', '2 different JSON values'],
    ['Instead of {"total":1}:\n```json\n{"total":7}\n```', '2 different JSON values'],
    ['Cut off: {"invoice":{"total":7}', 'invalid or cut off'],
    ['Outer: {"invoice":{"total":7}, oops}', 'invalid or cut off'],
    ['{"total":7,}', 'invalid or cut off'],
    ["{'total': 7}", 'no JSON'],
    ['total is 7', 'no JSON'],
  ])('%j is ambiguous and not read', async (output, why) => {
    const outcome = await judge(output);
    expect(outcome.score).toBe(0);
    expect(outcome.message).toContain(why);
  });

  it('a list stays a list, and its items are numbered', async () => {
    expect((await judge('[{"total":7}]')).score).toBe(0);
    for (const path of ['items[1].id', 'items.1.id']) {
      const outcome = await measure(
        { type: 'field_accuracy', fields: [{ path, match: 'exact' }] },
        {
          expected_messages: answer({ items: [{ id: 1 }, { id: 2 }] }),
          reply: { output: 'Items: {"items":[{"id":1},{"id":2}]}' },
        },
      );
      expect(outcome.score).toBe(1);
    }
  });
});

describe('a reply with text and messages', () => {
  it('is judged by its last message', async () => {
    const reply = { output: '{"v":1}', output_messages: answer({ v: 2 }) };
    const claim = { type: 'field_accuracy', fields: [{ path: 'v', match: 'exact' }] };
    expect((await measure(claim, { expected_messages: answer({ v: 2 }), reply })).score).toBe(1);
    expect((await measure({ type: 'match' }, { expected_messages: answer({ v: 2 }), reply })).score).toBe(1);
    expect((await measure({ type: 'contains', value: '1' }, { reply })).score).toBe(1);
  });
});

describe('the expected answer', () => {
  const claim = { type: 'field_accuracy', fields: [{ path: 'a', match: 'exact' }] };

  it('is the last message of the assistant that is JSON', async () => {
    const json = { role: 'assistant', content: { a: 1 } } as const;
    for (const other of [
      { role: 'assistant', content: 'Done.' },
      { role: 'tool', content: { a: 2 } },
      { role: 'user', content: 'Thanks' },
    ] as const)
      expect(
        (await measure(claim, { expected_messages: [json, other], reply: { output: '{"a":1}' } })).score,
      ).toBe(1);
    const text = { role: 'assistant', content: 'It is {"a":1}, as agreed' } as const;
    expect((await measure(claim, { expected_messages: [text], reply: { output: '{"a":1}' } })).score).toBe(1);
  });

  it('with two values is refused', async () => {
    const expected_messages = answer('{"a":1} or {"a":2}');
    expect(await errorOf(claim, { expected_messages, reply: { output: '{"a":1}' } })).toContain(
      'no expected value',
    );
  });

  it('without a value leaves out an optional field; a required one is an error', async () => {
    const fields = (required: boolean) => [
      { path: 'a', match: 'exact' },
      { path: 'b', match: 'exact', required },
    ];
    const given = { expected_messages: answer({ a: 1 }), reply: { output: '{"a":1,"b":2}' } };
    expect((await measure({ type: 'field_accuracy', fields: fields(false) }, given)).score).toBe(1);
    expect(await errorOf({ type: 'field_accuracy', fields: fields(true) }, given)).toContain('at b');
    const none = { type: 'field_accuracy', fields: [fields(false)[1]!] };
    expect(await errorOf(none, given)).toContain('nothing was checked');
  });
});
