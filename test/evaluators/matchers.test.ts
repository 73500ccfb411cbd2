import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Json } from '../../src/base/model/json.ts';
import { createProject, runCli } from '../project.ts';
import { answer, errorOf, measure } from './evidence.ts';

const projects: { remove(): void }[] = [];
afterEach(() => {
  for (const made of projects.splice(0)) made.remove();
});

/** Replies with the JSON that the input is. */
const AGENT = 'export const agent = (input) => JSON.parse(input);\n';

function project(files: Readonly<Record<string, string>>): string {
  const made = createProject({ 'agent.mjs': AGENT, ...files });
  projects.push(made);
  return made.path;
}

interface Ran {
  readonly exitCode: number | null;
  readonly output: string;
  /** By test: its verdict, and the messages of what did not pass. */
  readonly verdicts: Readonly<Record<string, string>>;
}

async function run(files: Readonly<Record<string, string>>): Promise<Ran> {
  const cwd = project(files);
  const { stdout, stderr, exitCode } = await runCli(
    ['run', '--agent', './agent.mjs', '--reporter', 'json=out.json', '--no-record'],
    {
      cwd,
    },
  );
  const { results } = JSON.parse(readFileSync(join(cwd, 'out.json'), 'utf8')) as {
    results: {
      test: string;
      verdict: string;
      assertions: Assertion[];
      steps: { assertions: Assertion[] }[];
    }[];
  };
  const verdicts = results.map(({ test: id, verdict, assertions, steps }) => {
    const wrong = [...steps.flatMap((step) => step.assertions), ...assertions].filter(
      ({ passed }) => passed !== true,
    );
    return [
      id,
      [verdict, ...wrong.map(({ message, error }) => error?.message ?? message)].join(' | '),
    ] as const;
  });
  return { exitCode, output: stdout + stderr, verdicts: Object.fromEntries(verdicts) };
}

interface Assertion {
  readonly passed?: boolean;
  readonly message: string;
  readonly error?: { readonly message: string };
}

/** A step test per line: the reply, and what is asserted. */
function stepTests(rows: Readonly<Record<string, readonly [reply: object, assert: object]>>): string {
  const tests = Object.entries(rows).map(([id, [reply, assert]]) => ({
    id,
    memory: {},
    input: JSON.stringify({ output: 'Booked AB-12', tools_used: [], memory: {}, ...reply }),
    assert,
  }));
  return JSON.stringify(tests);
}

test('negative and required assertions pass and fail', async () => {
  const used = { tools_used: ['search', 'look', 'mcp__crm__book', 'search'] };
  const { verdicts } = await run({
    'a.test.json': stepTests({
      not_includes: [{}, { 'output.not_includes': 'sorry', 'output.not_includes_2': 'AB-13' }],
      includes: [{}, { 'output.not_includes': 'AB' }],
      not_matches: [{}, { 'output.not_matches': '^AB' }],
      matches: [{}, { 'output.not_matches': 'AB-\\d\\d\\Z' }],
      endless: [{ output: `${'a'.repeat(60)}b` }, { 'output.not_matches': '(a|aa)+$' }],
      not_equals: [{}, { 'output.not_equals': 'booked AB-12' }],
      equals: [{}, { 'output.not_equals': 'Booked AB-12' }],
      used: [
        used,
        {
          'tools_used.includes': ['book', 'search', 'search'],
          'tools_used.excludes': ['delete', 'mcp__x__book'],
        },
      ],
      not_used: [used, { 'tools_used.includes': ['book', 'pay'] }],
      not_often: [used, { 'tools_used.includes': ['book', 'book'] }],
      excluded: [used, { 'tools_used.excludes': ['pay', 'look'] }],
      excluded_mcp: [used, { 'tools_used.excludes': ['book'] }],
      in_order: [
        used,
        { 'tools_used.in_order': ['search', 'book', 'search'], 'tools_used.in_order[2]': ['look'] },
      ],
      out_of_order: [used, { 'tools_used.in_order': ['book', 'look'] }],
    }),
  });
  const names = '["search", "look", "mcp__crm__book", "search"]';
  expect(verdicts).toEqual({
    not_includes: 'passed',
    includes: 'failed | expected not containing "AB", got "Booked AB-12"',
    not_matches: 'passed',
    matches: String.raw`failed | expected not matching the pattern "AB-\d\d\Z", got "Booked AB-12"`,
    endless: expect.stringMatching(/^error \| the pattern could not be matched/),
    not_equals: 'passed',
    equals: 'failed | expected not "Booked AB-12", got "Booked AB-12"',
    used: 'passed',
    not_used: `failed | expected ["book", "pay"], got ${names}`,
    not_often: `failed | expected ["book", "book"], got ${names}`,
    excluded: `failed | expected not containing one of "pay", "look", got ${names}`,
    excluded_mcp: `failed | expected not containing "book", got ${names}`,
    in_order: 'passed',
    out_of_order: `failed | expected ["book", "look"], got ${names}`,
  });
});

