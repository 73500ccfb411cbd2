import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/model/json.ts';
import type { Message } from '../../../src/base/model/message.ts';
import type { MeasuredOutcome } from '../../../src/base/model/evidence.ts';
import { measure, read } from '../../evaluators/evidence.ts';
import { createProject, runCli } from '../../project.ts';

type Call = readonly [tool: string, args?: Json];

/** Judges calls that were made in messages: each inner list is one message. */
function judge(parameters: JsonObject, messages: readonly (readonly Call[])[]): Promise<MeasuredOutcome> {
  const toCall = ([tool, input]: Call): JsonObject => ({ tool, ...(input === undefined ? {} : { input }) });
  const output_messages = [
    ...messages.map((calls) => ({ role: 'assistant', content: '', tool_calls: calls.map(toCall) })),
    { role: 'assistant', content: 'done' },
  ] as unknown as readonly Message[];
  const tool_calls = messages.flat().map(toCall) as never;
  return measure({ type: 'tool_trajectory', ...parameters }, { reply: { tool_calls, output_messages } });
}

/** How a library of trajectory matchers calls its modes, and how they are written here. */
const MODES = {
  strict: { mode: 'exact', parallel: 'any_order' },
  unordered: { mode: 'unordered' },
  subset: { mode: 'subset', counts: true },
  superset: { mode: 'superset' },
} as const;
type Mode = keyof typeof MODES;
const NAMES = Object.keys(MODES) as readonly Mode[];

interface Case {
  readonly what: string;
  readonly expected: readonly JsonObject[];
  readonly made: readonly (readonly Call[])[];
  /** The modes whose claim holds. */
  readonly holds: readonly Mode[];
  readonly more?: JsonObject;
}

const exactly = { args_match: 'exact' };
const rome: Call = ['forecast', { city: 'Rome' }];
const oslo: Call = ['forecast', { city: 'Oslo' }];
const wantRome = { tool: 'forecast', args: { city: 'Rome' } };
const wantOslo = { tool: 'forecast', args: { city: 'Oslo' } };
const anyForecast = { tool: 'forecast', args: { city: 'Rome and Oslo' }, args_match: 'ignore' };

const CASES: readonly Case[] = [
  { what: 'the same call', expected: [wantRome], made: [[rome]], holds: NAMES },
  { what: 'another tool', expected: [wantRome], made: [[['radar', { city: 'Rome' }]]], holds: [] },
  {
    what: 'two calls of one message the other way round',
    expected: [wantRome, wantOslo],
    made: [[oslo, rome]],
    holds: NAMES,
  },
  {
    what: 'two calls of two messages the other way round',
    expected: [wantRome, wantOslo],
    made: [[oslo], [rome]],
    holds: ['unordered', 'subset', 'superset'],
  },
  { what: 'one of two calls', expected: [wantRome, wantOslo], made: [[rome]], holds: ['subset'] },
  {
    what: 'one call too many, arguments ignored',
    expected: [anyForecast],
    made: [[rome, oslo]],
    holds: ['superset'],
  },
  {
    what: 'one call too few, arguments ignored',
    expected: [anyForecast, anyForecast],
    made: [[rome]],
    holds: ['subset'],
  },
  {
    what: 'nested arguments that differ where nobody looks',
    expected: [
      { tool: 'user', args: { id: '7' } },
      { tool: 'policy', args: { q: 'x', when: { from: 1, to: 9 } }, args_match: ['when.from'] },
      { tool: 'policy', args: { q: 'y', when: { from: 1, to: 9 } }, args_match: ['when.from'] },
    ],
    made: [
      [['user', { id: '7' }]],
      [
        ['policy', { q: 'upgrade', when: { from: 1, to: 2 } }],
        ['policy', { q: 'seats', when: { from: 1, to: 3 } }],
      ],
    ],
    holds: NAMES,
  },
  {
    what: 'nested arguments that differ where somebody looks',
    expected: [{ tool: 'policy', args: { when: { from: 1 } }, args_match: ['when.from'] }],
    made: [[['policy', { when: { from: 2 } }]]],
    holds: [],
  },
];

describe('trajectories as a library of matchers reads them', () => {
  it.each(CASES.flatMap((one) => NAMES.map((mode) => [one.what, mode, one] as const)))(
    '%s: %s',
    async (_what, mode, { expected, made, holds, more = exactly }) => {
      const { score } = await judge({ ...MODES[mode], expected, ...more }, made);
      expect(score === 1).toBe(holds.includes(mode));
    },
  );

  it.each([
    ['exact', [false, false, true]],
    ['ignore', [true, true, true]],
    ['subset', [false, true, true]],
    ['superset', [true, false, true]],
  ] as const)('args_match: %s compares extra, missing and equal arguments', async (args_match, holds) => {
    const expected = [{ tool: 'book', args: { flight: 'LX1', seat: '4A' } }];
    const made: readonly Json[] = [
      { flight: 'LX1', seat: '4A', meal: true },
      { flight: 'LX1' },
      { seat: '4A', flight: 'LX1' },
    ];
    const scores = await Promise.all(
      made.map(
        async (input) => (await judge({ mode: 'exact', expected, args_match }, [[['book', input]]])).score,
      ),
    );
    expect(scores.map((score) => score === 1)).toEqual(holds);
  });
});

