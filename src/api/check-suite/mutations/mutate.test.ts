import { describe, expect, test } from 'vitest';
import type { Json } from '../../../base/model/json.ts';
import type { UnwantedPart } from '../../../base/model/reply-requirements.ts';
import { EMPTY_REPLY, type OracleReply } from '../oracle/oracle-reply.ts';
import { jsonChanges } from './json-changes.ts';
import { mutate } from './mutate.ts';

describe('a value with one change', () => {
  const changes = (value: Json) =>
    [...jsonChanges(value)].map((change) => [change.what, change.where, change.value]);

  test('each nested value is changed and removed, and a key is added', () => {
    expect(changes({ a: 1, b: { c: 'x' } })).toEqual([
      ['added', 'another_key', { a: 1, b: { c: 'x' }, another_key: 'another value' }],
      ['changed', 'a', { a: 2, b: { c: 'x' } }],
      ['removed', 'a', { b: { c: 'x' } }],
      ['changed', 'b.c', { a: 1, b: { c: 'x (changed)' } }],
      ['removed', 'b.c', { a: 1, b: {} }],
    ]);
  });

  test('list items and empty values are changed', () => {
    expect(changes([true, [null]])).toEqual([
      ['changed', '[0]', [false, [null]]],
      ['removed', '[0]', [[null]]],
      ['changed', '[1][0]', [true, ['another value']]],
      ['removed', '[1][0]', [true, []]],
    ]);
    expect(changes({ a: {}, b: [] })).toEqual([
      ['added', 'another_key', { a: {}, b: [], another_key: 'another value' }],
      ['changed', 'a', { a: 'another value', b: [] }],
      ['removed', 'a', { b: [] }],
      ['changed', 'b', { a: {}, b: 'another value' }],
      ['removed', 'b', { a: {} }],
    ]);
  });

  test('a top-level value is changed, not removed', () => {
    expect(changes(7n)).toEqual([['changed', '', 8n]]);
    expect(changes('x')).toEqual([['changed', '', 'x (changed)']]);
  });

  test('at most sixty places are changed', () => {
    const many = Array.from({ length: 100 }, (_, index) => index);
    expect(changes(many)).toHaveLength(120);
    expect(changes(many).at(-1)![1]).toBe('[59]');
  });
});

/** The changed replies by the names of the changes. */
function mutated(reply: Partial<OracleReply>, unwanted: readonly UnwantedPart[] = []) {
  const all = [...mutate([{ ...EMPTY_REPLY, ...reply }], [unwanted])];
  return all.map(({ name, replies }) => [name, replies[0]!] as const);
}

const named = (all: ReturnType<typeof mutated>, name: string | RegExp) =>
  all.filter(([own]) => (typeof name === 'string' ? own === name : name.test(own))).map(([, reply]) => reply);