test('every place that compares values supports matchers, and a failure names the matcher, its path and the actual value', async () => {
  const memory = {
    n: 7,
    id: 'AB-12',
    user: { name: 'Ann', x: { y: 1, z: 2 } },
    list: [{ id: 1 }, { id: 2 }],
    none: null,
  };
  const partial = { $partial: { name: { $regex: '^A' }, x: { y: { $gte: 1 } }, nick: { $absent: true } } };
  const strict = (expected: object, reply: object) => ({
    memory: {},
    input: JSON.stringify({ output: 'ok', tools_used: [], ...reply }),
    expected: { output: 'ok', memory: expected },
  });
  const content = JSON.stringify({ total: 3, id: 'x1' });
  const calls = {
    output: 'ok',
    tool_calls: [{ tool: 'pay', input: { sum: 12, to: { name: 'Ann', iban: 'DE1' } } }],
  };
  const evals = {
    match: [
      { output: content },
      { expected_output: { total: { $lt: 5 }, id: { $any: true } }, evaluators: [{ type: 'match' }] },
    ],
    no_match: [
      { output: content },
      { expected_output: { total: { $gt: 5 }, id: { $any: true } }, evaluators: [{ type: 'match' }] },
    ],
    whole: [{ output: '42' }, { expected_output: { $regex: '^\\d+$' }, evaluators: [{ type: 'match' }] }],
    whole_json: [
      { output: '{"a": 1, "b": 2}' },
      { expected_output: { $partial: { a: 1 } }, evaluators: [{ type: 'match' }] },
    ],
    call: [
      calls,
      {
        expected_messages: [
          {
            role: 'assistant',
            content: 'ok',
            tool_calls: [{ tool: 'pay', input: { sum: { $gte: 13 }, to: { $any: true } } }],
          },
        ],
        evaluators: [{ type: 'match' }],
      },
    ],
    fields: [
      { output: content },
      {
        expected_output: { total: { $gte: 3 }, id: { $regex: '^y' }, gone: { $absent: true } },
        evaluators: [
          {
            type: 'field_accuracy',
            fields: ['total', 'id', 'gone'].map((path) => ({ path, match: 'exact' })),
          },
        ],
      },
    ],
    dated: [
      { output: content },
      {
        expected_output: { id: { $any: true } },
        evaluators: [{ type: 'field_accuracy', fields: [{ path: 'id', match: 'date' }] }],
      },
    ],
    args: [
      calls,
      {
        evaluators: [
          {
            type: 'tool_trajectory',
            mode: 'exact',
            expected: [
              {
                tool: 'pay',
                args: {
                  sum: { $gte: 10, $lt: 20 },
                  to: { $partial: { name: 'Ann' } },
                  memo: { $absent: true },
                },
              },
            ],
          },
        ],
      },
    ],
    other_args: [
      calls,
      {
        evaluators: [
          {
            type: 'tool_trajectory',
            mode: 'exact',
            expected: [{ tool: 'pay', args: { $partial: { to: { name: { $not: 'Ann' } } } } }],
          },
        ],
      },
    ],
    by_key: [
      calls,
      {
        evaluators: [
          {
            type: 'tool_trajectory',
            mode: 'any_order',
            args_match: ['to.iban'],
            expected: [{ tool: 'pay', args: { to: { iban: { $regex: '^FR' } } } }],
          },
        ],
      },
    ],
    memory: [
      { output: 'ok', memory },
      { evaluators: [{ type: 'memory', path: 'n', equals: { $oneOf: [6, 8] } }] },
    ],
    endless: [
      { output: 'ok', memory: { a: `${'a'.repeat(60)}b` } },
      { evaluators: [{ type: 'memory', path: 'a', equals: { $not: { $regex: '(a|aa)+$' } } }] },
    ],
  } as const;
  const { verdicts, output } = await run({
    'a.test.json': stepTests({
      holds: [
        { memory },
        {
          'memory.n': { $gte: 5, $lt: 10 },
          'memory.id': { $regex: '^[A-Z]{2}-\\d+$', $length: 5 },
          'memory.user': partial,
          'memory.list': { $each: { id: { $type: 'integer' } }, $length: { $gte: 1 } },
          'memory.none': { $any: true },
          'memory.gone': { $absent: true },
          'memory.gone_too': null,
        },
      ],
      number: [{ memory }, { 'memory.n': { $gte: 5, $lt: 7 } }],
      deep: [{ memory: { user: { name: 'Bob', x: { y: 0 }, nick: 'B' } } }, { 'memory.user': partial }],
      item: [{ memory }, { 'memory.list': [{ id: 1 }, { id: { $gt: 2 } }] }],
      absent: [{ memory }, { 'memory.gone': { $any: true } }],
      not_absent: [{ memory }, { 'memory.gone': { $not: 5 } }],
      present: [{ memory }, { 'memory.none': { $absent: true } }],
      data: [{ memory: { q: { $set: { a: 1 } } } }, { 'memory.q': { $set: { a: 1 } } }],
    }),
    'b.test.json': JSON.stringify([
      { id: 'strict', ...strict({ a: { $gte: 5 }, b: { $absent: true } }, { memory: { a: 5 } }) },
      { id: 'strict_fails', ...strict({ a: { $gte: 5 }, b: 1 }, { memory: { a: 4, b: 1 } }) },
    ]),
    'c.eval.yaml': JSON.stringify({
      evalcases: Object.entries(evals).map(([id, [reply, own]]) => ({
        id,
        input: JSON.stringify(reply),
        ...own,
      })),
    }),
  });
  expect(verdicts).toEqual({
    holds: 'passed',
    number: 'failed | expected less than 7, got 7',
    deep: 'failed | name: expected matching the pattern "^A", got "Bob"; x.y: expected at least 1, got 0; nick: expected absent, got "B"',
    item: 'failed | expected [{"id": 1}, {"id": {"$gt": 2}}], got [{"id": 1}, {"id": 2}]',
    absent: 'failed | expected any value, got absent',
    not_absent: 'failed | expected not 5, got absent',
    present: 'failed | expected absent, got null',
    data: 'passed',
    strict: 'passed',
    strict_fails: 'failed | memory.a: expected at least 5, got 4',
    match: 'passed',
    no_match: 'failed | total: expected more than 5, got 3',
    whole: 'passed',
    whole_json: 'passed',
    call: 'failed | tool_calls[0].input.sum is 12, which does not match {$gte: 13}',
    fields: 'failed | 2 of 3 fields are right: id is "x1", which does not match {$regex: "^y"}',
    dated:
      'error | id: the expected value is a matcher, which `match: date` cannot compare: write match: exact',
    args: 'passed',
    other_args:
      'failed | 0 of 1 claims about the tool calls pass: pay was called with other arguments: to.name is "Ann", which does not match {$not: "Ann"}',
    by_key:
      'failed | 0 of 1 claims about the tool calls pass: pay was called with other arguments: to.iban is "DE1", which does not match {$regex: "^FR"}',
    memory: 'failed | expected one of 6, 8, got 7',
    endless: expect.stringMatching(/^error \| memory could not be evaluated/),
  });
  // A matcher that holds is not a difference.
  expect(output).toContain('match: total: expected more than 5, got 3\n\n');
});

