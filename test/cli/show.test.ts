import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { CASE_LINE, createTempFolder, STEP_TEST } from '../formats/temp-folder.ts';
import { CLI } from '../project.ts';
import { runCli } from './run-cli.ts';

const showJson = async (files: Record<string, string>, ...args: string[]) => {
  const result = await runCli(files, ['show', '--json', ...args]);
  return {
    ...result,
    model: JSON.parse(result.stdout) as {
      suites: Record<string, unknown>[];
      findings: Record<string, unknown>[];
    },
  };
};

describe('show --json', () => {
  test('prints the tests as Assay reads them', async () => {
    const { model, exitCode, stderr } = await showJson({
      'a.eval.yaml':
        'description: d\ncases:\n  - { id: a, description: e, expected_outcome: G, conversation_id: c, memory: { m: 1 }, input: q, expected_output: r }\n',
    });
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(model).toMatchObject({
      suites: [
        {
          file: 'a.eval.yaml',
          format: 'eval',
          dataset: 'a.eval',
          description: 'd',
          tests: [
            {
              id: 'a',
              description: 'e',
              expected_outcome: 'G',
              conversation_id: 'c',
              memory: { m: 1 },
              line: 3,
              column: 5,
              input_messages: [{ role: 'user', content: 'q' }],
              expected_messages: [{ role: 'assistant', content: 'r' }],
              steps: [
                {
                  input_messages: [{ role: 'user', content: 'q' }],
                  expected_messages: [{ role: 'assistant', content: 'r' }],
                  assertions: [{ kind: 'llm_judge' }],
                },
              ],
            },
          ],
        },
      ],
      findings: [],
    });
  });

  test('prints the tests that could be read, and the findings', async () => {
    const { model, exitCode } = await showJson({
      'a.test.jsonl': `${CASE_LINE}\n{"id":1}\n`,
      'b.test.yaml': 'steps: [',
      'c.test.yaml': STEP_TEST,
    });
    expect(exitCode).toBe(2);
    expect(model.suites.map(({ file, tests }) => [file, (tests as unknown[]).length])).toEqual([
      ['a.test.jsonl', 1],
      ['c.test.yaml', 1],
    ]);
    for (const finding of model.findings) {
      expect(Object.keys(finding).filter((key) => key !== 'hint')).toEqual([
        'severity',
        'code',
        'message',
        'file',
        'line',
        'column',
        'path',
      ]);
    }
    expect(model.findings.map(({ file, line }) => `${String(file)}:${String(line)}`)).toEqual([
      'a.test.jsonl:2',
      'a.test.jsonl:2',
      'a.test.jsonl:2',
      'b.test.yaml:1',
    ]);
  });

  test('prints whole numbers of any size exactly', async () => {
    const number = '123456789012345678901234567890';
    for (const [name, text] of [
      ['a.test.yaml', `input: x\nassert: { memory.n: ${number} }`],
      ['a.test.json', `{"input":"x","assert":{"memory.n":${number}}}`],
      ['a.test.jsonl', `{"id":"a","input":"x","outcome":"G","memory":{"n":${number}}}`],
    ] as const) {
      expect((await runCli({ [name]: text }, ['show', '--json'])).stdout).toContain(number);
    }
  });

  test('prints nested evaluators with only their own fields', async () => {
    const composite = { type: 'composite', evaluators: [{ type: 'contains', value: 'x' }] };
    const { model } = await showJson({
      'a.test.jsonl': JSON.stringify({ id: 'a', input: 'q', evaluators: [composite] }),
    });
    const [only] = model.suites[0]!['tests'] as {
      steps: { assertions: { parameters: { evaluators: object[] } }[] }[];
    }[];
    expect(only!.steps[0]!.assertions[0]!.parameters.evaluators).toEqual([
      {
        form: 'evaluator',
        kind: 'contains',
        name: 'contains',
        weight: 1,
        required: false,
        negate: false,
        parameters: { value: 'x' },
        line: 1,
        column: 71,
      },
    ]);
  });

  test('keeps every key as it is written', async () => {
    const { stdout } = await runCli(
      {
        'a.test.jsonl':
          '{"id":"a","input":[{"role":"user","content":"x","camelCase":1,"snake_case":2,"__proto__":{"a":1}}],"outcome":"G"}',
      },
      ['show', '--json'],
    );
    expect(stdout).toMatch(/"camelCase": 1,\s+"snake_case": 2,\s+"__proto__": \{\s+"a": 1/);
  });

  test('lone surrogates are escaped', async () => {
    const { stdout } = await runCli(
      { 'a.test.jsonl': String.raw`{"id":"a","input":"\ud83d","outcome":"G"}` },
      ['show', '--json'],
    );
    expect(stdout).toContain(String.raw`"content": "\ud83d"`);
  });

  test('finding nothing is exit code 2, unless --pass-with-no-tests', async () => {
    const { model, exitCode } = await showJson({});
    expect([exitCode, model.suites]).toEqual([2, []]);
    expect(model.findings).toMatchObject([{ code: 'no_suites' }]);
    expect(await showJson({}, '--pass-with-no-tests')).toMatchObject({
      exitCode: 0,
      model: { suites: [], findings: [] },
    });
  });
});

describe('show', () => {
  test('prints tests for people, and findings on stderr', async () => {
    const { stdout, stderr, exitCode } = await runCli(
      {
        'a.test.yaml':
          'description: Book a flight\nsteps:\n  - input: Book me a flight\n    assert:\n      output.includes: Berlin\n      tools_used: [Skyscanner]\n  - input: Thanks\n    assert: [{ type: contains, value: bye, name: polite }]\n',
        'b.test.yaml': 'input: x\nasert: {}\n',
      },
      ['show'],
    );
    expect(exitCode).toBe(2);
    expect(stdout).toMatchInlineSnapshot(`
      "a.test.yaml (step test)
        a Book a flight
          1. Book me a flight
             output.includes: "Berlin"
             tools_used: ["Skyscanner"]
          2. Thanks
             polite (contains): "bye"

      b.test.yaml (step test)

      "
    `);
    expect(stderr).toMatchInlineSnapshot(`
      "b.test.yaml:2:1 error a single-turn test has no field \`asert\` (unknown_field)
        1 | input: x
      > 2 | asert: {}
          | ^^^^^
        hint: did you mean \`assert\`?

      "
    `);
  });

  test('escapes hostile text', async () => {
    const attack = JSON.stringify('\u001b[2J\n::error::x');
    const { stdout } = await runCli(
      {
        'a.test.jsonl': `{"id":${attack},"description":${attack},"input":${attack},"evaluators":[{"type":"contains","value":${attack},"name":${attack}}]}\n{"id":"::error::y","input":"::z","outcome":"G"}`,
      },
      ['show'],
    );
    // oxlint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    expect(stdout).not.toMatch(/^\s*::/m);
    expect(stdout).toContain(String.raw`\x1b[2J\n::error::x`);
  });
});

test('a closed pipe is not an error', async () => {
  const folder = createTempFolder({
    'dataset.jsonl': Array.from({ length: 20_000 }, (_, index) =>
      CASE_LINE.replace('"a"', `"${index}"`),
    ).join('\n'),
  });
  for (const args of [['show', '--json'], ['show'], ['validate', '--json']]) {
    const child = spawn('sh', ['-c', '"$0" "$@" | head -n 1', process.execPath, CLI, ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stdout.resume();
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    const exitCode = await new Promise((resolve) => child.on('close', resolve));
    expect([args, stderr, exitCode]).toEqual([args, '', 0]);
  }
});
