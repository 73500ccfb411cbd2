import { describe, expect, test } from 'vitest';
import { AgentError } from './contract.ts';
import { plainJson } from './plain-json.ts';

function errorOf(value: unknown): AgentError {
  try {
    plainJson(value);
  } catch (error) {
    if (error instanceof AgentError) return error;
    throw error;
  }
  throw new Error('no error');
}

describe('plainJson', () => {
  test('copies plain data', () => {
    const reply = { output: 'x', memory: { list: [1, 'a', null, true, { deep: 0.5 }] } };
    const copy = plainJson(reply) as typeof reply;
    expect(copy).toEqual(reply);
    reply.memory.list.push(2);
    expect(copy.memory.list).toHaveLength(5);
  });

  test('undefined at the top means that the function returned nothing', () =>
    expect(plainJson(undefined)).toBeUndefined());

  test('undefined members are dropped', () => {
    expect(Object.keys(plainJson({ a: undefined, b: 1 }) as object)).toEqual(['b']);
  });

  test('integers keep their value and become bigints only when they have to', () => {
    expect(plainJson([5n, 12345678901234567890n])).toEqual([5, 12345678901234567890n]);
  });

  test('toJSON is used where it exists', () => {
    const url = new URL('http://a.b/');
    expect(plainJson({ when: new Date(0), url, none: Object.create(null) })).toEqual({
      when: '1970-01-01T00:00:00.000Z',
      url: 'http://a.b/',
      none: {},
    });
  });

  test('an instance of a class is copied as its fields', () => {
    class Answer {
      output = 'x';
      skipped = undefined;
    }
    expect(plainJson(new Answer())).toEqual({ output: 'x' });
  });

  test('__proto__ is an ordinary key', () => {
    const copy = plainJson(JSON.parse('{"__proto__": {"output": "x"}}')) as object;
    expect(Object.keys(copy)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });

  test('the same object may occur twice', () => {
    const shared = { a: 1 };
    expect(plainJson([shared, { shared }])).toEqual([{ a: 1 }, { shared: { a: 1 } }]);
  });
});

const cycle: Record<string, unknown> = { list: [] };
(cycle['list'] as unknown[]).push(cycle);
const lateCycle = { output: 'x', memory: { 'a b': cycle } };

test.each<[unknown, string]>([
  [{ memory: { at: [0, Number.NaN] } }, "`memory.at[1]` of the agent's reply is NaN"],
  [[undefined], "`[0]` of the agent's reply is undefined"],
  [{ output: () => {} }, "`output` of the agent's reply is a function"],
  [Symbol('x'), 'what the agent returned is a symbol'],
  [{ a: new Map() }, "`a` of the agent's reply is a Map"],
  [{ a: new Set() }, "`a` of the agent's reply is a Set"],
  [{ a: new Error('x') }, "`a` of the agent's reply is an Error"],
  [{ a: /x/ }, "`a` of the agent's reply is a RegExp"],
  [{ a: Promise.resolve() }, "`a` of the agent's reply is a Promise"],
  [{ a: Buffer.from('x') }, "`a` of the agent's reply is a Uint8Array"],
  [cycle, "`list[0]` of the agent's reply contains itself"],
  [lateCycle, '`memory["a b"].list[0]` of the agent\'s reply contains itself'],
  [{ a: new Date(Number.NaN), b: Infinity }, "`b` of the agent's reply is Infinity"],
])('%o cannot be a reply', (value, message) => {
  const error = errorOf(value);
  expect(error.kind).toBe('contract');
  expect(error.message).toBe(`${message}, which JSON cannot represent: return plain data`);
});

test('depth and size have limits', () => {
  let deep: unknown = 1;
  for (let depth = 0; depth < 1001; depth++) deep = [deep];
  expect(errorOf(deep)).toMatchObject({
    kind: 'limit',
    message: "the agent's reply is nested more than 1000 levels deep",
  });
  let doubled: unknown = ['x'];
  for (let times = 0; times < 40; times++) doubled = [doubled, doubled];
  expect(errorOf(doubled).kind).toBe('limit');
  expect(errorOf('x'.repeat(11 * 1024 * 1024)).kind).toBe('limit');
});