test('`assay check` satisfies and breaks every matcher', async () => {
  const cwd = project({
    'a.eval.yaml': JSON.stringify({
      evalcases: [
        {
          id: 'content',
          input: 'x',
          expected_output: {
            any: { $any: true },
            gone: { $absent: true },
            type: { $type: 'string' },
            regex: { $regex: '^\\d{4}-\\d\\d$' },
            contains: { $contains: 'Berlin' },
            item: { $contains: { $gte: 3 } },
            between: { $gt: 0, $lt: 0.5 },
            range: { $gte: 5, $lte: 6 },
            approx: { $approx: 3.14, within: 0.01 },
            one: { $oneOf: ['a', { $type: 'number' }] },
            not: { $not: 'bad' },
            length: { $length: 3 },
            partial: { $partial: { user: { name: { $regex: 'A' }, tags: [{ $any: true }] } } },
            each: { $each: { id: { $type: 'integer' } }, $length: { $gte: 2 } },
            literal: { $literal: { $gte: 5 } },
            maybe: { $oneOf: [{ $absent: true }, 5] },
          },
          evaluators: [{ type: 'match' }],
        },
        {
          id: 'text',
          input: 'x',
          expected_output: { $regex: '^Booked \\d+' },
          evaluators: [{ type: 'match' }],
        },
        {
          id: 'calls',
          input: 'x',
          evaluators: [
            {
              type: 'tool_trajectory',
              mode: 'exact',
              required: true,
              expected: [
                { tool: 'a', args: { q: { $regex: '^b' }, n: { $gte: 1, $lt: 3 } } },
                { tool: 'b', args: { $partial: { x: { y: { $any: true } } } } },
                { tool: 'c', args: { q: { $type: 'string' }, r: { $type: 'number' } }, args_match: 'subset' },
                { tool: 'd', args: { q: { $type: 'string' }, r: { $type: 'number' } }, args_match: ['r'] },
                { tool: 'e', args: { q: { z: { $not: 1 } } }, args_match: 'deep_partial' },
                { tool: 'f', args: { q: { $oneOf: ['x', 'y'] } }, args_match: 'exact' },
              ],
            },
            {
              type: 'tool_trajectory',
              mode: 'superset',
              required: true,
              expected: [{ tool: 'a', args: { n: { $lte: 2 } } }],
            },
            { type: 'memory', path: 'a', equals: { $oneOf: [1, 2] }, required: true },
            { type: 'memory', path: 'a', equals: { $gt: 1 }, required: true },
            { type: 'memory', path: 'b', equals: { $gte: 2 }, negate: true, required: true },
          ],
        },
        {
          id: 'fields',
          input: 'x',
          expected_output: { total: { $gte: 5 }, id: { $regex: '^x' }, none: { $absent: true } },
          evaluators: [
            {
              type: 'field_accuracy',
              fields: ['total', 'id', 'none'].map((path) => ({ path, match: 'exact' })),
            },
          ],
        },
      ],
    }),
    'b.test.json': stepTests({
      claims: [
        {},
        {
          'output.includes': 'yes please',
          'output.not_includes': 'sorry',
          'output.not_matches': '^Err',
          'output.not_equals': 'ok',
          'tools_used.includes': ['book', 'search'],
          'tools_used.excludes': ['delete'],
          'tools_used.in_order': ['search', 'book'],
          'memory.any': { $any: true },
          'memory.gone': { $absent: true },
          'memory.n': { $gte: 5, $lt: 10 },
          'memory.user': { $partial: { name: { $any: true }, nick: { $absent: true } } },
        },
      ],
    }),
    'c.test.yaml':
      'input: x\nexpected: { output: hi, memory: { a: { $gte: 5 }, b: { c: { $absent: true } } } }\n',
  });
  const { stdout, exitCode } = await runCli(['check', '--json'], { cwd });
  const { findings, summary } = JSON.parse(stdout) as {
    findings: unknown[];
    summary: Record<string, number>;
  };
  expect(findings).toEqual([]);
  expect(summary).toMatchObject({ tests: 6, checked: 6, unchecked: 0, problems: 0 });
  // One reply for each of the matchers at least.
  expect(summary['replies']).toBeGreaterThan(60);
  expect(exitCode).toBe(0);
});

