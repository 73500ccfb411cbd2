import { describe, expect, test } from 'vitest';
import { join } from 'node:path';
import { findConfig } from '../../src/suites/config/find-config.ts';
import { loadSuites } from '../../src/index.ts';
import { createProject, runCli } from '../project.ts';
import { CASE_LINE, createTempFolder, STEP_TEST } from './temp-folder.ts';

const EVAL_FILE = 'evalcases:\n  - { id: a, input: q, outcome: G }\n';
const CODES = new Set(['suite_not_read', 'config_not_read']);

async function notRead(files: Readonly<Record<string, string>>, ...paths: string[]) {
  const folder = createTempFolder({ 'package.json': '{}', 'read.test.yaml': STEP_TEST, ...files });
  const { findings } = await loadSuites(
    paths.length === 0 ? [folder] : paths.map((path) => join(folder, path)),
  );
  return findings
    .filter(({ code }) => CODES.has(code))
    .map(({ severity, code, file, message, hint }) => ({
      severity,
      code,
      text: `${file.replaceAll(/.*assay-test-\w+\//g, '')}: ${message.replaceAll(/\S*assay-test-\w+\//g, '')} | ${hint}`,
    }));
}

const LONG = 'x'.repeat(20_000);

/** Files with tests that a folder search does not read. */
const SUITES: [name: string, text: string][] = [
  ['orders.jsonl', `${CASE_LINE}\n${CASE_LINE}\n`],
  ['orders.jsonl', `\uFEFF\r\n\n${CASE_LINE}\r\n`],
  ['orders.jsonl', '{"id":"a","input_messages":[],"evaluators":[{"type":"equals","value":"x"}]}'],
  ['orders.jsonl', `{"id":"a","criteria":"G","input":"${LONG}"}\n`],
  ['orders.ndjson', CASE_LINE],
  ['support.yaml', EVAL_FILE],
  ['support.yml', `# ${'a comment\n# '.repeat(100)}\n${EVAL_FILE}`],
  ['support.yaml', 'tests:\n  - id: a\n    input: q\n    criteria: G\n'],
  ['support.yaml', 'evaluators: [{ type: equals, value: x }]\ncases:\n  - { id: a, input: q }\n'],
  ['support.yaml', `evalcases:\n${'  - { id: a, input: q, outcome: G }\n'.repeat(1000)}`],
  ['support.yaml', 'evalcases:\n  - id: a\n   input: [\n'],
  ['support.json', JSON.stringify({ cases: [{ id: 'a', input: 'q', expected_outcome: 'G' }] })],
  [
    'support.json',
    JSON.stringify({ evalcases: Array.from({ length: 900 }, () => ({ id: 'a', input: 'q' })) }),
  ],
  ['EVAL.yml', EVAL_FILE],
  ['eval.yaml', EVAL_FILE],
  ['a.tests.yaml', STEP_TEST],
  ['flights.yaml', `steps:\n  - input: x\n    assert: { tools_used: [] }\n`],
  ['flights.json', JSON.stringify([{ input: 'x', expected: { output: 'y' } }])],
  ['dataset.json', JSON.stringify({ tests: [{ id: 'a', input: 'x', rubrics: ['good'] }] })],
  ['deep/er/support.yaml', EVAL_FILE],
];

describe('a file that looks like a suite but is not read is named', () => {
  test.each(SUITES.map(([name, text], index) => [index, name, text] as const))(
    '%d %s',
    async (_, name, text) => {
      expect(await notRead({ [name]: text })).toEqual([
        {
          severity: 'warning',
          code: 'suite_not_read',
          text: expect.stringContaining(`${name}: this file looks like a suite`),
        },
      ]);
    },
  );

  test('several such files share one warning with the first names', async () => {
    const files = Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => [`${name}.yaml`, EVAL_FILE]),
    );
    expect(await notRead(files)).toEqual([
      {
        severity: 'warning',
        code: 'suite_not_read',
        text: 'a.yaml: 7 files look like suites but were not read, because of their names: a.yaml, b.yaml, c.yaml, d.yaml, e.yaml and 2 more | name them on the command line, or rename them, for example a.eval.yaml',
      },
    ]);
  });

  test('a dataset with a sidecar is named', async () => {
    const line = '{"id":"a","input":"q"}\n';
    expect(await notRead({ 'orders.jsonl': line })).toEqual([]);
    const files = { 'orders.jsonl': line, 'orders.yaml': 'evaluators: [{ type: equals, value: x }]\n' };
    expect(await notRead(files)).toMatchObject([
      { text: expect.stringContaining('or rename it, for example orders.eval.jsonl') },
    ]);
  });

  test('a file is not named if it is read or if no folder is searched', async () => {
    const files = { 'support.yaml': EVAL_FILE };
    expect(await notRead(files, '.', 'support.yaml')).toEqual([]);
    expect(await notRead(files, 'read.test.yaml')).toEqual([]);
    expect(await notRead(files, '*.test.yaml')).toEqual([]);
  });
});

