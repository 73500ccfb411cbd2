import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CASE_LINE, createTempFolder, STEP_TEST } from '../formats/temp-folder.ts';
import { runCli, runCliIn } from './run-cli.ts';

const GOOD = { 'a.test.yaml': STEP_TEST };
const BAD = { 'b.test.yaml': 'input: x\n' };

/** Lets cases without evaluators be judged: a missing judge would be another warning. */
const JUDGE = {
  'assay.config.yaml': 'judge: j\ntargets: [{ name: j, provider: mock, response: { score: 1 } }]\n',
};

const frame = async (name: string, text: string): Promise<string> => {
  const { stdout, stderr, exitCode } = await runCli({ ...JUDGE, [name]: text }, ['validate']);
  expect(stderr).toBe('');
  expect(exitCode).toBe(2);
  return stdout;
};

describe('what a person sees', () => {
  test('a misspelled key', async () => {
    expect(
      await frame(
        'a.eval.yaml',
        'evalcases:\n  - id: a\n    input: hi\n    expected_outcome: G\n    evalautors:\n      - { type: contains, value: x }\n',
      ),
    ).toMatchInlineSnapshot(`
      "a.eval.yaml:5:5 error an eval case has no field \`evalautors\` (unknown_field)
        3 |     input: hi
        4 |     expected_outcome: G
      > 5 |     evalautors:
          |     ^^^^^^^^^^
        6 |       - { type: contains, value: x }
        hint: did you mean \`evaluators\`?

      ✗ 1 file, 0 tests: 1 error
      "
    `);
  });

  test('a tab', async () => {
    expect(await frame('a.test.yaml', 'steps:\n\t- input: x\n')).toMatchInlineSnapshot(`
      "a.test.yaml:2:1 error a tab cannot indent YAML (yaml_syntax)
        1 | steps:
      > 2 | →- input: x
          | ^^^^^^^^^^^
        hint: indent with spaces

      ✗ 1 file, 0 tests: 1 error
      "
    `);
  });

  test('a missing quote', async () => {
    expect(
      await frame(
        'a.test.yaml',
        'steps:\n  - input: "Book a flight\n    assert:\n      output.includes: Berlin\n',
      ),
    ).toMatchInlineSnapshot(`
      "a.test.yaml:2:12 error a quote that is not closed (yaml_syntax)
        1 | steps:
      > 2 |   - input: "Book a flight
          |            ^^^^^^^^^^^^^^
        3 |     assert:
        hint: add the closing "

      ✗ 1 file, 0 tests: 1 error
      "
    `);
  });

  test('a colon in a plain value', async () => {
    expect(
      await frame(
        'a.test.yaml',
        'steps:\n  - input: Answer this: why\n    assert:\n      output.includes: x\n',
      ),
    ).toMatchInlineSnapshot(`
      "a.test.yaml:2:23 error ": " inside a value without quotes (yaml_syntax)
        1 | steps:
      > 2 |   - input: Answer this: why
          |                       ^^^^^
        3 |     assert:
        hint: put the value in quotes

      ✗ 1 file, 0 tests: 1 error
      "
    `);
  });

  test('a wrong type', async () => {
    expect(await frame('a.test.yaml', 'steps:\n  - input: 42\n    assert:\n      output.includes: [a]\n'))
      .toMatchInlineSnapshot(`
        "a.test.yaml:2:12 error \`input\` must be text, but is the number 42 (type)
          1 | steps:
        > 2 |   - input: 42
            |            ^^
          3 |     assert:
          hint: put it in quotes

        a.test.yaml:4:24 error \`output.includes\` must be text, but is a list (type)
          2 |   - input: 42
          3 |     assert:
        > 4 |       output.includes: [a]
            |                        ^^^

        ✗ 1 file, 0 tests: 2 errors
        "
      `);
  });

  test('a duplicate id', async () => {
    expect(
      await frame(
        'a.eval.yaml',
        'cases:\n  - { id: one, input: x, outcome: G }\n  - { id: one, input: y, outcome: G }\n',
      ),
    ).toMatchInlineSnapshot(`
      "a.eval.yaml:3:11 error the id "one" is already used on line 2 (duplicate_id)
        1 | cases:
        2 |   - { id: one, input: x, outcome: G }
      > 3 |   - { id: one, input: y, outcome: G }
          |           ^^^
        hint: give each test its own id

      ✗ 1 file, 1 test: 1 error
      "
    `);
  });

  test('a bad line of a dataset', async () => {
    expect(await frame('dataset.jsonl', `${CASE_LINE}\r\n{"id": "b", "input": "q", "outcome": }\r\n`))
      .toMatchInlineSnapshot(`
      "dataset.jsonl:2:38 error Line 2: Invalid JSON: expected a value, but found "}" (json)
      > 2 | {"id": "b", "input": "q", "outcome": }
          |                                      ^

      ✗ 1 file, 1 test: 1 error
      "
    `);
  });

  test('a long line is cut around the place', async () => {
    const line = `{"id":"a","outcome":"G","pad":"${'x'.repeat(300)}","input":5,"more":"${'y'.repeat(300)}"}`;
    expect(await frame('dataset.jsonl', line)).toMatchInlineSnapshot(`
      "dataset.jsonl:1:25 warning an eval case has no field \`pad\` (unknown_field)
      > 1 | {"id":"a","outcome":"G","pad":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
          |                         ^^^^^
        hint: the fields are \`id\`, \`expected_outcome\`, \`outcome\`, \`criteria\`, \`input_messages\`, \`input\`, \`expected_messages\`, \`expected_output\`, \`steps\`, \`memory\`, \`conversation_id\`, \`execution\`, \`evaluators\`, \`assertions\`, \`assert\`, \`targets\`, \`providers\`, \`evaluator\`, \`rubrics\`, \`threshold\`, \`vars\`, \`each\`, \`metadata\`, \`description\`, \`tags\`, \`skip\`, \`only\`, \`limits\`, \`approvals\`, \`stop_after\`, \`faults\`, \`repeats\`, \`pass_at_least\`, \`workspace\`, \`setup\`, \`teardown\`, \`environment\`, \`timeouts\`

      dataset.jsonl:1:342 error \`input\` must be text, a message or a list of messages, but is the number 5 (type)
      > 1 | …xxxxxxxxxxxxxxxxxxxx","input":5,"more":"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…
          |                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        hint: put it in quotes

      dataset.jsonl:1:344 warning an eval case has no field \`more\` (unknown_field)
      > 1 | …xxxxxxxxxxxxxxxxxx","input":5,"more":"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…
          |                                ^^^^^^
        hint: the fields are \`id\`, \`expected_outcome\`, \`outcome\`, \`criteria\`, \`input_messages\`, \`input\`, \`expected_messages\`, \`expected_output\`, \`steps\`, \`memory\`, \`conversation_id\`, \`execution\`, \`evaluators\`, \`assertions\`, \`assert\`, \`targets\`, \`providers\`, \`evaluator\`, \`rubrics\`, \`threshold\`, \`vars\`, \`each\`, \`metadata\`, \`description\`, \`tags\`, \`skip\`, \`only\`, \`limits\`, \`approvals\`, \`stop_after\`, \`faults\`, \`repeats\`, \`pass_at_least\`, \`workspace\`, \`setup\`, \`teardown\`, \`environment\`, \`timeouts\`

      ✗ 1 file, 0 tests: 1 error, 2 warnings
      "
    `);
  });

  test('wide characters and tabs before the place', async () => {
    expect(await frame('a.eval.yaml', 'cases: [{ id: "日本😀\t", outcome: G, input: 5 }]\n'))
      .toMatchInlineSnapshot(`
        "a.eval.yaml:1:42 error \`input\` must be text, a message or a list of messages, but is the number 5 (type)
        > 1 | cases: [{ id: "日本😀→", outcome: G, input: 5 }]
            |                                             ^
          hint: put it in quotes

        ✗ 1 file, 0 tests: 1 error
        "
      `);
  });

  test('no problems', async () => {
    expect(await runCli(GOOD, ['validate'])).toEqual({
      stdout: '✓ 1 file, 1 test: no problems\n',
      stderr: '',
      exitCode: 0,
    });
  });
});