test('`assay check` distinguishes a negative that can fail from one that cannot', async () => {
  const negative = (id: string, expected: string): string =>
    `  - { id: ${id}, input: x, expected_output: ${expected}, evaluators: [{ type: match }] }\n`;
  const cwd = project({
    'a.eval.yaml': `cases:\n${[
      negative('text', '{ $not: cancelled }'),
      negative('number', '{ $not: { $type: number } }'),
      negative('pattern', '{ $not: { $regex: sorry } }'),
      negative('absent', '{ $not: { $absent: true } }'),
      negative('either', '{ $oneOf: ["5", { $not: "5" }] }'),
    ].join('')}`,
  });
  const { stdout } = await runCli(['check', '--json'], { cwd });
  const { findings } = JSON.parse(stdout) as { findings: { code: string; line: number }[] };
  const lines = findings.filter(({ code }) => code === 'cannot_fail').map(({ line }) => line);
  expect(lines).toEqual([5, 6]);
});

test('a matcher that nothing can match is reported at its place before anything runs, in every format', async () => {
  const cwd = project({
    'a.test.yaml': 'input: x\nassert:\n  memory.a:\n    b: { $gte: 5, $lt: 1 }\n  memory.c: { $regx: x }\n',
    'b.eval.yaml': `evalcases:
  - id: a
    input: x
    expected_output: { total: { $regex: '(' } }
    evaluators:
      - type: tool_trajectory
        mode: exact
        expected: [{ tool: s, args: { q: { regex: x }, n: { $gte: 1, $max: 2 } } }]
      - { type: memory, path: a, equals: { $type: text } }
`,
    'dataset.jsonl':
      '{"id":"a","input":"x","expected_output":{"n":{"$length":-1}},"evaluators":[{"type":"match"}]}\n',
  });
  const { stdout, exitCode } = await runCli(['validate', '--json'], { cwd });
  const { findings } = JSON.parse(stdout) as {
    findings: { severity: string; code: string; file: string; line: number; column: number }[];
  };
  expect(
    findings.map(({ severity, code, file, line, column }) => `${file}:${line}:${column} ${severity} ${code}`),
  ).toEqual([
    'a.test.yaml:4:8 error unsatisfiable_matcher',
    'a.test.yaml:5:15 warning unknown_matcher',
    'b.eval.yaml:4:41 error pattern',
    'b.eval.yaml:8:44 warning not_a_matcher',
    'b.eval.yaml:8:70 error mixed_matchers',
    'b.eval.yaml:9:51 error value',
    'dataset.jsonl:1:57 error range',
  ]);
  expect(exitCode).toBe(2);
});

