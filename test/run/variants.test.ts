import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Report } from '../../src/base/model/report.ts';
import { createProject, runCli } from '../project.ts';

/** Says what it was started with. */
const PROGRAM = `process.stdin.resume().on('end', () => console.log(JSON.stringify({
  output: [...process.argv.slice(2), process.env.STYLE ?? '-', process.env.API_TOKEN ?? '-'].join(' '),
})));\n`;
const CONFIG = `targets:
  - name: program
    command: [node, ./program.mjs, base]
    variants:
      - {name: plain}
      - {name: short, args: [--short, two words], env: {STYLE: terse}}
      - {name: secret, env: {API_TOKEN: very-secret-value}}
  - name: line
    agent: 'cmd: node ./program.mjs'
    variants: [{name: quoted, args: ["it's", '$HOME']}]
  - name: template
    command_template: 'node ./program.mjs {PROMPT}'
    variants: [{name: more, args: ['a b', "'"]}]
  - name: canned
    provider: mock
    response: '\${{ GREETING }}'
    variants:
      - {name: hello, env: {GREETING: hello}}
      - {name: hi, env: {GREETING: hi}}
  - name: canned/other
    provider: mock
    response: other
`;
const SUITE = `targets: [program, line, template/more, canned, canned/other, canned/hi]
evalcases: [{id: t, input: x, evaluators: [{type: regex, value: .}]}]
`;

const projects: ReturnType<typeof createProject>[] = [];
afterAll(() => projects.forEach((project) => project.remove()));
function create(files: Readonly<Record<string, string>>): string {
  const project = createProject({ 'program.mjs': PROGRAM, ...files });
  projects.push(project);
  return project.path;
}

test("each variant is a target, and the target's name selects all of them", async () => {
  const cwd = create({ 'assay.config.yaml': CONFIG, 'a.eval.yaml': SUITE });
  const { stdout } = await runCli(['run', '--reporter', 'json'], { cwd });
  const { results, summary } = JSON.parse(stdout) as Report;
  expect(summary.targets?.map(({ target }) => target)).toEqual([
    'program/plain',
    'program/short',
    'program/secret',
    'line/quoted',
    'template/more',
    'canned/hello',
    'canned/hi',
    'canned/other',
  ]);
  const said = Object.fromEntries(results.map(({ target, steps }) => [target, steps[0]!.output]));
  expect(said).toEqual({
    'program/plain': 'base - -',
    'program/short': 'base --short two words terse -',
    'program/secret': 'base - [redacted]',
    'line/quoted': "it's $HOME - -",
    'template/more': "x a b ' - -",
    'canned/hello': 'hello',
    'canned/hi': 'hi',
    'canned/other': 'other',
  });
  // A judge is one model: a name that means several is none.
  writeFileSync(join(cwd, 'assay.config.yaml'), `judge: canned\n${CONFIG}`);
  const { stdout: found, exitCode } = await runCli(['validate', '--json'], { cwd });
  expect(exitCode).toBe(2);
  expect(found).toContain('unknown judge \\"canned\\"');
});

test('each variant of a function has a process with its own variables', async () => {
  const cwd = create({
    'assay.config.yaml': `targets:
  - name: f
    agent: ./f.mjs
    variants: [{name: a, env: {WHO: a, NODE_OPTIONS: --no-warnings}}, {name: b, env: {WHO: b}}, {name: c, with: {x: 1}}]
`,
    'f.mjs':
      "const who = process.env.WHO;\nexport const agent = () => [who, process.execArgv, process.env.NODE_OPTIONS].join(' ');\n",
    'a.eval.yaml':
      'evalcases: [{id: t, input: x, execution: {target: f}, evaluators: [{type: regex, value: .}]}]\n',
  });
  const { stdout } = await runCli(['run', '--reporter', 'json'], { cwd });
  const { results } = JSON.parse(stdout) as Report;
  expect(results.map(({ target, steps }) => [target, steps[0]!.output])).toEqual([
    ['f/a', 'a  --no-warnings'],
    ['f/b', 'b  '],
    ['f/c', '  '],
  ]);
});

