import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Finding } from '../../src/base/model/finding.ts';
import { runCli } from '../project.ts';
import { createUserProject, evalFile, run } from './records.ts';

const CONFIG = 'agent: ./agent.mjs\nevaluators: ./checks.mjs\n';

function placed(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`);
}

async function json(cwd: string, ...args: readonly string[]): Promise<{ readonly findings: Finding[] }> {
  const { stdout } = await runCli([...args, '--json'], { cwd });
  return JSON.parse(stdout) as { readonly findings: Finding[] };
}

describe('fields', () => {
  const CHECKS = `
import * as z from 'zod';
import { writeFileSync } from 'node:fs';
writeFileSync('executed', '');
export const size = {
  schema: {
    type: 'object',
    properties: { limit: { type: 'number', minimum: 1 }, of: { type: 'object', properties: { unit: { enum: ['word'] } } } },
    required: ['limit'],
  },
  evaluate: () => 1,
};
export const zoded = { schema: z.object({ max: z.number() }), evaluate: ({ max }) => max > 3 };
export const open = { evaluate: (config) => config.anything === 7 };
`;
  let project: ReturnType<typeof createUserProject>;
  beforeAll(() => {
    project = createUserProject({
      'assay.config.yaml': CONFIG,
      'checks.mjs': CHECKS,
      'good.eval.yaml': evalFile({
        all: [
          { type: 'size', limit: 2, of: { unit: 'word' } },
          { type: 'zoded', max: 4 },
          { type: 'open', anything: 7 },
        ],
      }),
      'bad.eval.yaml': [
        'cases:',
        '  - id: a',
        '    input: hi',
        '    evaluators:',
        '      - { type: size, limti: 3 }',
        '      - { type: size, limit: many }',
        '      - { type: size, limit: 0.5, of: { unit: page } }',
        '      - { type: size }',
        '      - { type: zoded, max: four }',
        '      - { type: zoded, max: 4, mix: 1 }',
        '      - { type: siez, limit: 1 }',
        '      - { type: size, limit: 1, wieght: 2 }',
        '      - { type: open, wieght: 2 }',
        '',
      ].join('\n'),
    });
  });
  afterAll(() => project.remove());
  const WRONG = [
    'bad.eval.yaml:5:23 unknown_field',
    'bad.eval.yaml:6:30 type',
    'bad.eval.yaml:7:30 value',
    'bad.eval.yaml:7:47 value',
    'bad.eval.yaml:8:9 missing_field',
    'bad.eval.yaml:9:29 value',
    'bad.eval.yaml:10:32 unknown_field',
    'bad.eval.yaml:11:17 unknown_evaluator',
    'bad.eval.yaml:12:33 unknown_field',
    'bad.eval.yaml:13:23 misspelled_field',
  ];

  test('are checked when a suite is read, with places and suggestions', async () => {
    const { findings, exitCode, verdicts } = await run(project.path);
    expect(placed(findings)).toEqual(WRONG);
    expect(findings.flatMap(({ hint = '' }) => /`(.*)`\?/.exec(hint)?.[1] ?? [])).toEqual([
      'limit',
      'max',
      'size',
      'weight',
      'weight',
    ]);
    expect({ exitCode, verdicts }).toEqual({ exitCode: 2, verdicts: { all: 'passed' } });
  });

  test('commands that only read do not execute the file and say so once; with --trust-config they do', async () => {
    rmSync(join(project.path, 'executed'), { force: true });
    const validated = await json(project.path, 'validate');
    const shown = await json(project.path, 'show');
    const unread = ['assay.config.yaml:2:13 evaluators_not_read', 'bad.eval.yaml:11:17 unknown_evaluator'];
    expect(placed(validated.findings).toSorted()).toEqual(unread);
    expect(placed(shown.findings).toSorted()).toEqual(unread);
    expect(JSON.stringify(shown)).toContain('"limit":2');
    const { stdout } = await runCli(['run', 'good.eval.yaml', '--list'], { cwd: project.path });
    expect(stdout).toContain('good.eval.yaml:2 all');
    expect(existsSync(join(project.path, 'executed'))).toBe(false);
    const trusted = await json(project.path, 'validate', '--trust-config');
    expect(placed(trusted.findings)).toEqual(WRONG);
    expect(existsSync(join(project.path, 'executed'))).toBe(true);
  });
});

test('an unusable file and a taken name are errors at their places in the config', async () => {
  const project = createUserProject({
    'assay.config.yaml': `agent: ./agent.mjs
evaluators:
  - ./one.cjs
  - ./two.mjs
  - ./gone.ts
  - ./x.rb
  - ./throws.mjs
  - ./reserved.mjs
  - ./invalid.mjs
  - ./nothing.mjs
  - ./form.mjs
  - ./broken.py
  - ./schemas.mjs
  - ./timeout.mjs
  - ./extra.mjs
  - ./shema.py
  - ./limit.py
  - ./named.py
  - ./free.py
`,
    'schemas.mjs': 'export const s1 = { schemas: {}, evaluate: () => 1 };',
    'timeout.mjs': 'export const s2 = { timeout: 5, evaluate: () => 1 };',
    'extra.mjs': 'export const s3 = { threshold: 5, evaluate: () => 1 };',
    'shema.py': 'def s4(evidence):\n    return 1\n\ns4.shema = {}\n',
    'limit.py': 'def s5(evidence):\n    return 1\n\ns5.timeout = 5\n',
    'named.py': 'def s6(evidence):\n    return 1\n\ns6.name = "x"\n',
    'free.py': 'def s7(evidence):\n    return 1\n\ns7.author = "me"\n',
    'one.cjs':
      'exports.tone = { evaluate: () => 1 }; exports.contains = { evaluate: () => 1 }; exports.fine = { evaluate: () => 1 };',
    'two.mjs': `export const a = { name: 'tone', evaluate: () => 1 }; export const b = { name: 'is-json', evaluate: () => 1 };`,
    'throws.mjs': 'throw new Error("at import");',
    'reserved.mjs':
      'export const r = { schema: { properties: { weight: { type: "number" } } }, evaluate: () => 1 };',
    'invalid.mjs':
      'export const i = { schema: { properties: { x: { type: "nubmer" } } }, evaluate: () => 1 };',
    'nothing.mjs': 'export function helper() {}',
    'form.mjs': 'export const f = { evaluate: 1 };',
    'broken.py': 'def check(evidence, other):\n    return 1\n',
    'a.eval.yaml': evalFile({ twice: [{ type: 'tone' }] }),
    'b.eval.yaml': evalFile({ fine: [{ type: 'fine' }] }),
    'c.eval.yaml': evalFile({ built_in: [{ type: 'contains', value: 'hi' }] }),
    'd.eval.yaml': evalFile({ other_name: [{ type: 'is_json' }] }),
  });
  const { findings, exitCode, verdicts } = await run(project.path);
  project.remove();
  expect(findings.map(({ file, line, message }) => [file, line, message])).toEqual([
    [
      'assay.config.yaml',
      3,
      expect.stringContaining('`contains` is already the name of a built-in evaluator'),
    ],
    [
      'assay.config.yaml',
      4,
      expect.stringContaining('`tone` is already the name of an evaluator in ./one.cjs'),
    ],
    [
      'assay.config.yaml',
      4,
      expect.stringContaining('`is-json` is already the name of a built-in evaluator'),
    ],
    ['assay.config.yaml', 5, expect.stringContaining('there is no such file')],
    ['assay.config.yaml', 6, expect.stringContaining('evaluators are written in .ts')],
    ['assay.config.yaml', 7, expect.stringContaining('Error: at import')],
    ['assay.config.yaml', 8, expect.stringContaining('which every evaluator has already')],
    ['assay.config.yaml', 9, expect.stringContaining('not a valid JSON Schema')],
    ['assay.config.yaml', 10, expect.stringContaining('it exports no evaluator (it exports helper)')],
    ['assay.config.yaml', 11, expect.stringContaining('`evaluate` of `f` is not a function')],
    ['assay.config.yaml', 12, expect.stringContaining('check takes other')],
    ['assay.config.yaml', 13, expect.stringContaining('did you mean `schema`?')],
    ['assay.config.yaml', 14, expect.stringContaining('did you mean `timeout_ms`?')],
    ['assay.config.yaml', 15, expect.stringContaining('`threshold` is not a key of an evaluator (`s3`)')],
    ['assay.config.yaml', 16, expect.stringContaining('did you mean `schema`?')],
    ['assay.config.yaml', 17, expect.stringContaining('did you mean `timeout_ms`?')],
    ['assay.config.yaml', 18, expect.stringContaining('`s6.name` has no effect')],
    ['a.eval.yaml', 2, expect.stringContaining('unknown evaluator `tone`')],
    ['c.eval.yaml', 2, expect.stringContaining('unknown evaluator `contains`')],
    ['d.eval.yaml', 2, expect.stringContaining('unknown evaluator `is_json`')],
  ]);
  expect({ exitCode, verdicts }).toEqual({ exitCode: 2, verdicts: { fine: 'passed' } });
});

test('each suite uses the evaluators of its own config, even if names are equal', async () => {
  const config = 'agent: ../agent.mjs\nevaluators: [./checks.mjs]\n';
  const project = createUserProject({
    'a/assay.config.yaml': config,
    'b/assay.config.yaml': config,
    'a/checks.mjs': 'export const tone = { evaluate: () => 1 };',
    'b/checks.mjs': 'export const tone = { evaluate: () => 0 };',
    'a/a.eval.yaml': evalFile({ a: [{ type: 'tone' }] }),
    'b/b.eval.yaml': evalFile({ b: [{ type: 'tone' }] }),
    'c.eval.yaml': evalFile({ c: [{ type: 'tone' }] }),
  });
  const { findings, verdicts } = await run(project.path, 'a', 'b', 'c.eval.yaml');
  project.remove();
  expect(verdicts).toEqual({ a: 'passed', b: 'failed' });
  expect(placed(findings)).toEqual(['c.eval.yaml:2:50 unknown_evaluator']);
});

test('a change of an evaluator, or of a file that it loads, makes its tests run again; grade uses the current evaluator', async () => {
  const project = createUserProject({
    'assay.config.yaml': CONFIG,
    'checks.mjs': `import { wanted } from './words.mjs';\nexport const says = { evaluate: (c, { output }) => output.includes(wanted) };\n`,
    'words.mjs': `export const wanted = 'hi';\n`,
    'a.eval.yaml': evalFile({ own: [{ type: 'says' }], other: [{ type: 'contains', value: 'You' }] }),
  });
  expect((await run(project.path)).verdicts).toEqual({ own: 'passed', other: 'passed' });
  expect((await run(project.path, '--last-failed')).verdicts).toEqual({});
  writeFileSync(join(project.path, 'words.mjs'), `export const wanted = 'bye';\n`);
  const graded = await runCli(['grade', '--reporter', 'json'], { cwd: project.path });
  expect(JSON.parse(graded.stdout)).toMatchObject({
    results: [
      { test: 'own', verdict: 'failed' },
      { test: 'other', verdict: 'passed' },
    ],
  });
  expect((await run(project.path, '--last-failed')).verdicts).toEqual({ own: 'failed' });
  project.remove();
});

test('check tries the replies of an example and reports what it cannot check', async () => {
  const project = createUserProject({
    'assay.config.yaml': CONFIG,
    'checks.mjs': `
export const says = {
  example: ({ word }) => ({ pass: word, fail: 'nothing' }),
  evaluate: ({ word }, { output }) => output.includes(word),
};
export const always = { example: { pass: 'a', fail: 'b' }, evaluate: () => 1 };
export const plain = { evaluate: () => 1 };
`,
    'a.eval.yaml': evalFile({
      good: [
        { type: 'says', word: 'blue' },
        { type: 'contains', value: 'sky' },
      ],
      vacuous: [{ type: 'always' }],
      unknown: [{ type: 'plain' }],
    }),
  });
  const read = async (...args: readonly string[]) => {
    const { stdout } = await runCli(['check', '--json', ...args], { cwd: project.path });
    const { findings, not_checked } = JSON.parse(stdout) as {
      readonly findings: readonly Finding[];
      readonly not_checked: readonly { readonly kind: string; readonly reason: string }[];
    };
    return [findings.map(({ code }) => code), not_checked.map(({ kind, reason }) => `${kind}: ${reason}`)];
  };
  expect(await read('--trust-config')).toEqual([
    ['cannot_fail', 'never_broken'],
    ['plain: a custom evaluator without an `example` decides'],
  ]);
  expect(await read()).toEqual([
    ['evaluators_not_read'],
    ['says', 'always', 'plain'].map((kind) => `${kind}: its code was not read: add --trust-config`),
  ]);
  project.remove();
});