test('a `$name` that is not a matcher is an error where it is negated: nearly every value would pass', async () => {
  const cwd = project({
    'a.eval.yaml': `tests:
  - { id: a, input: x, assert: [{ type: memory, path: user, equals: { $foo: 1 }, negate: true }] }
  - { id: b, input: x, assert: [{ type: not-memory, path: user, equals: { a: [{ $startsWith: A }] } }] }
  - { id: c, input: x, expected_output: { name: { $foo: 1 } }, assert: [{ type: match, negate: true }] }
  - { id: d, steps: [{ input: x, expected_output: { $foo: 1 }, assert: [{ type: not-match }] }] }
  - { id: data, input: x, expected_output: { $ref: 1 }, assert: [{ type: match }] }
  - { id: literal, input: x, assert: [{ type: memory, path: a, equals: { $literal: { $foo: 1 } }, negate: true }] }
`,
  });
  const { stdout } = await runCli(['validate', '--json'], { cwd });
  const { findings } = JSON.parse(stdout) as { findings: { code: string; line: number }[] };
  expect(findings.map(({ code, line }) => `${line} ${code}`)).toEqual(
    [2, 3, 4, 5].map((line) => `${line} unknown_matcher`),
  );
});

test('--update keeps matchers, and says which it does not overwrite', async () => {
  const reply = (memory: object) => `'${JSON.stringify({ output: 'ok', tools_used: [], memory })}'`;
  const before = `- id: fails
  memory: {}
  input: ${reply({ n: 3 })}
  assert: { memory.n: { $gte: 5 } }
- id: beside
  memory: {}
  input: ${reply({ user: { id: 'x', n: 3 } })}
  assert: { memory.user: { id: { $any: true }, n: 2 } }
- id: deep
  memory: {}
  input: ${reply({ user: { id: 'x', m: 3 } })}
  assert: { memory.user: { id: { $any: true }, n: 2 } }
- id: strict
  memory: {}
  input: ${reply({ a: 1, b: 2 })}
  expected: { output: no, memory: { a: { $gte: 1 }, b: 2 } }
- id: lookalike
  memory: {}
  input: ${reply({ q: { $gte: 5 } })}
  assert: { memory.q: 1 }
`;
  const cwd = project({ 'a.test.yaml': before.replace('output: no', "output: 'no'") });
  const { stderr } = await runCli(['run', '--agent', './agent.mjs', '--update'], { cwd });
  const after = readFileSync(join(cwd, 'a.test.yaml'), 'utf8');
  expect(after).toBe(
    before.replace('n: 2 } }\n- id: deep', 'n: 3 } }\n- id: deep').replace('output: no', "output: 'ok'"),
  );
  expect(stderr).toContain('it contains the matcher `$gte`: change it by hand');
  expect(stderr).toContain('it contains the matcher `$any`: change it by hand');
  expect(stderr).toContain('the value would be read as the matcher `$gte`: write it with {$literal: ...}');
});

