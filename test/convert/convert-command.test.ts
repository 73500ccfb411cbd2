import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCliIn } from '../cli/run-cli.ts';
import { createTempFolder } from '../formats/temp-folder.ts';
import { CLI } from '../project.ts';

const STEP_TEST = 'id: a\nsteps: [{input: x, assert: {output.equals: ok}}]\n';
const EVALS = '{"skill_name":"s","evals":[{"id":1,"prompt":"Hi","expected_output":"Hello","x":1}]}';
const folder = (files: Record<string, string>): string =>
  createTempFolder({ 'package.json': '{}', ...files });

describe('assay convert', () => {
  test('prints the result, and everything else on stderr', async () => {
    const cwd = folder({ 'a.test.yaml': STEP_TEST });
    const { stdout, stderr, exitCode } = await runCliIn(cwd, ['convert', 'a.test.yaml', '--to', 'eval']);
    expect([exitCode, stderr]).toEqual([0, '✓ a.test.yaml (step tests): 1 test\n']);
    expect(stdout).toBe(
      'evalcases:\n  - id: a\n    steps:\n      - input: x\n        assert:\n          output.equals: ok\n',
    );
  });

  test('a loss gives exit code 2 and becomes a comment, unless losses are allowed', async () => {
    const cwd = folder({ 'evals.json': EVALS });
    const args = ['convert', 'evals.json', '--to', 'eval', '-o', 'new/out.eval.yaml'];
    const first = await runCliIn(cwd, args);
    expect(first.exitCode).toBe(2);
    expect(first.stderr).toMatch(/evals\.json:1:76 error x is not converted: .*\(not_converted\)/);
    expect(first.stderr).toMatch(
      /in new\/out\.eval\.yaml; 1 thing not converted:\n {2}x is not converted: .* \(line 1\)\n$/,
    );
    expect(readFileSync(join(cwd, 'new/out.eval.yaml'), 'utf8')).toContain('    # not converted: x: 1 (');
    const again = await runCliIn(cwd, [...args, '--allow-loss']);
    expect([again.exitCode, again.stderr.includes('output_exists')]).toEqual([2, true]);
    const forced = await runCliIn(cwd, [...args, '--allow-loss', '--force']);
    expect(forced.exitCode).toBe(0);
    expect((await runCliIn(cwd, ['validate', 'new'])).exitCode).toBe(0);
  });

  test('an existing file is not overwritten, even if only the sidecar exists', async () => {
    const cwd = folder({
      'a.eval.json': '{"threshold":0.5,"cases":[{"id":"a","input":"x","expected_outcome":"y"}]}',
    });
    writeFileSync(join(cwd, 'out.yaml'), 'mine');
    const { exitCode } = await runCliIn(cwd, [
      'convert',
      'a.eval.json',
      '--to',
      'dataset',
      '-o',
      'out.jsonl',
    ]);
    expect([
      exitCode,
      existsSync(join(cwd, 'out.jsonl')),
      readFileSync(join(cwd, 'out.yaml'), 'utf8'),
    ]).toEqual([2, false, 'mine']);
  });

  test.each([
    [['convert'], 'convert takes one file'],
    [['convert', 'deep.py'], 'this is code of DeepEval'],
    [['convert', 'task.py'], 'write its samples as JSON lines with `input` and `target`'],
    [['convert', 'own.ts'], 'convert the file with its data'],
    [['convert', 'a.test.yaml', '--to', 'evals'], 'eval, dataset or steps'],
    [['convert', 'gone.yaml', '--to', 'eval'], 'unreadable'],
    [['convert', 'a.test.yaml', '--to', 'dataset', '-o', 'a.yaml'], 'output_name'],
    [['convert', 'a.test.yaml', '--to', 'eval', '-o', '.'], 'this is a folder'],
    [['convert', 'data.json', '--to', 'eval'], 'unknown_format'],
    [['convert', 'broken.json', '--to', 'eval'], 'broken.json:1:27 error'],
    [['convert', 'set.eval.json', '--to', 'dataset'], 'it cannot be printed'],
  ])('%j exits with 2', async (args, message) => {
    const cwd = folder({
      'a.test.yaml': STEP_TEST,
      'deep.py': 'import pytest\nfrom deepeval import assert_test\n',
      'task.py': 'from inspect_ai import Task, task\n',
      'own.ts': 'export const a = 1;\n',
      'data.json': '{"a":1}',
      'broken.json': '{"skill_name":"s","evals":',
      'set.eval.json': '{"threshold":0.5,"cases":[{"id":"a","input":"x","expected_outcome":"y"}]}',
    });
    const { exitCode, stdout, stderr } = await runCliIn(cwd, args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});

describe('files of other tools', () => {
  const GOLDEN = { input: 'q', actual_output: 'x'.repeat(5000), expected_output: 'a' };
  const PROMPTFOO = `prompts: ['Say {{q}}', 'Shout {{q}}']
providers: [echo]
defaultTest: {assert: [{type: latency, threshold: 100}]}
tests:
  - vars: {q: [a, b]}
    assert: [{type: contains, value: a}]
`;
  const FILES = {
    'promptfooconfig.yaml': PROMPTFOO,
    "it's promptfoo.eval.yaml": PROMPTFOO,
    '-dash.yaml': PROMPTFOO,
    'a.evalset.json': '{"eval_set_id":"a","eval_cases":[]}',
    // The evals themselves are read without a conversion.
    'triggers.json': '[{"query":"Hi","should_trigger":true}]',
    'a.test.json': '[{"query":"Hi","reference":"Hello"}]',
    'samples.jsonl': '{"input":"q","ideal":"a"}\n{"input":"q","ideal":"b"}\n',
    'examples.jsonl': '{"inputs":{"a":"1"},"outputs":{"b":"2"}}\n',
    'goldens.json': JSON.stringify(Array.from({ length: 300 }, () => GOLDEN)),
    'table.csv': 'input,expected_output\na,b\n',
  };

  test.each([['validate'], ['run'], ['run', '--list'], ['show'], ['check']])(
    '%s %s names the tool and the command, once for each file',
    async (...command) => {
      const cwd = folder({ ...FILES, 'agent.mjs': "export const agent = () => 'x';\n" });
      const agent = command[0] === 'run' ? ['--agent', './agent.mjs'] : [];
      const files = Object.keys(FILES).map((name) => `./${name}`);
      const { stdout, stderr, exitCode } = await runCliIn(cwd, [...command, ...files, ...agent]);
      expect(exitCode).toBe(2);
      const lines = `${stdout}${stderr}`.split('\n');
      expect(lines.filter((line) => line.includes('(foreign_format)')).sort()).toEqual([
        '-dash.yaml:1:1 error this is a promptfoo config, not a suite of Assay (foreign_format)',
        'a.evalset.json:1:1 error this is an eval file of ADK, not a suite of Assay (foreign_format)',
        'a.test.json:1:1 error this is an eval file of ADK, not a suite of Assay (foreign_format)',
        'examples.jsonl:1:1 error this is a dataset of LangSmith, not a suite of Assay (foreign_format)',
        'goldens.json:1:1 error this is a file of DeepEval goldens, not a suite of Assay (foreign_format)',
        "it's promptfoo.eval.yaml:1:1 error this is a promptfoo config, not a suite of Assay (foreign_format)",
        'promptfooconfig.yaml:1:1 error this is a promptfoo config, not a suite of Assay (foreign_format)',
        "samples.jsonl:1:1 error this is a file of OpenAI's evals, not a suite of Assay (foreign_format)",
        'table.csv:1:1 error this is a CSV file, not a suite of Assay (foreign_format)',
        "triggers.json:1:1 error this is an agent skill's evals.json, not a suite of Assay (foreign_format)",
      ]);
      expect(lines).toContain('  hint: convert it: assay convert table.csv --to eval -o table.eval.yaml');
      expect(lines.filter((line) => / error /.test(line))).toHaveLength(10);
    },
  );

  test.each([
    'promptfooconfig.yaml',
    "it's promptfoo.eval.yaml",
    '-dash.yaml',
    'a.test.json',
    'samples.jsonl',
    'examples.jsonl',
    'goldens.json',
    'table.csv',
    'questions.csv',
    'one column.csv',
  ])('the command for %s can be pasted into a shell', async (name) => {
    const cwd = folder({
      ...FILES,
      'questions.csv': 'the question,topic,expected_output\na,t,b\n',
      'one column.csv': 'q,__expected\na,contains: a\n',
    });
    const { stdout } = await runCliIn(cwd, ['validate', `./${name}`]);
    const command = /hint: convert it: assay (.*)\n/.exec(stdout)![1]!;
    const { stderr } = spawnSync('sh', ['-c', `'${process.execPath}' '${CLI}' ${command}`], {
      cwd,
      encoding: 'utf8',
    });
    const written = / in (.*?eval\.yaml)/.exec(stderr)?.[1];
    expect(written, stderr).toBeDefined();
    expect(await runCliIn(cwd, ['validate', `./${written}`])).toMatchObject({ exitCode: 0 });
  });

  test('a Harbor task is not supported yet', async () => {
    const task = { 'task/task.toml': '', 'task/instruction.md': 'Do it.', 'task/tests/test.sh': '' };
    const cwd = folder(task);
    for (const path of ['.', 'task', ...Object.keys(task)]) {
      const { stdout, exitCode } = await runCliIn(cwd, ['validate', path]);
      expect([exitCode, stdout.match(/ error /g)]).toEqual([2, [' error ']]);
      expect(stdout).toContain('this folder is a Harbor task, which Assay cannot run yet (foreign_format)');
    }
    writeFileSync(join(cwd, 'a.test.yaml'), STEP_TEST);
    const { stdout, exitCode } = await runCliIn(cwd, ['validate']);
    expect([exitCode, stdout.match(/ (?:warning|error) .*Harbor/g)]).toMatchObject([0, { length: 1 }]);
  });

  test.each([
    [
      '/proc/nope/a.eval.yaml',
      "the file cannot be written: ENOENT: no such file or directory, mkdir '/proc/nope'",
    ],
    ['a.test.yaml/b.eval.yaml', 'the file cannot be written: a.test.yaml is a file, not a folder'],
  ])('a result that cannot be written to %s is an error', async (out, message) => {
    const cwd = folder({ 'a.test.yaml': STEP_TEST });
    const { stderr, exitCode } = await runCliIn(cwd, ['convert', 'a.test.yaml', '--to', 'eval', '-o', out]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/: nothing is written\n$/);
  });

  test('a search that finds no suite names the files of other tools', async () => {
    const cwd = folder({
      'a.evalset.json': '{"eval_set_id":"a","eval_cases":[]}',
      'promptfooconfig.yaml': 'prompts: [a]',
    });
    const { stdout, exitCode } = await runCliIn(cwd, ['validate']);
    expect(exitCode).toBe(2);
    expect(stdout).toContain('assay convert a.evalset.json --to eval');
    expect(stdout).toContain('assay convert promptfooconfig.yaml --to eval');
  });

  test("Assay's own files with mistakes keep their usual findings", async () => {
    const cwd = folder({
      'a.test.yaml': '- {input: x, expected_output: y}\n',
      'c.test.json': '[{"input":"x","expected_output":"y","asert":{}}]',
      'b.eval.jsonl': '{"id":"a","input":"x","ideal_outcome":"y"}\n',
    });
    const { stdout } = await runCliIn(cwd, ['validate']);
    expect(stdout).not.toContain('foreign_format');
    expect(stdout).toContain('(unknown_field)');
  });
});
