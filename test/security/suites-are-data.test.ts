import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { createProject, runCli } from '../project.ts';

/** Every way in which some program would fill in a variable, or run something. */
const TEXTS = [
  '$CANARY',
  '${CANARY}',
  '${{ CANARY }}',
  '{{ CANARY }}',
  '{{env.CANARY}}',
  '%CANARY%',
  '{CANARY}',
  '<%= CANARY %>',
  '${process.env.CANARY}',
  '$(printenv CANARY)',
  '`printenv CANARY`',
  '!!env CANARY',
  '{{input}} {PROMPT} {EVAL_ID}',
  '$(touch pwned)',
  '`touch pwned`',
  '; touch pwned',
  "'; touch pwned; '",
];

const project = createProject({
  'steps.test.json': JSON.stringify(
    TEXTS.map((text) => ({
      id: text,
      description: text,
      input: text,
      memory: { [text]: text },
      assert: { 'output.equals': text },
    })),
  ),
  'cases.eval.yaml': JSON.stringify({
    evalcases: TEXTS.map((text) => ({
      id: text,
      expected_outcome: text,
      input: text,
      evaluators: [{ name: text, type: 'equals', value: text }],
    })),
  }),
  'dataset.jsonl': TEXTS.map((text) =>
    JSON.stringify({
      id: text,
      expected_outcome: text,
      input: text,
      evaluators: [{ name: text, type: 'contains', value: text }],
    }),
  ).join('\n'),
  'programs.eval.yaml': JSON.stringify({
    evalcases: [
      {
        id: 'a',
        expected_outcome: 'x',
        input: 'x',
        evaluators: [
          { name: 'c', type: 'code_judge', script: ['touch', 'pwned'] },
          { name: 'p', type: 'llm_judge', prompt: { script: ['touch', 'pwned'] } },
        ],
      },
    ],
  }),
  'agent.mjs': 'export const agent = (input, memory) => ({ output: input, memory });',
  'assay.config.yaml': `targets:
  - { name: template, provider: cli, command_template: "printf %s {PROMPT} {EVAL_ID}" }
`,
  '.env': 'CANARY=the value of the variable\n',
});
afterAll(() => project.remove());
const run = (...args: readonly string[]) =>
  runCli(args, { cwd: project.path, env: { CANARY: 'the value of the variable' } });

describe('a suite is data', () => {
  test.each(['steps.test.json', 'cases.eval.yaml', 'dataset.jsonl'])(
    '%s gets no environment variables filled in, and nothing of it is run',
    async (file) => {
      const { exitCode, stdout } = await run('run', file, '--agent', './agent.mjs', '--reporter', 'json');
      const { results } = JSON.parse(stdout) as { results: AttemptRecord[] };
      expect(results.map(({ test: id }) => id)).toEqual(TEXTS);
      expect(exitCode).toBe(0);
      for (const args of [['validate', file], ['show', file, '--json'], ['run', '--list', file], ['grade']])
        expect((await run(...args)).stdout).not.toContain('the value of the variable');
      expect(stdout).not.toContain('the value of the variable');
      expect(existsSync(join(project.path, 'pwned'))).toBe(false);
    },
  );

  test('text in the holes of a command template stays one argument', async () => {
    const { stdout } = await run('run', 'cases.eval.yaml', '--target', 'template', '--reporter', 'json');
    const { results } = JSON.parse(stdout) as { results: AttemptRecord[] };
    const outputs = new Map(results.map(({ test: id, steps }) => [id, steps[0]!.output]));
    expect(outputs).toEqual(new Map(TEXTS.map((text) => [text, text + text])));
    expect(existsSync(join(project.path, 'pwned'))).toBe(false);
  });

  test('a hole in quotes is refused before anything runs, and its variable is safe there', async () => {
    const refused = [
      `echo "{PROMPT}"`,
      `echo '{PROMPT}'`,
      `sh -c 'echo {PROMPT}'`,
      `sh -c "echo {EVAL_ID}"`,
      'cat <<END\n{PROMPT}\nEND\n',
      'echo `echo {PROMPT}`',
      'true # {PROMPT}',
      String.raw`echo \{PROMPT}`,
      `echo "a" 'b' "$(echo "{PROMPT}")"`,
    ];
    const safe = `sh -c 'printf %s "$ASSAY_PROMPT$ASSAY_EVAL_ID" > "$ASSAY_OUTPUT_FILE"'`;
    const target = (command_template: string, more = {}) => ({ provider: 'cli', command_template, ...more });
    const targets = [
      ...refused.map((line, index) => ({ name: `t${index}`, ...target(line) })),
      { name: 'format', ...target('echo {FILES}', { files_format: '--file="{path}"' }) },
      { name: 'safe', ...target(safe) },
    ];
    writeFileSync(join(project.path, 'quoted.yaml'), JSON.stringify({ targets }));
    for (const { name } of targets.slice(0, -1)) {
      const args = ['run', 'cases.eval.yaml', '--config', 'quoted.yaml', '--target', name];
      const { exitCode, stderr } = await run(...args);
      expect([name, exitCode]).toEqual([name, 2]);
      expect(stderr).toContain('without quotes: Assay quotes the value');
    }
    const args = [
      'run',
      'cases.eval.yaml',
      '--config',
      'quoted.yaml',
      '--target',
      'safe',
      '--reporter',
      'json',
    ];
    const { results } = JSON.parse((await run(...args)).stdout) as { results: AttemptRecord[] };
    expect(results.map(({ steps }) => steps[0]!.output).toSorted()).toEqual(
      TEXTS.map((text) => text + text).toSorted(),
    );
    expect(existsSync(join(project.path, 'pwned'))).toBe(false);
  });

  test('no program that it names runs unless it was allowed', async () => {
    for (const args of [
      ['validate'],
      ['show'],
      ['run', 'programs.eval.yaml', '--agent', './agent.mjs'],
      ['grade'],
    ])
      await run(...args);
    const { exitCode, stdout } = await run('run', 'programs.eval.yaml', '--agent', './agent.mjs');
    expect(exitCode).toBe(3);
    expect(stdout).toContain('--allow-scripts');
    expect(existsSync(join(project.path, 'pwned'))).toBe(false);
  });
});
