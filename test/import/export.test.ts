import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { createProject, runCli, type CliResult, type Project } from '../project.ts';

/** What an agent did in four runs of two tests: with calls, failing calls, several turns, tokens. */
const AGENT = `
let count = 0;
export async function agent(input) {
  if (input === 'Bye') return { output: 'See you', tool_calls: [], token_usage: { input: 5, output: 2 } };
  const isOdd = ++count % 2 === 1;
  return {
    output: isOdd ? 'Clear in Paris' : 'No idea',
    tool_calls: isOdd
      ? [
          { tool: 'weather', id: 'a', input: { city: 'Paris', days: [1, 2] }, output: { sky: 'clear' } },
          { tool: 'weather', id: 'b', input: { city: 'Rome' }, output: 'no data', status: 'error' },
        ]
      : [],
    token_usage: { input: 100, output: 20, cached: 50 },
    cost_usd: 0.01,
  };
}
`;
const SUITE = `
- id: paris
  steps:
    - input: Weather?
      assert:
        - { type: contains, value: Paris }
        - { type: tool_trajectory, mode: exact, expected: [{ tool: weather, args: { city: Paris, days: [1, 2] } }, { tool: weather, args: { city: Rome } }] }
        - { type: token_usage, max_total: 180, required: true }
    - input: Bye
      assert:
        - { type: equals, value: See you }
        - { type: tool_trajectory, mode: exact, expected: [] }
- id: rome
  input: Rome?
  assert:
    - { type: contains, value: Paris, required: true }
    - { type: tool_trajectory, forbidden: [book], required: true }
`;

let project: Project;
let original: readonly AttemptRecord[];
const run = (...args: readonly string[]): Promise<CliResult> => runCli(args, { cwd: project.path });
beforeAll(async () => {
  project = createProject({ 'agent.mjs': AGENT, 'weather.test.yaml': SUITE });
  const { stdout, stderr } = await run(
    'run',
    'weather.test.yaml',
    '--agent',
    './agent.mjs',
    '--repeats',
    '2',
    '--workers',
    '1',
    '--reporter',
    'json',
  );
  expect(stdout, stderr).not.toBe('');
  original = (JSON.parse(stdout) as { readonly results: readonly AttemptRecord[] }).results;
  const verdicts = original.map(({ verdict }) => verdict);
  expect(new Set(verdicts)).toEqual(new Set(['passed', 'failed']));
  for (const to of ['atif', 'otlp', 'inspect', 'jsonl'])
    writeFileSync(join(project.path, `${to}.log`), (await run('export', 'latest', '--to', to)).stdout);
});
afterAll(() => project.remove());

const verdictsOf = (records: readonly AttemptRecord[]): readonly string[] =>
  records.map(({ test: id, repeat, verdict }) => `${id} ${repeat} ${verdict}`).sort();

describe.each(['atif', 'otlp', 'inspect', 'jsonl'])('%s', (to) => {
  test('an export that is imported and graded has the same verdicts', async () => {
    const imported = await run('import', `${to}.log`, '--reporter', 'json');
    expect(imported.exitCode, imported.stdout).toBe(0);
    const { run_id: id, results: recorded } = JSON.parse(imported.stdout) as {
      readonly run_id: string;
      readonly results: readonly AttemptRecord[];
    };
    expect(recorded.every(({ verdict }) => verdict === 'not_graded')).toBe(true);
    const graded = await run('grade', id, '--suite', 'weather.test.yaml', '--reporter', 'json');
    const { results } = JSON.parse(graded.stdout) as { readonly results: readonly AttemptRecord[] };
    expect(verdictsOf(results)).toEqual(verdictsOf(original));
  });
});

test('OTLP carries the verdict', async () => {
  const { stdout } = await run('export', 'latest', '--to', 'jsonl');
  expect(stdout).toContain('"messages"');
  const text = await import('node:fs').then(({ readFileSync }) =>
    readFileSync(join(project.path, 'otlp.log'), 'utf8'),
  );
  for (const name of [
    'test.suite.run.id',
    'test.case.id',
    'test.case.result.status',
    'gen_ai.evaluation.result',
  ])
    expect(text).toContain(`"${name}"`);
});

test('a format has to be named', async () => {
  const { exitCode, stderr } = await run('export', 'latest');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('--to atif|otlp|inspect|jsonl');
});