describe('exit codes', () => {
  test('warnings give 0, and 2 with --strict', async () => {
    const files = { ...JUDGE, 'a.eval.yaml': 'cases: [{ id: a, input: x, outcome: G, notes: y }]' };
    const lax = await runCli(files, ['validate']);
    expect(lax.exitCode).toBe(0);
    expect(lax.stdout).toMatch(/1 file, 1 test: 1 warning\n$/);
    const strict = await runCli(files, ['validate', '--strict']);
    expect(strict.exitCode).toBe(2);
    expect(strict.stdout).toMatch(/1 file, 1 test: 1 error\n$/);
  });

  test('errors give 2, and the other files are still read', async () => {
    const files = { ...JUDGE, ...GOOD, ...BAD, 'c.test.jsonl': `{\n${CASE_LINE}\n` };
    const { stdout, exitCode } = await runCli(files, ['validate']);
    expect(exitCode).toBe(2);
    expect(stdout).toMatch(/✗ 3 files, 2 tests: 2 errors\n$/);
  });

  test('finding nothing gives 2, unless --pass-with-no-tests', async () => {
    const nothing = await runCli({ 'readme.md': '' }, ['validate']);
    expect(nothing.exitCode).toBe(2);
    expect(nothing.stdout).toContain('no suites found here');
    expect(nothing.stdout).toContain('hint: suites are found by name');
    expect((await runCli({}, ['validate', '--pass-with-no-tests'])).exitCode).toBe(0);
    expect(JSON.parse((await runCli({}, ['validate', '--json'])).stdout)).toMatchObject({
      findings: [{ code: 'no_suites' }],
      summary: { files: 0, errors: 1 },
    });
  });

  test('an argument that matches nothing gives 2 and a hint', async () => {
    const { stdout, exitCode } = await runCli({ 'booking.test.yaml': STEP_TEST }, [
      'validate',
      'boking.test.yaml',
    ]);
    expect(exitCode).toBe(2);
    expect(stdout).toContain('"boking.test.yaml" is not a file or folder');
    expect(stdout).toContain('did you mean "booking.test.yaml"?');
  });
});