describe('changed replies', () => {
  test('have another output', () => {
    const all = mutated({ output: 'Add 2.5 Eggs' }).filter(([name]) => name.includes('output'));
    expect(all.map(([name, { output }]) => [name, output])).toEqual([
      ['output emptied', ''],
      ['words of the output shuffled', 'Eggs 2.5 Add'],
      ['case of the output changed', 'aDD 2.5 eGGS'],
      ['text before the output', 'Well, Add 2.5 Eggs'],
      ['text behind the output', 'Add 2.5 Eggs That is all.'],
      ['number of the output changed', 'Add 3.5 Eggs'],
      ['word of the output dropped', '2.5 Eggs'],
      ['word of the output dropped', 'Add Eggs'],
      ['word of the output dropped', 'Add 2.5 '],
    ]);
  });

  test('leave out changes that do not change the output', () => {
    expect(
      mutated({ output: '' })
        .filter(([name]) => name.includes('output'))
        .map(([name]) => name),
    ).toEqual(['text before the output', 'text behind the output']);
  });

  test('change every second word of a long output', () => {
    const output = Array.from({ length: 80 }, (_, index) => `w${index}`).join(' ');
    expect(named(mutated({ output }), 'word of the output dropped')).toHaveLength(40);
    expect(named(mutated({ output: `${output} more` }), 'word of the output dropped')).toHaveLength(27);
  });

  test('have other tool calls', () => {
    const calls = [{ tool: 'a', input: { x: 1 } }, { tool: 'b' }, { tool: 'b' }];
    const all = mutated({ calls }).filter(([name]) => /tool|argument/.test(name));
    expect(all.map(([name, reply]) => [name, reply.calls.map(({ tool }) => tool).join('')])).toEqual([
      ['tool added', 'abbanother_tool'],
      ['all tools dropped', ''],
      ['tool a dropped', 'bb'],
      ['tool a renamed', 'a_renamedbb'],
      ['tool a called twice', 'aabb'],
      ['tool a slowed down', 'abb'],
      ['tools a and b swapped', 'bab'],
      ['argument another_key of a added', 'abb'],
      ['argument x of a changed', 'abb'],
      ['argument x of a removed', 'abb'],
      ['tool b dropped', 'ab'],
      ['tool b renamed', 'ab_renamedb'],
      ['tool b called twice', 'abbb'],
      ['tool b slowed down', 'abb'],
      ['tool b dropped', 'ab'],
      ['tool b renamed', 'abb_renamed'],
      ['tool b called twice', 'abbb'],
      ['tool b slowed down', 'abb'],
    ]);
    expect(named(all, 'tool a slowed down')[0]!.calls[0]).toEqual({
      tool: 'a',
      input: { x: 1 },
      duration_ms: 1e9,
    });
    expect(named(all, 'argument x of a changed')[0]!.calls[0]).toEqual({ tool: 'a', input: { x: 2 } });
    expect(named(mutated({}), /tool/).map((reply) => reply.calls)).toEqual([[{ tool: 'another_tool' }]]);
  });

  test('change only the first forty of many calls', () => {
    const calls = Array.from({ length: 50 }, () => ({ tool: 'a' }));
    expect(named(mutated({ calls }), 'tool a dropped')).toHaveLength(40);
  });

  test('have other memory', () => {
    const all = mutated({ memory: { city: 'Bern' } }).filter(([name]) => name.includes('memory'));
    expect(all.map(([name, { memory }]) => [name, memory])).toEqual([
      ['memory emptied', {}],
      ['another_key of memory added', { city: 'Bern', another_key: 'another value' }],
      ['city of memory changed', { city: 'Bern (changed)' }],
      ['city of memory removed', {}],
    ]);
    expect(
      mutated({})
        .filter(([name]) => name.includes('memory'))
        .map(([name]) => name),
    ).toEqual(['another_key of memory added']);
  });

  test('contain what the test forbids', () => {
    const all = mutated({ output: 'ok', calls: [{ tool: 'a' }], memory: { x: 1 }, said: ['hm'] }, [
      { text: 'no' },
      { text: 'no', replaces: true },
      { calls: [{ tool: 'b' }] },
      { memory: { path: 'y.z', value: 2 } },
      { messages: 2 },
    ]);
    const added = named(all, 'something unwanted added');
    expect(added.map(({ output, calls, memory, said }) => [output, calls.length, memory, said])).toEqual([
      ['ok no', 1, { x: 1 }, ['hm']],
      ['no', 1, { x: 1 }, ['hm']],
      ['ok', 2, { x: 1 }, ['hm']],
      ['ok', 1, { x: 1, y: { z: 2 } }, ['hm']],
      ['ok', 1, { x: 1 }, ['hm', '', '']],
    ]);
  });

  test('are slow, expensive or long', () => {
    const all = mutated({});
    expect(named(all, 'reply slowed down')[0]!.duration_ms).toBeGreaterThan(1e6);
    expect(named(all, 'cost raised')[0]!.cost_usd).toBeGreaterThan(100);
    expect(named(all, 'tokens raised')[0]!.token_usage.input).toBeGreaterThan(1e6);
  });

  test('contain JSON with one changed value', () => {
    const outputs = named(mutated({ output: '{"a": 1}' }), / of the output (?:changed|removed|added)$/);
    expect(outputs.map(({ output }) => output)).toEqual(
      expect.arrayContaining(['{"a":1,"another_key":"another value"}', '{"a":2}', '{}']),
    );
    expect(named(mutated({ output: '7' }), / of the output added$/)).toEqual([]);
    expect(
      named(mutated({ output: 'null' }), / of the output (?:changed|removed)$/).map(({ output }) => output),
    ).toEqual(['NULL']);
  });

  test('change one step at a time', () => {
    const two = [
      ...mutate(
        [
          { ...EMPTY_REPLY, output: 'one' },
          { ...EMPTY_REPLY, output: 'two' },
        ],
        [],
      ),
    ];
    const emptied = two.filter(({ name }) => name === 'output emptied');
    expect(emptied.map(({ replies }) => replies.map(({ output }) => output))).toEqual([
      ['', 'two'],
      ['one', ''],
    ]);
  });
});