describe('arguments', () => {
  const one = async (item: JsonObject, input: Json): Promise<number> =>
    (await judge({ mode: 'any_order', expected: [{ tool: 't', ...item }] }, [[['t', input]]])).score;

  it('are partial at the top level, and at every depth with deep_partial', async () => {
    const args = { time: { start: 1 } };
    const input = { time: { start: 1, end: 2 }, zone: 'UTC' };
    expect(await one({ args }, input)).toBe(0);
    expect(await one({ args, args_match: 'superset' }, input)).toBe(0);
    expect(await one({ args, args_match: 'deep_partial' }, input)).toBe(1);
    expect(await one({ args, args_match: 'deep_partial' }, { time: { end: 2 } })).toBe(0);
    expect(await one({ args, args_match: 'deep_partial' }, { time: [1] })).toBe(0);
    expect(await one({ args, args_match: 'deep_partial' }, { time: null })).toBe(0);
  });

  it('keep the length of lists with deep_partial', async () => {
    const item = { args: { legs: [{ from: 'ZRH' }] }, args_match: 'deep_partial' };
    expect(await one(item, { legs: [{ from: 'ZRH', to: 'OSL' }] })).toBe(1);
    expect(await one(item, { legs: [{ from: 'ZRH' }, { from: 'OSL' }] })).toBe(0);
    expect(await one(item, { legs: [] })).toBe(0);
  });

  it('are compared only for the listed keys, and an absent one differs from null', async () => {
    const item = { args: { q: 'a', page: null, legs: [{ id: 1 }] }, args_match: ['q', 'page', 'legs[0].id'] };
    expect(await one(item, { q: 'a', page: null, legs: [{ id: 1, x: 2 }], other: true })).toBe(1);
    expect(await one(item, { q: 'a', legs: [{ id: 1 }] })).toBe(0);
    expect(await one(item, { q: 'a', page: 2, legs: [{ id: 1 }] })).toBe(0);
    expect(await one(item, { q: 'a' })).toBe(0);
    expect(await one(item, 'a')).toBe(0);
  });

  it('never read prototypes', async () => {
    const args = JSON.parse('{"__proto__": {"x": 1}}') as JsonObject;
    for (const args_match of ['exact', 'partial', 'deep_partial', 'subset', ['__proto__.x']]) {
      expect(await one({ args, args_match }, args)).toBe(1);
      expect(await one({ args, args_match }, { x: 1 })).toBe(0);
    }
  });
});

describe('partial credit', () => {
  const slow = (duration_ms: number): Promise<MeasuredOutcome> =>
    measure(
      { type: 'tool_trajectory', mode: 'exact', expected: [{ tool: 'a', max_duration_ms: 10 }] },
      { reply: { tool_calls: [{ tool: 'a', duration_ms }] } },
    );

  it('a call that was too slow still counts as made', async () => {
    expect((await slow(10)).score).toBe(1);
    expect((await slow(11)).score).toBe(1 / 2);
  });

  it('a wrong tool costs only its own place; one extra call costs everything', async () => {
    const claim = { mode: 'exact', expected: [{ tool: 'a' }, { tool: 'b' }] };
    const wrong = await judge(claim, [[['a']], [['x']]]);
    expect(wrong).toMatchObject({ score: 1 / 2, misses: ['x was called instead of b'] });
    expect(wrong.details).toMatchObject({
      wrong_tool: [{ tool: 'x', expected_tool: 'b', expected: 1, actual: 1 }],
      missing: [],
      extra: [],
    });
    expect((await judge(claim, [[['a']], [['b']], [['x']]])).score).toBe(0);
  });
});

