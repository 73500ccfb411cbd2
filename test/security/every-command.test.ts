import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject, runCli, type CliResult } from '../project.ts';
import { NAUGHTY, NAUGHTY_NAMES } from './naughty-strings.ts';
import { strangeInTerminal } from './terminal-stream.ts';

/** Every naughty string that an argument may hold, in one. What a config would fill in is left out. */
const ARGUMENT = `x ${NAUGHTY.filter((text) => !/\0|\$\{\{|\p{Surrogate}/u.test(text) && text.length < 1000).join(' | ')}`;

/** A name for `--target`, which separates names at commas. */
const TARGET = ARGUMENT.replaceAll(/\s*,\s*/g, ' ').trim();

const STEPS = 'ok/steps.test.json';
const CASES = 'ok/cases.eval.yaml';

const project = createProject({
  'ok/steps.test.json': ascii(
    NAUGHTY.map((text, index) => ({
      id: `${index} ${text}`,
      description: text,
      tags: [text],
      memory: { [text]: text },
      steps: [
        { input: text, assert: { 'output.equals': `not ${text}` } },
        { input: 'again', expected: { output: text, tools_used: [text], memory: { [text]: `not ${text}` } } },
      ],
    })),
  ),
  'ok/cases.eval.yaml': ascii({
    evalcases: NAUGHTY.map((text, index) => ({
      id: `${text} ${index}`,
      expected_outcome: text,
      input_messages: [
        { role: 'system', content: text },
        { role: 'user', content: [{ type: 'text', value: text }] },
      ],
      evaluators: [{ name: `${text} ${index}`, type: 'contains_all', value: [text, `not ${text}`] }],
    })),
  }),
  'ok/dataset.jsonl': NAUGHTY.map((text, index) =>
    JSON.stringify({ id: `${text} ${index}`, expected_outcome: text, input: text, execution: {} }),
  ).join('\n'),
  'broken/steps.test.json': ascii(
    NAUGHTY.map((text, index) => ({
      id: `${index} ${text}`,
      input: text,
      [`${text} key`]: text,
      assert: { [`${text}.x`]: 1 },
    })),
  ),
  'broken/cases.eval.yaml': ascii({
    evalcases: NAUGHTY.map((text) => ({
      id: 'same',
      outcome: text,
      evaluators: [{ type: text, name: text }],
    })),
  }),
  'broken/assay.config.yaml': ascii({
    targets: NAUGHTY.map((text) => ({ name: text, provider: `${text} provider`, [text]: text })),
  }),
  'examples.jsonl': NAUGHTY.map((text) =>
    JSON.stringify({ input: text, output: text, expected_outcome: text, label: true }),
  ).join('\n'),
  'broken-examples.jsonl': NAUGHTY.map((text) => JSON.stringify({ [text]: text })).join('\n'),
  'assay.config.yaml': ascii({
    judge: `judge ${ARGUMENT}`,
    targets: [
      {
        name: `judge ${ARGUMENT}`,
        provider: 'mock',
        response: { score: 0.25, reasoning: NAUGHTY.join(' ') },
      },
      { name: TARGET, provider: 'mock', response: ARGUMENT.replaceAll(' | ', '\n') },
    ],
  }),
  'agent.mjs': `
console.log(${JSON.stringify(NAUGHTY.join(' '))});
export function agent(input, memory) {
  console.log(input);
  return { output: input, tools_used: [input + ' '], memory: { [input]: memory } };
}`,
});
const RUN = '{the first run}';
const run = (...args: readonly string[]): Promise<CliResult> =>
  runCli(
    args.map((word) => (word === RUN ? runId : word)),
    { cwd: project.path },
  );

let runId = '';

beforeAll(async () => {
  const { exitCode, stderr } = await run('run', STEPS, CASES, ...AGENT);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 1 });
  runId = readdirSync(join(project.path, '.assay', 'runs'))[0]!;
});
afterAll(() => project.remove());