describe('a mistake in variants', () => {
  const variants: readonly (readonly [string, string, RegExp])[] = [
    ['command: [x]\n    variants: [{name: a/b}]', 'variant_name', /"a\/b" cannot be the name of a variant/],
    ['command: [x]\n    variants: [{name: "a,b"}]', 'variant_name', /"a,b"/],
    ['command: [x]\n    variants: [{name: " a"}]', 'variant_name', /" a"/],
    ['command: [x]\n    variants: []', 'empty', /must not be an empty list/],
    ['command: [x]\n    variants: [{args: [y]}]', 'missing_name', /name/],
    ['command: [x]\n    variants: [{name: a, modle: y}]', 'unknown_field', /modle/],
    [
      'command: [x]\n    variants: [{name: a, args: [y]}, {name: a, args: [z]}]',
      'duplicate_target',
      /"a" is already the name of `variants\[0\]`/,
    ],
    ['command: [x]\n    variants: [{name: a, model: y}]', 'variant_field', /cannot set `model`/],
    ['command: [x]\n    variants: [{name: a, system: y}]', 'variant_field', /cannot set `system`/],
    ['agent: ./program.mjs\n    variants: [{name: a, args: [y]}]', 'variant_field', /cannot set `args`/],
    [
      'provider: mock\n    response: x\n    variants: [{name: a, env: {X: y}}]',
      'variant_field',
      /nothing uses the variable X/,
    ],
    [
      'agent: ./program.mjs\n    isolate: false\n    variants: [{name: a, env: {X: y}}]',
      'variant_field',
      /nothing uses the variable X/,
    ],
    ['url: http://127.0.0.1:1\n    variants: [{name: a, args: [y]}]', 'variant_field', /cannot set `args`/],
    ['command: [x]\n    variants: [{name: a}, {name: b}]', 'same_variant', /"b" changes nothing that "a"/],
    ['provider: openai\n    variants: [{name: a, system: x}]', 'missing_model', /model/],
  ];

  test('is an error at its place', async () => {
    const targets = variants.map(([written], index) => `  - name: t${index}\n    ${written}\n`);
    const cwd = create({
      'assay.config.yaml': `targets:\n${targets.join('')}`,
      'a.eval.yaml': 'evalcases: [{id: t, input: x, evaluators: [{type: regex, value: .}]}]\n',
    });
    const { stdout, exitCode } = await runCli(['validate', '--json'], { cwd });
    expect(exitCode).toBe(2);
    const errors = (JSON.parse(stdout) as Report).findings.filter(({ severity }) => severity === 'error');
    for (const [index, [written, code, said]] of variants.entries()) {
      const own = errors.filter(({ path }) => path.startsWith(`targets[${index}]`));
      expect({ written, own }).toMatchObject({
        own: [{ code, message: expect.stringMatching(said) as string, file: 'assay.config.yaml' }],
      });
    }
    expect(errors).toHaveLength(variants.length);
  });

  test("is reported for a target with a variant's name and for a name with a comma", async () => {
    const cwd = create({
      'assay.config.yaml':
        'targets:\n- {name: t, command: [node], variants: [{name: v}]}\n- {name: t/v, command: [node]}\n- {name: "a,b", command: [node]}\n',
      'a.eval.yaml': 'evalcases: [{id: t, input: x, evaluators: [{type: regex, value: .}]}]\n',
    });
    const { stdout } = await runCli(['validate', '--json'], { cwd });
    expect((JSON.parse(stdout) as Report).findings).toMatchObject([
      { code: 'duplicate_target', line: 3 },
      { code: 'target_name', severity: 'warning', line: 4 },
    ]);
    const near = await runCli(['run', '--target', 't/w'], { cwd });
    expect(near.stderr).toContain('did you mean `t/v`?');
  });
});
