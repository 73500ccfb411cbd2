import { expect, test } from 'vitest';
import type { Entry } from './entry.ts';
import { traceOfEntries } from './trace-of-entries.ts';

const call = (id: string, asked_ms?: number): Entry => {
  return { kind: 'assistant', calls: [{ tool: 'get_weather', id, asked_ms }] };
};
const result = (id: string, given_ms?: number, duration_ms?: number): Entry => {
  return { kind: 'result', id, given_ms, duration_ms };
};
const durations = (...entries: readonly Entry[]) =>
  traceOfEntries(entries).tool_calls?.map(({ duration_ms, duration_bound }) => [duration_ms, duration_bound]);

test('the time between a call and its result bounds the duration of a call that ran alone', () => {
  expect(durations(call('a', 1000), result('a', 1400), call('b', 2000), result('b', 2050))).toEqual([
    [400, 'alone'],
    [50, 'alone'],
  ]);
});

test('calls that ran at the same time share that bound', () => {
  expect(durations(call('a', 1000), call('b', 1010), result('a', 1400), result('b', 1420))).toEqual([
    [400, 'parallel'],
    [410, 'parallel'],
  ]);
});

test('a reported duration is kept, and without both times there is no bound', () => {
  expect(durations(call('a', 1000), result('a', 1400, 7))).toEqual([[7, undefined]]);
  expect(durations(call('a', 1000), result('a'), call('b'), result('b', 1400))).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ]);
  expect(durations(call('a', 1000), result('a', 999))).toEqual([[undefined, undefined]]);
});