/** YAML takes no C1 controls as they are. */
function ascii(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const AGENT = ['--agent', './agent.mjs'];

describe('what people read', () => {
  test.each<readonly [string, readonly string[], number]>([
    ['run', ['run', 'ok', ...AGENT], 1],
    ['run with a target', ['run', CASES, '--target', TARGET], 1],
    ['run of broken files', ['run', 'broken', ...AGENT], 2],
    ['run with a target that is not there', ['run', STEPS, '--target', `${ARGUMENT} not`], 2],
    ['run with an agent that is not there', ['run', STEPS, '--agent', ARGUMENT], 2],
    ['run with an agent file that is not there', ['run', STEPS, '--agent', `${ARGUMENT}.py`], 2],
    [
      'run with a program that is not there',
      ['run', STEPS, '--agent', `cmd: ./${ARGUMENT.replaceAll(/["'\\]/g, '')}`],
      2,
    ],
    ['run with a path that is not there', ['run', ARGUMENT], 2],
    ['run with a grep that finds nothing', ['run', STEPS, '-t', `${ARGUMENT} not`, ...AGENT], 2],
    ['run with a run that is not there', ['run', STEPS, `--resume=${ARGUMENT}`, ...AGENT], 2],
    ['run with a wrong value', ['run', '--timeout', ARGUMENT], 2],
    ['run with a reporter that is not there', ['run', '--reporter', ARGUMENT], 2],
    ['list', ['run', '--list', 'ok'], 0],
    ['list of broken files', ['run', '--list', 'broken'], 2],
    ['validate', ['validate', 'ok'], 0],
    ['validate broken files', ['validate', 'broken'], 2],
    ['check', ['check', 'ok'], 1],
    ['check of broken files', ['check', 'broken'], 2],
    ['check with a path that is not there', ['check', ARGUMENT], 2],
    ['check with a wrong value', ['check', '--threshold', ARGUMENT], 2],
    ['show', ['show', 'ok'], 0],
    ['show broken files', ['show', 'broken'], 2],
    ['grade', ['grade', RUN], 1],
    ['grade a run that is not there', ['grade', ARGUMENT], 2],
    ['merge', ['merge', RUN, RUN], 1],
    ['merge a run that is not there', ['merge', ARGUMENT], 2],
    ['judge-check', ['judge-check', 'examples.jsonl'], 0],
    ['judge-check of broken examples', ['judge-check', 'broken-examples.jsonl'], 2],
    ['judge-check with a file that is not there', ['judge-check', ARGUMENT], 2],
    [
      'judge-check with a judge that is not there',
      ['judge-check', 'examples.jsonl', '--judge', `${ARGUMENT} not`],
      2,
    ],
    ['init', ['init', `no/${ARGUMENT.repeat(20)}`], 2],
    ['schema', ['schema', ARGUMENT], 2],
    ['a command that is not there', [ARGUMENT], 2],
    ['an option that is not there', ['run', `--${ARGUMENT}`], 2],
  ])('%s', async (_, args, exitCode) => {
    const result = await run(...args);
    expect(strangeInTerminal(Buffer.from(result.stdout))).toEqual([]);
    expect(strangeInTerminal(Buffer.from(result.stderr))).toEqual([]);
    expect(result.stdout + result.stderr).not.toContain('a bug in Assay');
    expect(result.exitCode).toBe(exitCode);
  });
});

describe('JSON', () => {
  test.each<readonly [string, readonly string[]]>([
    ['run', ['run', 'ok', ...AGENT, '--reporter', 'json']],
    ['run of broken files', ['run', 'broken', ...AGENT, '--reporter', 'json']],
    ['run with a target that is not there', ['run', '--target', ARGUMENT, '--reporter', 'json']],
    ['grade', ['grade', RUN, '--reporter', 'json']],
    ['merge', ['merge', RUN, '--reporter', 'json']],
    ['validate', ['validate', '--json']],
    ['check', ['check', 'ok', '--json']],
    ['show', ['show', '--json']],
    ['judge-check', ['judge-check', 'examples.jsonl', '--json']],
  ])('%s is one document and harmless on a terminal', async (_, args) => {
    const { stdout, stderr } = await run(...args);
    expect(() => JSON.parse(stdout) as unknown).not.toThrow();
    // oxlint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    expect(strangeInTerminal(Buffer.from(stderr))).toEqual([]);
  });

  test('every text is unchanged', async () => {
    const { stdout } = await run('run', STEPS, ...AGENT, '--reporter', 'json');
    const { results } = JSON.parse(stdout) as {
      results: {
        description: string;
        tags: string[];
        steps: { input: string; tools_used: string[]; memory: object }[];
      }[];
    };
    expect(results.map(({ description }) => description)).toEqual(NAUGHTY);
    expect(results.map(({ tags }) => tags)).toEqual(NAUGHTY.map((text) => [text]));
    expect(results.map(({ steps }) => steps[0]!.input)).toEqual(NAUGHTY);
    expect(results.map(({ steps }) => steps[0]!.tools_used)).toEqual(NAUGHTY.map((text) => [`${text} `]));
    expect(results.map(({ steps }) => Object.keys(steps[0]!.memory))).toEqual(NAUGHTY.map((text) => [text]));
  });
});

test('files and folders with naughty names are found, run and shown', async () => {
  const suite = JSON.stringify([{ id: 'a', input: 'x', assert: { 'output.equals': 'y' } }]);
  const named = createProject({
    ...Object.fromEntries(NAUGHTY_NAMES.map((name) => [`${name}/${name}.test.json`, suite])),
    'agent.mjs': 'export const agent = (input) => input;',
  });
  try {
    for (const args of [
      ['run', ...AGENT],
      ['run', '--list'],
      ['validate'],
      ['check'],
      ['show'],
      ['grade'],
      ['merge', 'latest'],
    ]) {
      const { stdout, stderr, exitCode } = await runCli(args, { cwd: named.path });
      expect(strangeInTerminal(Buffer.from(stdout + stderr))).toEqual([]);
      expect(exitCode).toBe(['run', 'grade', 'merge'].includes(args[0]!) && args[1] !== '--list' ? 1 : 0);
    }
    const { stdout } = await runCli(['run', ...AGENT, '--reporter', 'json'], { cwd: named.path });
    const { results } = JSON.parse(stdout) as { results: { file: string }[] };
    // A leading dot hides a folder.
    const seen = NAUGHTY_NAMES.filter((name) => !name.startsWith('.'));
    expect(new Set(results.map(({ file }) => file))).toEqual(
      new Set(seen.map((name) => `${name}/${name}.test.json`)),
    );
  } finally {
    named.remove();
  }
});