describe('what failed is explained', () => {
  it('by the first differing argument of the closest call', async () => {
    const expected = [{ tool: 't', args: { a: 1, b: 1 } }];
    const outcome = await judge({ mode: 'any_order', expected }, [
      [['t', { a: 9, b: 9 }]],
      [['t', { a: 1, b: 2 }]],
    ]);
    expect(outcome.misses).toEqual(['t was called with other arguments: b is 2, not 1']);
    expect(outcome.details).toMatchObject({ wrong_arguments: [{ actual: 1 }], extra: [{ actual: 0 }] });
  });

  it('by the path in the list of keys, and by an argument that subset does not allow', async () => {
    const keys = { tool: 't', args: { at: { x: 1, y: 1 } }, args_match: ['at.x'] };
    const [first] = (await judge({ mode: 'exact', expected: [keys] }, [[['t', { at: { x: 2 } }]]])).misses!;
    expect(first).toBe('t was called with other arguments: at.x is 2, not 1');
    const most = { tool: 't', args: { a: 1 }, args_match: 'subset' };
    const [other] = (await judge({ mode: 'exact', expected: [most] }, [[['t', { a: 1, b: 2 }]]])).misses!;
    expect(other).toBe('t was called with other arguments: b is not expected, got 2');
  });

  it('by how often a call was made when subset counts', async () => {
    const claim = { mode: 'subset', counts: true, expected: [{ tool: 'a' }] };
    const outcome = await judge(claim, [[['a'], ['a'], ['z']]]);
    expect(outcome.score).toBeCloseTo(1 / 3, 12);
    expect(outcome.misses).toEqual([
      'a was called more often than expected',
      'z was called, but is not expected',
    ]);
  });

  it('by missing messages', async () => {
    const claim = {
      type: 'tool_trajectory',
      mode: 'exact',
      parallel: 'any_order',
      expected: [{ tool: 'a' }, { tool: 'b' }],
    };
    const flat = { tool_calls: [{ tool: 'b' }, { tool: 'a' }] };
    const outcome = await measure(claim, { reply: flat });
    expect(outcome).toMatchObject({ score: 0, warnings: [{ code: 'no_messages' }] });
    const inOrder = { tool_calls: flat.tool_calls.toReversed() };
    expect((await measure(claim, { reply: inOrder })).warnings).toBeUndefined();
    // Messages with other calls than the reported ones say nothing about these.
    const output_messages = [
      { role: 'assistant', tool_calls: [{ tool: 'b' }, { tool: 'c' }] },
    ] as unknown as readonly Message[];
    expect((await measure(claim, { reply: { ...flat, output_messages } })).score).toBe(0);
  });
});

describe('a comparison without effect is reported when the file is read', () => {
  it.each([
    [{ args_match: ['strat'], args: { start: 1 } }, 'missing_argument'],
    [{ args_match: ['time.strat'], args: { time: { start: 1 } } }, 'missing_argument'],
    [{ args_match: ['a'] }, 'missing_argument'],
    [{ args_match: ['a'], args: 'any' }, 'missing_argument'],
    [{ args_match: ['a..b'], args: { a: 1 } }, 'path'],
    [{ args_match: [], args: { a: 1 } }, 'empty'],
  ])('%j', (item, code) => {
    const expected = [{ tool: 't', ...item }];
    expect(() => read({ type: 'tool_trajectory', mode: 'exact', expected })).toThrow(code);
  });

  it('a key for all calls must occur in the arguments of a call without its own list', () => {
    const claim = (expected: readonly JsonObject[]): JsonObject => ({
      type: 'tool_trajectory',
      mode: 'exact',
      args_match: ['q'],
      expected,
    });
    expect(() => read(claim([{ tool: 'a', args: { q: 1 } }, { tool: 'b' }]))).not.toThrow();
    expect(() => read(claim([{ tool: 'a', args: { q: 1 }, args_match: 'exact' }]))).toThrow(
      'missing_argument',
    );
  });
});

describe('calls of one message, from an agent to the verdict', () => {
  const AGENT = `
const call = (tool, input = {}) => ({ tool, input });
const say = (...tool_calls) => ({ role: 'assistant', content: 'ok', tool_calls });
const REPLIES = {
  together: { output_messages: [say(call('find')), say(call('b', { n: { x: 1, y: 2 } }), call('a'))] },
  apart: { output_messages: [say(call('find')), say(call('b', { n: { x: 1, y: 2 } })), say(call('a'))] },
  flat: { output: 'ok', tool_calls: [call('find'), call('b', { n: { x: 1, y: 2 } }), call('a')] },
};
export const agent = (input) => REPLIES[input];
`;
  const EXPECTED = `[{ tool: find }, { tool: a }, { tool: b, args: { n: { x: 1 } }, args_match: deep_partial }]`;
  const SUITE = ['together', 'apart', 'flat']
    .flatMap((input) =>
      ['exact', 'in_order'].map(
        (mode) => `- id: ${input} ${mode}
  input: ${input}
  evaluators: [{ type: tool_trajectory, mode: ${mode}, parallel: any_order, expected: ${EXPECTED} }]
`,
      ),
    )
    .join('');

  it('match in any order only if the messages group them, live and when graded again', async () => {
    const project = createProject({ 'calls.eval.yaml': `evalcases:\n${SUITE}`, 'agent.mjs': AGENT });
    try {
      const cwd = project.path;
      const run = await runCli(['run', '--agent', './agent.mjs', '--reporter', 'json'], { cwd });
      const grade = await runCli(['grade', '--reporter', 'json'], { cwd });
      for (const { stdout } of [run, grade]) {
        const { results } = JSON.parse(stdout) as { results: readonly { test: string; score: number }[] };
        const scores = Object.fromEntries(
          results.map(({ test, score }) => [test, Math.round(score * 100) / 100]),
        );
        expect(scores).toEqual({
          'together exact': 1,
          'together in_order': 1,
          'apart exact': 0.33,
          'apart in_order': 0.67,
          'flat exact': 0.33,
          'flat in_order': 0.67,
        });
      }
      expect(run.stdout).toContain('no_messages');
    } finally {
      project.remove();
    }
  });
});