/** Other files that projects have. */
const OTHERS: Readonly<Record<string, string>> = {
  // What our own reporters `json` and `jsonl` write.
  'own-report.json':
    '{"run_id":"r","results":[\n{"id":"a","file":"a.test.yaml","fingerprint":"f","steps":[{"input":"x","assertions":[{"name":"output.includes"}]}]}\n],"tests":[{"id":"a","input":"x","criteria":"G"}]}\n',
  'own-report.jsonl':
    '{"id":"a","file":"a.test.yaml","fingerprint":"f","verdict":"passed","steps":[{"input":"x"}],"assertions":[{"name":"y"}]}\n',
  'package-lock.json': JSON.stringify({ name: 'x', packages: { '': { input: 'x' } } }),
  'tsconfig.json': '{ // comments\n "compilerOptions": { "strict": true }, "include": ["tests"] }',
  'docker-compose.yaml': 'services:\n  web:\n    image: x\n    tests: [a]\n',
  'kubernetes.yaml': 'kind: Job\nmetadata: { name: x }\n---\nkind: Service\ncases: []\n',
  'azure-pipelines.yml': 'steps:\n  - script: npm test\n    displayName: tests\n',
  'cloudbuild.yaml': 'steps:\n  - name: gcr.io/x\n    id: build\n    args: [a]\n',
  'action.yml':
    'name: x\ninputs: { a: { required: true } }\nruns:\n  using: composite\n  steps: [{ run: x }]\n',
  'logstash.yml': 'input: stdin\noutput: stdout\n',
  'promptfooconfig.yaml':
    'prompts: [a]\ntests:\n  - vars: { input: x }\n    assert: [{ type: contains, value: y }]\n',
  'read.test.baseline.jsonl': `${CASE_LINE}\n`,
  'records.jsonl': '{"type":"attempt","test":"a","verdict":"passed","input":"q"}\n',
  'labelled.jsonl': '{"input":"q","output":"a","expected_outcome":"G","label":true}\n',
  'training.jsonl': '{"messages":[{"role":"user","content":"q"}]}\n',
  'evals.jsonl': '{"input":"q","ideal":"a"}\n{"input":"q","expected_output":"a"}\n',
  'rows.jsonl': '{"id":1,"input":"q","criteria":"a"}\n{"id":"2","input":"q","expected_output":"a"}\n',
  'broken.jsonl': '{"id":"a","input":\n',
  'empty.jsonl': '',
  'empty.yaml': '',
  'fixtures/parser.json': JSON.stringify([
    { input: 'a', expected: 'b' },
    { input: 'a', expected: { value: 1 } },
  ]),
  'fixtures/cases.json': JSON.stringify({ cases: [{ id: 'a', input: 'b', expected: 'c' }] }),
  'fixtures/cases.yaml': 'tests:\n  - id: a\n    input: b\n    expected_output: c\n',
  'fixtures/names.yaml': 'tests: [a, b]\ncases: 5\n',
  'report.json': JSON.stringify({ summary: {}, tests: [{ test: 'a', file: 'b', verdict: 'passed' }] }),
  'notes.yaml': 'input: some text\nassert: always\n',
  'mkdocs.yml': 'nav: !!python/name:x.y\n',
  'targets.yaml': 'targets: []\n',
  'node_modules/p/support.yaml': EVAL_FILE,
  '.github/workflows/assay.yaml': EVAL_FILE,
};

