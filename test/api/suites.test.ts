import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { listTests } from '../../src/api/list/list-tests.ts';
import { showSuites } from '../../src/api/show/show-suites.ts';
import { validateSuites, type ValidateOptions } from '../../src/api/validate/validate-suites.ts';
import type { RunOptions } from '../../src/api/basics/run-options.ts';
import { createTempFolder } from '../formats/temp-folder.ts';

const home = process.cwd();
beforeEach(() => process.chdir(home));
afterAll(() => process.chdir(home));

const TEST =
  '- id: one\n  input: hi\n  assert: { output.includes: a }\n- id: two\n  input: hi\n  tags: [x]\n  assert: { output.includes: a }\n';
const LINES = '{"id":"a","input":"q","evaluators":[{"type":"contains","value":"G"}]}\n{"id":"b"}\n';

function inFolder(files: Readonly<Record<string, string>>): void {
  process.chdir(createTempFolder({ 'package.json': '{}', ...files }));
}

describe('validate', () => {
  async function validated(options: Partial<ValidateOptions> = {}) {
    const found: string[] = [];
    const excerpts: unknown[] = [];
    const counts = await validateSuites(
      {
        paths: [],
        env: {},
        trustConfig: false,
        strict: false,
        passWithNoTests: false,
        onSecrets: () => {},
        ...options,
      },
      async ({ finding: { file, line, severity, code }, excerpt }) => {
        found.push(`${file}:${line} ${severity} ${code}`);
        if (excerpt !== undefined) excerpts.push(excerpt);
      },
    );
    return { ...counts, found, excerpts };
  }

  test('counts files, tests, errors and warnings', async () => {
    inFolder({ 'a.test.yaml': TEST, 'b.eval.jsonl': LINES });
    const { found, excerpts, ...counts } = await validated();
    expect(counts).toMatchObject({ files: 2, tests: 3 });
    expect(counts.errors).toBeGreaterThan(0);
    expect(found.filter((each) => each.includes(' error '))).toHaveLength(counts.errors);
    expect(found.filter((each) => each.includes(' warning '))).toHaveLength(counts.warnings);
    expect(found.every((each) => each.startsWith('b.eval.jsonl:2 '))).toBe(true);
    expect(excerpts[0]).toEqual({ firstLine: 2, lines: ['{"id":"b"}'] });
  });

  test('accepts valid files, and turns warnings into errors with --strict', async () => {
    inFolder({ 'a.test.yaml': TEST });
    expect(await validated()).toEqual({
      files: 1,
      tests: 2,
      errors: 0,
      warnings: 0,
      found: [],
      excerpts: [],
    });
    const schema =
      '- id: t\n  input: x\n  evaluators: [{ type: is_json, schema: { type: string, format: email } }]\n';
    inFolder({ 'a.eval.yaml': `evalcases:\n${schema.replace(/^/gm, '  ').trimEnd()}\n` });
    expect(await validated()).toMatchObject({
      errors: 0,
      warnings: 1,
      found: ['a.eval.yaml:4 warning schema_keyword'],
    });
    expect(await validated({ strict: true })).toMatchObject({ errors: 1, warnings: 0 });
  });

  test('no file at all is an error, unless that is allowed', async () => {
    inFolder({});
    expect(await validated()).toMatchObject({
      files: 0,
      errors: 1,
      found: [expect.stringContaining('error no_suites')],
    });
    expect(await validated({ passWithNoTests: true })).toMatchObject({ errors: 0, found: [] });
  });

  test('names what a run would lack, once per suite', async () => {
    const judged = ['a', 'b']
      .map(
        (id) =>
          `  - { id: ${id}, input: x, evaluators: [{ type: llm_judge, prompt: 'Is it so? {{ candidate_answer }}' }] }\n`,
      )
      .join('');
    inFolder({ 'a.eval.yaml': `evalcases:\n${judged}`, 'b.eval.yaml': `evalcases:\n${judged}` });
    const { found } = await validated();
    expect(found.map((each) => each.replace(/:\d+ .* /, ' '))).toEqual([
      'a.eval.yaml no_judge',
      'b.eval.yaml no_judge',
    ]);
    inFolder({
      'a.eval.yaml': `evalcases:\n${judged}`,
      'assay.config.yaml': 'judge: { provider: openai, model: m, api_key: "${{ MY_KEY }}" }\n',
    });
    expect((await validated()).found.map((each) => each.replace(/.* /, ''))).toEqual(['unset_variable']);
    expect((await validated({ env: { MY_KEY: 'k-123456' } })).found).toEqual([]);
  });

  test('a skipped test lacks nothing', async () => {
    inFolder({
      'a.eval.yaml':
        'evalcases:\n  - { id: a, input: x, skip: true, evaluators: [{ type: llm_judge, prompt: "So? {{ candidate_answer }}" }] }\n',
    });
    expect((await validated()).found).toEqual([]);
  });
});

describe('list', () => {
  async function listed(options: RunOptions = {}) {
    const names: string[] = [];
    const result = await listTests(
      { paths: [], ...options },
      async (file, { id }) => void names.push(`${file} ${id}`),
    );
    return { ...result, names };
  }

  test('names the tests that would run', async () => {
    inFolder({ 'a.test.yaml': TEST, 'b.eval.jsonl': LINES.split('\n')[0]! });
    expect(await listed()).toMatchObject({
      count: 3,
      names: ['a.test.yaml one', 'a.test.yaml two', 'b.eval.jsonl a'],
      selection: undefined,
      findings: [],
    });
    expect(await listed({ tags: ['x'] })).toMatchObject({
      count: 1,
      names: ['a.test.yaml two'],
      selection: undefined,
    });
    inFolder({ 'a.test.yaml': `${TEST}  only: true\n` });
    expect(await listed()).toMatchObject({
      count: 1,
      names: ['a.test.yaml two'],
      selection: { left_out: { only: 1 }, tests_in_files: 2 },
    });
  });
});

describe('show', () => {
  async function shown(paths: readonly string[] = [], passWithNoTests = false) {
    const files: string[] = [];
    const findings = await showSuites({ paths, passWithNoTests }, async ({ file }) => void files.push(file));
    return { files, codes: findings.map(({ code }) => code) };
  }

  test('returns every suite, with its findings', async () => {
    inFolder({ 'a.test.yaml': TEST, 'b.test.yaml': 'input: [' });
    const { files, codes } = await shown();
    expect(files).toContain('a.test.yaml');
    expect(codes.length).toBeGreaterThan(0);
    inFolder({});
    expect(await shown()).toEqual({ files: [], codes: ['no_suites'] });
    expect(await shown([], true)).toEqual({ files: [], codes: [] });
    expect((await shown(['gone.yaml'], true)).codes).toHaveLength(1);
  });
});
