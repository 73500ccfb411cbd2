import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { needProgram } from '../need-program.ts';
import { createProject, runCli } from '../project.ts';
import { NAUGHTY, naughtyProject } from './naughty-suite.ts';

interface Case {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly outcome: string | null;
  readonly message: string | null;
  readonly text: string | null;
  readonly properties: Record<string, string>;
  readonly system_out: string | null;
}

let project: ReturnType<typeof createProject>;
let file: string;
let suites: readonly { readonly name: string; readonly cases: readonly Case[] }[];

beforeAll(async () => {
  project = createProject(naughtyProject());
  file = join(project.path, 'out/junit.xml');
  const args = ['run', 'suites', '--agent', './agent.mjs', '--repeats', '2', '--workers', '1'];
  await runCli([...args, '--reporter', 'junit=out/junit.xml'], { cwd: project.path });
  const consumer = fileURLToPath(new URL('read-junit.py', import.meta.url));
  suites = JSON.parse(execFileSync('python3', [consumer, file], { encoding: 'utf8' })) as typeof suites;
});
afterAll(() => project.remove());

const caseOf = (name: string) => suites.flatMap(({ cases }) => cases).find((one) => one.name === name)!;

test('the report is valid XML in the structure that consumers expect', () => {
  const xmllint = needProgram('xmllint', 'libxml2-utils');
  const schema = fileURLToPath(new URL('../fixtures/junit.xsd', import.meta.url));
  const { status, stderr } = spawnSync(xmllint, ['--noout', '--schema', schema, file], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: `${file} validates\n` });
});

test('there is a suite for each file and a case for each test, with its place', () => {
  expect(suites.map(({ name, cases }) => [name, cases.length])).toEqual([
    ['suites/hostile.test.json', NAUGHTY.length],
    ['suites/verdicts.test.yaml', 6],
    ['suites/invalid.test.yaml', 1],
  ]);
  expect(caseOf('fails')).toMatchObject({ file: 'suites/verdicts.test.yaml', line: 5 });
});

test('failures and errors differ, a skipped test has its reason, and an invalid file is not green', () => {
  expect(caseOf('passes').outcome).toBe(null);
  expect(caseOf('fails')).toMatchObject({
    outcome: 'failure',
    message: 'output.equals: expected "goodbye", got "hello"',
  });
  expect(caseOf('throws').outcome).toBe('error');
  expect(caseOf('skipped')).toMatchObject({ outcome: 'skipped', message: 'later | # ]]> soon' });
  expect(caseOf('unknown_assertion at line 3')).toMatchObject({
    outcome: 'error',
    text: expect.stringContaining('suites/invalid.test.yaml:3:3 error'),
  });
});

test('attempts are properties; the text has the place, the difference and the rerun command; system-out has the conversation', () => {
  const { properties, text, system_out } = caseOf('flaky');
  expect(properties).toMatchObject({ target: './agent.mjs', attempts: '2' });
  expect(properties['attempt 1']).toMatch(/^passed, \d+\.\d{3} s, score 1$/);
  expect(properties['attempt 2']).toMatch(/^failed, \d+\.\d{3} s, score 0$/);
  expect(text).toContain('suites/verdicts.test.yaml:16:27');
  expect(text).toContain('output.equals: expected "no", got "yes"');
  expect(text).toContain('rerun: assay run suites/verdicts.test.yaml:14 --agent ./agent.mjs');
  expect(system_out).toBe('  input:  flaky\n  output: yes\n');
});

test('tests with any names can be told apart, and no name can mislead a reader', () => {
  expect(caseOf(String.raw`0 \x1b[31mred\x1b[0m`)).toBeDefined();
  expect(caseOf('11 ]]> <![CDATA[ &xxe; <!DOCTYPE x>')).toBeDefined();
  expect(caseOf(String.raw`17 lone \u{d83d} surrogate \u{dc00}`)).toBeDefined();
  expect(readFileSync(file, 'utf8')).not.toMatch(
    // oxlint-disable-next-line no-control-regex
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]|\]\]>/,
  );
});

test('a test with two targets gives two cases', async () => {
  const target = (name: string, response: string) => ({ name, provider: 'mock', response });
  const two = createProject({
    'targets.yaml': JSON.stringify({ targets: [target('a', 'yes'), target('b', 'no')] }),
    'a.test.yaml': 'id: same\ninput: x\nassert: {output.equals: "yes"}\n',
  });
  const assay = (...args: string[]) => runCli(args, { cwd: two.path });
  for (const name of ['a', 'b']) await assay('run', '--target', name);
  const { stdout } = await assay(
    'merge',
    ...readdirSync(join(two.path, '.assay/runs')),
    '--reporter',
    'junit',
  );
  two.remove();
  expect(
    [...stdout.matchAll(/<(?:testcase name|failure message)="([^"]*)"/g)].map(([, name]) => name),
  ).toEqual(['same [a]', 'same [b]', 'output.equals: expected &quot;yes&quot;, got &quot;no&quot;']);
});

test('a test that fails only by its score has a reason in every report', async () => {
  const weightless = '{ type: contains, value: x, weight: 0 }';
  const scored = createProject({
    'a.eval.yaml': `cases:\n  - { id: a, input: x, evaluators: [${weightless}] }\n  - { id: b, input: x, evaluators: [{ type: code_judge, script: [echo, '{"score": 0.5}'], required: 0.1 }] }\n`,
  });
  const args = ['run', '--agent', 'cmd: echo x', '--allow-scripts', '--no-record', '--reporter'];
  const { stdout } = await runCli([...args, 'terminal', '--reporter', 'junit=out.xml'], {
    cwd: scored.path,
  });
  const xml = readFileSync(join(scored.path, 'out.xml'), 'utf8');
  scored.remove();
  for (const report of [stdout, xml]) {
    expect(report).toContain('score: no evaluator has a weight');
    expect(report).toContain('score: every assertion passes, but the score 0.50 is below the threshold');
  }
  expect(xml.match(/<failure /g)).toHaveLength(2);
});