test('other files are not named', async () => {
  expect(await notRead(OTHERS)).toEqual([]);
});

describe('a config that is not read is named', () => {
  test.each([
    ['assay.config.jsonc', '{"judge":"x"}', 'the names are assay.config.ts'],
    ['assay.config.toml', 'judge = "x"\n', 'the names are assay.config.ts'],
    ['agentv.config.ts', 'export default {};\n', 'the names are assay.config.ts'],
    ['assay.yaml', 'targets: []\n', 'the names are assay.config.ts'],
    ['assay.json', '{\n  "agent": "./a.ts"\n}', 'rename it to assay.config.json'],
    ['assay.toml', '[[targets]]\nname = "x"\n', 'the names are assay.config.ts'],
    ['targets.json', '{"targets": []}\n', 'rename it to assay.config.json'],
  ])('%s', async (name, text, hint) => {
    expect(await notRead({ [name]: text }, 'read.test.yaml')).toEqual([
      { severity: 'warning', code: 'config_not_read', text: expect.stringContaining(hint) },
    ]);
    const folder = createTempFolder({ [name]: text });
    expect(findConfig(folder, { root: folder, mayExecute: true })).toEqual({ paths: [], findings: [] });
  });

  test('a config above the suites is named too', async () => {
    const files = { 'assay.config.toml': '', 'in/a.test.yaml': STEP_TEST };
    expect(await notRead(files, 'in')).toMatchObject([
      { text: expect.stringMatching(/^assay\.config\.toml: .*because of its name/) },
    ]);
  });

  test('a second config in the same folder is named', async () => {
    const files = { 'assay.config.ts': '', 'assay.config.yaml': '' };
    expect(await notRead(files, 'read.test.yaml')).toMatchObject([
      { text: expect.stringMatching(/^assay\.config\.yaml: .*because assay\.config\.ts next to it is/) },
    ]);
  });

  test('a second targets file in the same folder is named', async () => {
    const files = { 'targets.yml': 'targets: []\n', '.agentv/targets.yaml': '', '.agentv/targets.yml': '' };
    const found = await notRead({ ...files, 'assay.config.yaml': '' }, 'read.test.yaml');
    expect(found).toMatchObject([
      { text: expect.stringMatching(/^\.agentv\/targets\.yaml: .*because targets\.yml next to it is/) },
      { text: expect.stringMatching(/^\.agentv\/targets\.yml: /) },
    ]);
  });

  test('other files are not named', async () => {
    const others = {
      'assay.yaml': 'kind: Job\n',
      'assay.json': '{"name":"assay"}',
      'targets.json': '{"hosts":[]}',
      'assay.config.yaml': 'judge: x\n',
      'assay.config.d.ts': '',
      'below/assay.config.toml': '',
    };
    expect(await notRead(others, 'read.test.yaml')).toEqual([]);
  });
});

test('run, validate and show report it and keep their exit codes', async () => {
  const project = createProject({
    'a.test.yaml': STEP_TEST,
    'orders.jsonl': `${CASE_LINE}\n`,
    'assay.config.toml': '',
    'agent.mjs': `export const agent = () => 'a';`,
  });
  const results = await Promise.all(
    [['run', '--agent', './agent.mjs'], ['validate'], ['show']].map((args) =>
      runCli(args, { cwd: project.path }),
    ),
  );
  project.remove();
  for (const { stdout, stderr, exitCode } of results) {
    expect(exitCode).toBe(0);
    expect(stdout + stderr).toContain(
      'orders.jsonl:1:1 warning this file looks like a suite but was not read',
    );
    expect(stdout + stderr).toContain(
      'assay.config.toml:1:1 warning this file looks like a config but is not read',
    );
  }
});

test('if all files are ignored, the error names them', async () => {
  const project = createProject({ 'support.yaml': EVAL_FILE });
  const results = await Promise.all(
    ['run', 'validate', 'show'].map((command) => runCli([command], { cwd: project.path })),
  );
  project.remove();
  for (const { stdout, stderr, exitCode } of results) {
    expect(exitCode).toBe(2);
    expect(stdout + stderr).toContain('support.yaml');
  }
});