describe('paths', () => {
  const files = { 'x/one.test.yaml': STEP_TEST, 'x/two.test.yaml': STEP_TEST, 'y/plain.yaml': STEP_TEST };
  const count = async (...args: string[]) =>
    /(\d+) file/.exec((await runCli(files, ['validate', ...args])).stdout)?.[1];

  test('a folder, a file, a glob, a part of a name', async () => {
    expect(await count()).toBe('2');
    expect(await count('x')).toBe('2');
    expect(await count('y/plain.yaml')).toBe('1');
    expect(await count('**/*.yaml')).toBe('3');
    expect(await count('tw')).toBe('1');
    expect(await count('x/two')).toBe('1');
    expect(await count('x', 'x/one.test.yaml', './x')).toBe('2');
  });
});

describe('--json', () => {
  test('prints findings with all their fields and a summary', async () => {
    const { stdout, exitCode } = await runCli(
      { ...JUDGE, ...BAD, 'c.eval.yaml': 'cases:\n  - { id: a, input: x, outcome: G, inptu: y }\n' },
      ['validate', '--json'],
    );
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toEqual({
      findings: [
        {
          severity: 'error',
          code: 'no_checks',
          message: expect.any(String),
          hint: expect.any(String),
          file: 'b.test.yaml',
          line: 1,
          column: 1,
          path: '',
        },
        {
          severity: 'warning',
          code: 'unknown_field',
          message: expect.any(String),
          hint: 'did you mean `input`?',
          file: 'c.eval.yaml',
          line: 2,
          column: 36,
          path: 'cases[0].inptu',
        },
      ],
      summary: { files: 2, tests: 1, errors: 1, warnings: 1 },
    });
  });

  test('is JSON even without findings, and never has colours', async () => {
    const { stdout } = await runCli(GOOD, ['validate', '--json'], { env: { FORCE_COLOR: '1' } });
    expect(JSON.parse(stdout)).toEqual({
      findings: [],
      summary: { files: 1, tests: 1, errors: 0, warnings: 0 },
    });
  });

  test('contains every bad line of a dataset', async () => {
    const lines = Array.from({ length: 3000 }, (_, index) =>
      index % 3 === 0 ? '{' : CASE_LINE.replace('"a"', `"${index}"`),
    );
    const { findings, summary } = JSON.parse(
      (await runCli({ ...JUDGE, 'dataset.jsonl': lines.join('\n') }, ['validate', '--json'])).stdout,
    ) as { findings: { line: number }[]; summary: unknown };
    expect(findings.map(({ line }) => line)).toEqual(
      Array.from({ length: 1000 }, (_, index) => index * 3 + 1),
    );
    expect(summary).toEqual({ files: 1, tests: 2000, errors: 1000, warnings: 0 });
  });
});

