import { expect, test } from 'vitest';
import { outlineOf } from '../../src/runs/journal/record-outline.ts';

const HEAD = {
  id: 'a::b::c::1',
  file: 'a',
  test: 'b',
  target: 'c',
  fingerprint: 'f',
  verdict: 'error',
  error: { kind: 'agent', message: 'm' },
};
const TAIL = { retries: 1, started_at: '', duration_ms: 5 };
const STEPS = {
  steps: [{ input: '],"retries":7,"x":[', memory: { steps: [1], retries: 3 } }],
  assertions: [],
};

test('fields before and after the steps are read; the steps are not', () => {
  expect(outline({ ...HEAD, ...STEPS, ...TAIL })).toEqual({ ...HEAD, ...TAIL });
});

test('texts that look like keys of a record stay texts', () => {
  const named = { ...HEAD, test: 'b,"steps":[ and ],"retries":9' };
  expect(outline({ ...named, ...STEPS, ...TAIL })).toEqual({ ...named, ...TAIL });
});

test('a record in another layout is read as a whole', () => {
  for (const record of [
    { ...TAIL, ...STEPS, ...HEAD },
    { ...HEAD, more: { a: 1, steps: [2] }, ...STEPS, ...TAIL },
    { ...HEAD, ...STEPS, ...TAIL, more: { list: [1], retries: 4 } },
  ])
    expect(outline(record)).toMatchObject({ ...HEAD, ...TAIL });
});

test('a line that is not a record has no outline', () => {
  for (const line of [
    '',
    '{',
    '{"assay_journal":1}',
    '[]',
    '{"id":1,"verdict":"passed"}',
    '{"id":"a","steps":[],"retries":',
  ])
    expect(outlineOf(Buffer.from(line)), line).toBeUndefined();
});

function outline(record: object): unknown {
  return outlineOf(Buffer.from(JSON.stringify(record)));
}
