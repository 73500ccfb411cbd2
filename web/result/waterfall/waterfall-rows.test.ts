import { expect, test } from 'vitest';
import type { StepRecord } from '../../../src/base/model/record.ts';
import { waterfallOf } from './waterfall-rows.ts';

function step(parts: Partial<StepRecord>): StepRecord {
  return {
    line: 1,
    input: '',
    input_messages: [],
    memory_before: {},
    assertions: [],
    duration_ms: 100,
    ...parts,
  };
}

test('observed calls have a bar, and parallel ones start together', () => {
  const { rows, endMs, hasUntimed } = waterfallOf({
    steps: [
      step({ duration_ms: 50 }),
      step({
        timeline: [
          { kind: 'model', name: 'm', start_ms: 5, duration_ms: 20 },
          { kind: 'tool', name: 'a', start_ms: 25, duration_ms: 30 },
          { kind: 'tool', name: 'b', start_ms: 25, duration_ms: 10, failed: true },
        ],
      }),
    ],
  });
  expect(rows.map(({ kind, name, startMs }) => [kind, name, startMs])).toEqual([
    ['step', 'Step 1', 0],
    ['step', 'Step 2', 50],
    ['model', 'm', 55],
    ['tool', 'a', 75],
    ['tool', 'b', 75],
  ]);
  expect(rows.map(({ isFailed }) => isFailed)).toEqual([false, false, false, false, true]);
  expect([endMs, hasUntimed]).toEqual([150, false]);
});

test('calls without known times have an order and no bar', () => {
  const { rows, hasUntimed } = waterfallOf({
    steps: [
      step({
        tool_calls: [
          { tool: 'a', duration_ms: 30 },
          { tool: 'b', status: 'error' },
        ],
        evidence: { tool_calls: 'recognised' },
      }),
    ],
  });
  expect(
    rows.slice(1).map(({ name, startMs, durationMs, source }) => [name, startMs, durationMs, source]),
  ).toEqual([
    ['a', undefined, 30, 'recognised'],
    ['b', undefined, undefined, 'recognised'],
  ]);
  expect(rows[2]!.isFailed).toBe(true);
  expect(hasUntimed).toBe(true);
});

test('faults are counted over the whole attempt', () => {
  const model = (start_ms: number) => ({ kind: 'model', name: 'm', start_ms, duration_ms: 1 }) as const;
  const { rows } = waterfallOf({
    faults: [
      { on: 'model', call: 3, do: 503 },
      { on: 'tool a', call: 2, do: 'timeout' },
    ],
    steps: [
      step({ timeline: [model(0), model(1)], tool_calls: [{ tool: 'a' }] }),
      step({
        timeline: [
          model(0),
          { kind: 'tool', name: 'a', start_ms: 1 },
          { kind: 'tool', name: 'a', start_ms: 2 },
        ],
      }),
    ],
  });
  expect(rows.map(({ fault }) => fault)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    'error 503',
    undefined,
    'timed out',
  ]);
});

test('a call that outlasts its step is not cut, and the next step starts after it', () => {
  const { rows, endMs } = waterfallOf({
    steps: [
      step({ duration_ms: 10, timeline: [{ kind: 'model', name: 'm', start_ms: 0, duration_ms: 40 }] }),
      step({}),
    ],
  });
  expect(rows[2]).toMatchObject({ kind: 'step', startMs: 40 });
  expect(endMs).toBe(140);
});

test('what follows a step without a duration has no start', () => {
  const untimed = step({ duration_ms: undefined, tool_calls: [{ tool: 'a' }] });
  const { rows, endMs } = waterfallOf({ steps: [untimed, step({})] });
  expect(rows.map(({ startMs, durationMs }) => [startMs, durationMs])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
    [undefined, 100],
  ]);
  expect(endMs).toBeUndefined();
});
