import { afterEach, describe, expect, test } from 'vitest';
import { createProject, runCli, type CliResult } from '../project.ts';

const projects: { remove(): void }[] = [];
afterEach(() => {
  for (const project of projects.splice(0)) project.remove();
});

interface Checked {
  readonly result: CliResult;
  /** `line code`, in the order in which they came. */
  readonly found: readonly string[];
  readonly json: {
    readonly findings: readonly {
      code: string;
      line: number;
      column: number;
      message: string;
      file: string;
    }[];
    readonly summary: Readonly<Record<string, number>>;
    readonly not_checked: readonly { kind: string; reason: string; assertions: number; first: object }[];
    readonly exit_code: number;
  };
}

async function check(
  files: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Checked> {
  const project = createProject(files);
  projects.push(project);
  const result = await runCli(['check', ...args, '--json'], { cwd: project.path });
  const json = JSON.parse(result.stdout) as Checked['json'];
  return { result, json, found: json.findings.map(({ line, code }) => `${line} ${code}`) };
}

/** Cases of an eval file, one per line from line 2 on. */
function cases(...lines: readonly object[]): Readonly<Record<string, string>> {
  const text = lines.map(
    (own, index) => `  - ${JSON.stringify({ id: `c${index + 1}`, input: `x${index}`, ...own })}\n`,
  );
  return { 'a.eval.yaml': `evalcases:\n${text.join('')}` };
}

const GOOD = `- id: booking
  input: Book it
  assert:
    output.includes: booked
    output.matches: '[A-Z]{2}\\d{3}'
    tools_used: [search, book]
    memory.user.city: Berlin
- id: strict
  steps:
    - input: hi
      expected: { output: hello, tools_used: [greet], memory: { seen: true } }
    - input: bye
      assert: { output.equals: 'see you', memory.seen: true }
`;

describe('a suite that can pass and fail', () => {
  test('has no problems, and exit code 0', async () => {
    const { result, json } = await check({ 'a.test.yaml': GOOD });
    expect(json.findings).toEqual([]);
    expect(json.summary).toMatchObject({ tests: 2, checked: 2, assertions: 7, problems: 0 });
    expect(result.exitCode).toBe(0);
  });

  test('is reported to people in one line', async () => {
    const project = createProject({ 'a.test.yaml': GOOD });
    projects.push(project);
    const { stdout, exitCode } = await runCli(['check'], { cwd: project.path });
    expect(stdout).toBe('✓ 2 tests with 7 assertions checked with 6 replies: no problems\n');
    expect(exitCode).toBe(0);
  });

  test('the oracle satisfies every kind of deterministic assertion', async () => {
    const schema = {
      type: 'object',
      required: ['a', 'list'],
      properties: {
        a: { type: 'integer', minimum: 5 },
        list: { type: 'array', minItems: 2, items: { $ref: '#/$defs/word' } },
        kind: { enum: ['x', 'y'] },
        code: { type: 'string', pattern: '^[a-z]{3}-\\d+$' },
      },
      additionalProperties: false,
      $defs: { word: { type: 'string', minLength: 3 } },
    };
    const { json, found } = await check(
      cases(
        { evaluators: [{ type: 'equals', value: 'y' }] },
        {
          evaluators: [
            { type: 'icontains', value: 'Yes' },
            { type: 'contains_any', value: ['p', 'q'] },
          ],
        },
        {
          evaluators: [
            { type: 'contains_all', value: ['one', 'two'] },
            { type: 'starts_with', value: 'On' },
          ],
        },
        {
          evaluators: [
            { type: 'ends_with', value: 'end' },
            { type: 'starts_with', value: 'start' },
          ],
        },
        { evaluators: [{ type: 'regex', value: '^(a|b)+\\s[^a-z]{2}(?P<n>\\d)(?P=n)$' }] },
        { evaluators: [{ type: 'regex', value: '^\\d{2}$', dialect: 'js', flags: 'm' }] },
        { evaluators: [{ type: 'is_json', schema }] },
        { expected_output: { a: 1, b: { c: [1, '2026-01-02'] } }, evaluators: [{ type: 'match' }] },
        {
          expected_output: { a: 1, b: { c: [1] } },
          evaluators: [{ type: 'field_accuracy', fields: [{ path: 'b.c[0]', match: 'exact' }] }],
        },
        {
          expected_messages: [
            { role: 'assistant', content: 'let me see', tool_calls: [{ tool: 'look', args: { q: 1 } }] },
            { role: 'assistant', content: 'done' },
          ],
          evaluators: [{ type: 'match' }],
        },
        {
          evaluators: [
            {
              type: 'tool_trajectory',
              mode: 'unordered',
              expected: [{ tool: 'a', args: { q: 1 }, max_duration_ms: 9 }, { tool: 'b' }],
              minimums: { b: 1 },
            },
            { type: 'tool_trajectory', mode: 'in_order', expected: [{ tool: 'a' }] },
          ],
        },
        {
          evaluators: [
            { type: 'memory', path: 'a.b', matches: '^x+$' },
            { type: 'memory', path: 'c', exists: true },
          ],
        },
        {
          evaluators: [
            {
              type: 'composite',
              evaluators: [
                { type: 'contains', value: 'x' },
                { type: 'regex', value: '^y' },
              ],
            },
          ],
        },
      ),
    );
    expect({ found, unchecked: json.not_checked }).toEqual({ found: [], unchecked: [] });
  });

  test('a forbidden thing is detected by adding it', async () => {
    const only = (...evaluators: readonly object[]) => ({
      evaluators: [{ type: 'equals', value: 'fine', required: true }, ...evaluators],
    });
    const { found } = await check(
      cases(
        only({ type: 'contains', value: 'password', negate: true }),
        only({ type: 'equals', value: 'password', negate: true }),
        only({ type: 'tool_trajectory', forbidden: ['delete'], maximums: { look: 3 }, max_calls: 5 }),
        only({ type: 'tool_trajectory', max_calls: 500 }),
        only({ type: 'memory', path: 'a.b', exists: false }),
        only(
          { type: 'latency', threshold: 1000 },
          { type: 'cost', budget: 1 },
          { type: 'token_usage', max_output: 5 },
        ),
        only(
          { type: 'execution_metrics', max_llm_calls: 3 },
          { type: 'execution_metrics', max_tool_calls: 3 },
        ),
      ),
    );
    expect(found).toEqual([]);
  });
});

describe('tests that cannot pass', () => {
  test('are found if two assertions contradict each other, with both lines', async () => {
    const { found, json, result } = await check({
      'a.test.yaml': `- input: hi
  assert:
    output.equals: hello
    output.includes: bye
- input: hi again
  assert:
    output.equals: hello
    output.matches: ^\\d+$
- input: hi
  memory: {}
  assert:
    memory.a: 1
    memory.a.b: 2
- input: hi
  assert:
    tools_used: [a]
    tools_used_2: [b]
`,
    });
    expect(found).toEqual(['4 cannot_pass', '8 cannot_pass', '12 cannot_pass', '17 cannot_pass']);
    expect(json.findings[0]!.message).toBe(
      '"a#1" cannot pass: `output.includes` and `output.equals` (line 3) contradict each other: ' +
        'expected "bye", got "hello"',
    );
    expect(result.exitCode).toBe(1);
  });

  test('are found if something can never be measured or true', async () => {
    const { found } = await check(
      cases(
        { evaluators: [{ type: 'match' }] },
        { evaluators: [{ type: 'field_accuracy', fields: [{ path: 'a', match: 'exact' }] }] },
        { evaluators: [{ type: 'is_json', schema: 'missing.json' }] },
      ),
    );
    expect(found).toEqual(['2 cannot_pass', '3 cannot_pass', '4 cannot_pass']);
    const numbers = await check({ 'a.test.yaml': '- input: hi\n  assert:\n    tools_used: [5]\n' });
    expect(numbers.found).toEqual(['3 never_equal', '3 cannot_pass']);
  });

  /** No automaton knows what a group matched before. */
  const NOT_FOUND = [
    { type: 'regex', value: String.raw`^(a|b)(c|d)\1\2$` },
    { type: 'contains', value: 'bd' },
    { type: 'contains', value: 'db' },
  ];

  test('are not claimed if no answer was found: the test counts as not checked and gets no ✓', async () => {
    const { found, json, result } = await check(
      cases({ evaluators: NOT_FOUND }, { evaluators: [{ type: 'contains', value: 'yes' }] }),
    );
    expect(found).toEqual([]);
    expect(json.not_checked).toMatchObject([{ reason: 'no reply was found that satisfies it' }]);
    expect(json.summary).toMatchObject({ tests: 2, checked: 1, unchecked: 1 });
    expect(result.exitCode).toBe(3);
    const project = createProject(
      cases({ evaluators: NOT_FOUND }, { evaluators: [{ type: 'contains', value: 'yes' }] }),
    );
    projects.push(project);
    const { stdout, exitCode } = await runCli(['check', '--allow-unchecked'], { cwd: project.path });
    expect(stdout).toMatch(/^\? 1 test with .* 1 test not checked: no problems in what could be checked$/m);
    expect(exitCode).toBe(0);
  });

  test('an expected answer that fails its own test is found', async () => {
    const { found, json } = await check(
      cases({ expected_output: 'Paris', evaluators: [{ type: 'contains', value: 'London' }] }),
    );
    expect(found).toEqual(['2 expected_answer_fails']);
    expect(json.findings[0]!.message).toContain('does not satisfy `contains`');
  });
});

describe('tests that cannot fail', () => {
  test('are those that an idle agent passes and those that no change breaks', async () => {
    const { found, result } = await check({
      'a.test.yaml': `- input: idle
  assert:
    tools_used: []
- input: anything
  assert:
    output.matches: .*
- input: half
  assert:
    output.includes: ''
    output.includes_2: x
`,
    });
    expect(found).toEqual(['6 always_holds', '9 always_holds', '1 idle_passes', '4 cannot_fail']);
    expect(result.exitCode).toBe(1);
  });

  test('a threshold that lets everything through is found', async () => {
    const { found } = await check(cases({ threshold: 0, evaluators: [{ type: 'contains', value: 'y' }] }));
    expect(found).toEqual(['2 threshold_zero']);
    const strict = await check(cases({ evaluators: [{ type: 'contains', value: 'x' }] }), [
      '--threshold',
      '0',
    ]);
    expect(strict.found).toEqual(['2 cannot_fail']);
  });

  test('the report shows the line', async () => {
    const project = createProject({ 'a.test.yaml': '- input: hi\n  assert:\n    output.matches: .*\n' });
    projects.push(project);
    const { stdout, exitCode } = await runCli(['check'], { cwd: project.path });
    expect(stdout).toMatchInlineSnapshot(`
      "a.test.yaml:3:21 warning this always holds: this pattern matches every text (always_holds)
        1 | - input: hi
        2 |   assert:
      > 3 |     output.matches: .*
          |                     ^^
        hint: write a pattern that some strings do not match

      a.test.yaml:1:3 error "a#1" can never fail: an agent that does nothing passes, and so do 10 changed replies (cannot_fail)
      > 1 | - input: hi
          |   ^^^^^
        2 |   assert:
        hint: assert something that a wrong answer does not have; check \`threshold\` and the weights

      ✗ 1 test with 1 assertion checked with 13 replies: 2 problems
      "
    `);
    expect(exitCode).toBe(1);
  });
});

describe('what a judge or a program decides', () => {
  test('is reported without a call and does not count as passed: exit 3 if there is nothing else', async () => {
    const { json, result } = await check({
      ...cases(
        { expected_outcome: 'good' },
        { evaluators: [{ type: 'code_judge', script: ['touch', 'ran'] }] },
      ),
      'assay.config.yaml': 'scripts: { allow: true }\n',
    });
    expect(json.not_checked).toMatchObject([
      {
        kind: 'llm_judge',
        reason: 'a judge or a program decides',
        assertions: 1,
        first: { line: 2, test: 'c1' },
      },
      { kind: 'code_judge', assertions: 1 },
    ]);
    expect(json.summary).toMatchObject({ tests: 2, checked: 0, problems: 0 });
    expect(result.exitCode).toBe(3);
  });

  test('leaves open whether a test can fail', async () => {
    const { found, json, result } = await check(
      cases({
        expected_outcome: 'good',
        evaluators: [
          { type: 'llm_judge', prompt: '{{candidate_answer}}' },
          { type: 'contains', value: 'x', negate: true },
        ],
      }),
    );
    expect(found).toEqual([]);
    expect(json.summary).toMatchObject({ checked: 0, unchecked: 1 });
    expect(result.exitCode).toBe(3);
  });

  test('a judge without influence leaves nothing open', async () => {
    const { json, result } = await check(
      cases({
        expected_outcome: 'good',
        evaluators: [
          { type: 'llm_judge', prompt: '{{candidate_answer}}', weight: 0 },
          { type: 'contains', value: 'yes' },
        ],
      }),
    );
    expect(json).toMatchObject({ not_checked: [], summary: { checked: 1, unchecked: 0 } });
    expect(result.exitCode).toBe(0);
  });
});

describe('the command', () => {
  test('checks only the selected tests and leaves out skipped ones', async () => {
    const { json } = await check(
      cases(
        { tags: ['a'], evaluators: [{ type: 'contains', value: '' }] },
        { evaluators: [{ type: 'contains', value: 'y' }] },
        { skip: true, evaluators: [{ type: 'equals', value: '' }] },
      ),
      ['-t', 'c[23]'],
    );
    expect(json.summary).toMatchObject({ tests: 2, checked: 1, skipped: 1, problems: 0 });
    expect(json.exit_code).toBe(0);
  });

  test('exits with 2 for an invalid file, a wrong option, or no test', async () => {
    const invalid = await check({ 'a.test.yaml': '- inputt: x\n', 'b.test.yaml': GOOD });
    expect(invalid.result.exitCode).toBe(2);
    expect(invalid.json.summary).toMatchObject({ checked: 2 });
    const nothing = await check({});
    expect(nothing.found).toEqual(['1 no_tests']);
    expect(nothing.result.exitCode).toBe(2);
    const project = createProject({});
    projects.push(project);
    expect(await runCli(['check', '--threshold', '2'], { cwd: project.path })).toMatchObject({ exitCode: 2 });
  });

  test('reads a dataset line by line and reports the line', async () => {
    const lines = Array.from({ length: 600 }, (_, index) =>
      JSON.stringify({
        id: `t${index}`,
        input: 'x',
        evaluators: [{ type: 'contains', value: index === 500 ? '' : `no. ${index}` }],
      }),
    );
    const { found, json } = await check({ 'dataset.jsonl': `${lines.join('\n')}\n` });
    expect(found).toEqual(['501 always_holds', '501 cannot_fail']);
    expect(json.summary).toMatchObject({ tests: 600, checked: 600 });
  });

  test('reports that `only` hides the other tests', async () => {
    const { found, result } = await check(
      cases(
        { only: true, evaluators: [{ type: 'contains', value: 'y' }] },
        { evaluators: [{ type: 'contains', value: 'z' }] },
      ),
    );
    expect(found).toEqual(['1 only_set']);
    expect(result.exitCode).toBe(1);
  });

  test('reports a problem of an evaluator for the whole file once', async () => {
    const { found, json } = await check({
      'a.eval.yaml': `evaluators:
  - { type: contains, value: yes }
  - { type: contains, value: yes }
evalcases:
  - { id: a, input: one }
  - { id: b, input: two }
`,
    });
    expect(found).toEqual(['3 duplicate_check']);
    expect(json.findings[0]!.message).toBe('`contains#2` of "a" checks the same as `contains` (line 2)');
  });

  test('escapes hostile names', async () => {
    const project = createProject({
      'a.test.yaml': '- id: "\\e[31mred\\u202e"\n  input: hi\n  assert: { output.matches: ".*" }\n',
    });
    projects.push(project);
    const { stdout } = await runCli(['check'], { cwd: project.path });
    expect(stdout).toContain('can never fail');
    // oxlint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/[\u001b\u202e]/);
  });
});