test('`tool_calls: []` in an expected message means that no tool is called', async () => {
  const expected_messages = [{ role: 'assistant', content: 'ok', tool_calls: [] }] as const;
  const on = (reply: object) =>
    measure({ type: 'match' }, { expected_messages, reply: { output: 'ok', ...reply } });
  expect(await on({ tool_calls: [{ tool: 'pay' }] })).toMatchObject({
    score: 0,
    message: 'tool_calls[0] is not expected, got {"tool":"pay"}',
  });
  expect((await on({ tools_used: [] })).score).toBe(1);
  expect((await on({ tools_used: ['pay'] })).score).toBe(0);
  expect(await errorOf({ type: 'match' }, { expected_messages, reply: { output: 'ok' } })).toContain(
    'tool calls',
  );
  // Without the list, calls are not compared.
  const given = { expected_messages: answer('ok'), reply: { output: 'ok', tool_calls: [{ tool: 'pay' }] } };
  expect((await measure({ type: 'match' }, given)).score).toBe(1);
});

test('details of a call that the agent did not report are unknown, not absent', async () => {
  const on = (call: object, made: object) => {
    const expected_messages = [{ role: 'assistant', tool_calls: [{ tool: 'pay', ...call }] }] as const;
    return [{ type: 'match' }, { expected_messages, reply: { output: '', tool_calls: [made] } }] as never;
  };
  const errorOn = (...of: readonly [object, object]) => errorOf(...(on(...of) as Parameters<typeof errorOf>));
  const maybe = { $oneOf: [{ $absent: true }, 'x'] };
  expect(await errorOn({ output: { $absent: true } }, { tool: 'pay' })).toContain(
    'did not report the results',
  );
  expect(await errorOn({ output: maybe }, { tool: 'mcp__bank__pay' })).toContain(
    'did not report the results',
  );
  expect(await errorOn({ input: { $absent: true } }, { tool: 'pay', output: 1 })).toContain('the arguments');
  const outcome = await measure(
    ...(on({ output: { $absent: true } }, { tool: 'pay', output: 1 }) as Parameters<typeof measure>),
  );
  expect(outcome.score).toBe(0);
});

test('a matcher in place of a whole answer is compared with its text or its JSON', async () => {
  const score = async (expected: Json, output: string): Promise<number> =>
    (await measure({ type: 'match' }, { expected_messages: answer(expected), reply: { output } })).score;
  expect(await score({ $regex: '^4' }, '42')).toBe(1);
  expect(await score({ $oneOf: ['yes', 'no'] }, 'no')).toBe(1);
  expect(await score({ $oneOf: ['yes', 'no'] }, 'no!')).toBe(0);
  expect(await score({ $contains: 'Ann' }, '{"name": "Ann"}')).toBe(1);
  expect(await score({ $contains: 'Ann' }, '["Bob", "Ann"]')).toBe(1);
  expect(await score({ $contains: 'An' }, '["Bob", "Ann"]')).toBe(0);
  expect(await score({ $gte: 5 }, '```json\n7\n```')).toBe(1);
  expect(await score({ $gte: 5 }, 'seven')).toBe(0);
  expect(await score({ $not: 5 }, '5')).toBe(0);
  expect(await score({ $not: { $type: 'string' } }, 'text')).toBe(0);
  expect(await score({ $each: { $type: 'integer' } }, '[1, 2]')).toBe(1);
});

test('JSON in the text of an expected message is not read as matchers', async () => {
  const fields = [{ path: 'q', match: 'exact' }];
  const on = (output: string) =>
    measure(
      { type: 'field_accuracy', fields },
      { expected_messages: answer('{"q": {"$gte": 5}}'), reply: { output } },
    );
  expect((await on('{"q": 7}')).score).toBe(0);
  expect((await on('{"q": {"$gte": 5}}')).score).toBe(1);
  const expected_messages = [
    { role: 'assistant', tool_calls: [{ tool: 'find', arguments: '{"q": {"$gte": 5}}' }] },
  ] as const;
  const calls = (q: unknown) =>
    measure(
      { type: 'match' },
      { expected_messages, reply: { output: '', tool_calls: [{ tool: 'find', input: { q } as never }] } },
    );
  expect((await calls(7)).score).toBe(0);
  expect((await calls({ $gte: 5 })).score).toBe(1);
});
