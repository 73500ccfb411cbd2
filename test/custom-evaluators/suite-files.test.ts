import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../project.ts';
import { assertionsOf, createUserProject, evalFile, run } from './records.ts';

let project: ReturnType<typeof createUserProject>;
const outside = mkdtempSync(join(tmpdir(), 'assay-outside-'));
beforeAll(() => {
  writeFileSync(join(outside, 'far.mjs'), 'export const far = { evaluate: () => 1 };\n');
  project = createUserProject({
    'evals/check.mjs': `
import { writeFileSync } from 'node:fs';
writeFileSync('executed', '');
export const says = { evaluate: ({ word }, { output }) => output.includes(word) };
export const typed = { schema: { properties: { min: { type: 'number' } } }, evaluate: () => 1 };
`,
    'evals/check.py':
      'import os\n\ndef secrets(config, evidence):\n    return {"score": 1, "details": [os.environ.get("MY_KEY"), os.environ.get("OTHER")]}\n',
    'evals/broken.mjs': `import './missing.mjs';\n`,
    'assay.config.yaml': 'agent: ./agent.mjs\nscripts: { env: [OTHER] }\n',
    'evals/a.eval.yaml': evalFile({
      holds: [{ type: './check.mjs#says', word: 'hi' }],
      'does not hold': [{ type: './check.mjs#says', word: 'bye' }],
      nested: [{ type: 'composite', evaluators: [{ type: './check.mjs#says', word: 'hi' }] }],
      python: [{ type: './check.py#secrets' }],
      field: [{ type: './check.mjs#typed', mni: 1 }],
      name: [{ type: './check.mjs#nobody' }],
      absent: [{ type: './absent.mjs#x' }],
      broken: [{ type: './broken.mjs#x' }],
      far: [{ type: `${outside}/far.mjs#far` }],
      linked: [{ type: './link.mjs#far' }],
    }),
    'evals/b.jsonl': '{"id":"line","input":"hi","evaluators":[{"type":"./check.mjs#says","word":"hi"}]}\n',
    'wrong.eval.yaml': evalFile({ nameless: [{ type: './check.mjs' }], ruby: [{ type: './check.rb#x' }] }),
  });
  symlinkSync(join(outside, 'far.mjs'), join(project.path, 'evals', 'link.mjs'));
});
afterAll(() => {
  project.remove();
  rmSync(outside, { recursive: true });
});

test('without --allow-scripts, evaluator files that a suite names are not executed, just like scripts', async () => {
  const { verdicts, exitCode } = await run(project.path, 'evals', 'evals/b.jsonl');
  const refused = Object.entries(verdicts).filter(
    ([, verdict]) => !/^error: the script \S+ may not run: run with --allow-scripts/.test(verdict),
  );
  expect(refused).toEqual([]);
  expect(exitCode).toBe(3);
  await runCli(['validate', '--trust-config'], { cwd: project.path });
  expect(existsSync(join(project.path, 'executed'))).toBe(false);
});

test('with --allow-scripts they run, and one that cannot be loaded is an error at its place', async () => {
  process.env['MY_KEY'] = 'k';
  process.env['OTHER'] = 'o';
  const { verdicts, exitCode, records } = await run(
    project.path,
    'evals',
    'evals/b.jsonl',
    '--allow-scripts',
  );
  delete process.env['MY_KEY'];
  delete process.env['OTHER'];
  expect(verdicts).toEqual({
    holds: 'passed',
    'does not hold': 'failed',
    nested: 'passed',
    python: 'passed',
    line: 'passed',
    field: expect.stringContaining('has no field `mni` (did you mean `min`?)'),
    name: expect.stringContaining('evals/check.mjs has no evaluator `nobody`: it has says, typed'),
    absent: expect.stringContaining('there is no file ./absent.mjs next to evals/a.eval.yaml'),
    broken: expect.stringContaining('cannot be loaded: '),
    far: expect.stringContaining('is outside the project'),
    linked: expect.stringContaining('./link.mjs is outside the project'),
  });
  expect(exitCode).toBe(1);
  // As for scripts: only the variables that the config names.
  expect(assertionsOf(records, 'python')[0]).toMatchObject({ name: 'secrets', details: [null, 'o'] });
});

test('a file named in the wrong way gets a hint how to write it', async () => {
  const { findings } = await run(project.path, 'wrong.eval.yaml');
  expect(findings.map(({ code, hint }) => [code, hint])).toEqual([
    ['unknown_evaluator', 'name the evaluator in the file: ./check.mjs#name'],
    ['unknown_evaluator', expect.stringContaining('is written as ./checks.ts#name')],
  ]);
});

test('every field may be a template, even those that name programs in other evaluators', async () => {
  const fields = 'prompt: "{{w}}", command: "{{w}}", script: ["{{w}}"], cwd: "{{w}}"';
  const check = `{ evaluate: ({ prompt, command, script: [script], cwd }) => [prompt, command, script, cwd].every((each) => each === 'hi') }`;
  const filled = createUserProject({
    'assay.config.yaml': 'agent: ./agent.mjs\nevaluators: ./own.mjs\n',
    'own.mjs': `export const own = ${check};\n`,
    'check.mjs': `export const same = ${check};\n`,
    'a.eval.yaml': `vars: {w: hi}
tests:
  - {id: file, input: hi, evaluators: [{type: ./check.mjs#same, ${fields}}]}
  - {id: config, input: hi, evaluators: [{type: own, ${fields}}]}
`,
  });
  try {
    const { verdicts } = await run(filled.path, 'a.eval.yaml', '--allow-scripts');
    expect(verdicts).toEqual({ file: 'passed', config: 'passed' });
    const shown = await runCli(['show', 'a.eval.yaml', '--json'], { cwd: filled.path });
    expect(shown.stdout).not.toContain('{{w}}');
    const validated = await runCli(['validate', 'a.eval.yaml', '--json'], { cwd: filled.path });
    expect(validated.stdout).not.toContain('not_a_template');
  } finally {
    filled.remove();
  }
});