const coloured = async (env: Record<string, string>) => (await runCli(BAD, ['validate'], { env })).stdout;

describe('colours', () => {
  const escape = '\u001b[';

  test('FORCE_COLOR turns them on; a pipe and NO_COLOR turn them off', async () => {
    expect(await coloured({})).not.toContain(escape);
    expect(await coloured({ NO_COLOR: '1' })).not.toContain(escape);
    expect(await coloured({ FORCE_COLOR: '0' })).not.toContain(escape);
    expect(await coloured({ FORCE_COLOR: '1' })).toContain(escape);
  });
});

const isHarmless = (text: string): void => {
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  expect(text).not.toMatch(/^\s*::/m);
  expect(text).not.toContain('##[');
};

describe('hostile text', () => {
  // Text of a file must not move the cursor, start a new line, or act as a CI command.
  const ATTACK = '\u001b[2J\u0007\u202e\u009b31m\n::error::pwned\r\n##[error]pwned';

  test('in keys, values, ids, roles and types', async () => {
    const key = JSON.stringify(ATTACK);
    const lines = [
      `{"id":${key},"outcome":"G","input":"q",${key}:1}`,
      `{"id":${key},"outcome":"G","input":"q"}`,
      `{"id":"b","outcome":"G","input":[{"role":${key},"content":"q"}],"evaluators":[{"type":${key}}],"skip":5}`,
      ATTACK,
    ];
    const { stdout, exitCode } = await runCli(
      {
        'dataset.jsonl': lines.join('\n'),
        'a.test.yaml': `input: x\nassert: { ${key}: 1, "memory.${'x'}": ${key} }\n`,
      },
      ['validate'],
    );
    expect(exitCode).toBe(2);
    expect(stdout).toContain('pwned');
    isHarmless(stdout);
  });

  test('in file names', async () => {
    const folder = createTempFolder({
      '::error::x.test.yaml': 'input: x',
      'a\u001b[2Jb\n::error::y.test.yaml': 'input: x',
    });
    symlinkSync('nowhere', join(folder, 'c\u202e.test.yaml'));
    const { stdout } = await runCliIn(folder, ['validate']);
    isHarmless(stdout);
    isHarmless((await runCliIn(folder, ['validate', '\u001b[2Jnope\n::error::z'])).stdout);
  });

  test('a line of 30 MB does not make the code frame fail', async () => {
    const { stdout, exitCode } = await runCli(
      { 'dataset.jsonl': `{"id":"a","outcome":"G","input":"${'😀'.repeat(7_500_000)}" ]` },
      ['validate'],
    );
    expect(exitCode).toBe(2);
    expect(stdout.length).toBeLessThan(1000);
    expect(stdout).toContain('> 1 | …');
  });
});
