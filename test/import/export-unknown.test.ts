import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { createProject, runCli, type CliResult, type Project } from '../project.ts';

/** What an export leaves out must not be known when it is imported again. */
const AGENT = `
export async function agent(input) {
  if (input === 'calls unknown') return 'ok';
  if (input === 'names only') return { output: 'ok', tools_used: ['search'] };
  if (input === 'memory') return { output: 'ok', tool_calls: [], memory: { seen: 1 } };
  if (input === 'no arguments') return { output: 'ok', tool_calls: [{ tool: 'search' }] };
  if (input === 'fails') throw new Error('no answer');
  return { output: 'ok', tool_calls: [], cost_usd: 0.1, token_usage: { input: 1, output: 1 } };
}
`;
const claims: Readonly<Record<string, string>> = {
  'calls unknown': '{ type: tool_trajectory, forbidden: [remove], required: true }',
  'names only': '{ type: tool_trajectory, mode: in_order, expected: [{ tool: search }], required: true }',
  memory: '{ type: equals, value: ok, required: true }',
  'no arguments':
    '{ type: tool_trajectory, mode: exact, expected: [{ tool: search, args: {} }], required: true }',
  fails: '{ type: contains, value: remove, negate: true, required: true }',
  cost: '{ type: cost, budget: 1, required: true }',
  'cost unknown': '{ type: latency, threshold: 1h, required: true }',
};
const SUITE = Object.entries(claims)
  .map(([id, claim]) => `- id: ${id}\n  input: ${id}\n  assert:\n    - ${claim}\n`)
  .join('');

let project: Project;
let original: readonly string[];
const run = (...args: readonly string[]): Promise<CliResult> => runCli(args, { cwd: project.path });
const verdicts = ({ stdout }: CliResult): readonly string[] =>
  (JSON.parse(stdout) as { readonly results: readonly AttemptRecord[] }).results
    .map(({ test: id, verdict }) => `${id}: ${verdict}`)
    .sort();

const MEMORY = '- id: memory\n  input: memory\n  assert: { memory.seen: 1 }\n';

beforeAll(async () => {
  project = createProject({
    'agent.mjs': AGENT,
    'all.test.yaml': SUITE,
    'memory.test.yaml': MEMORY,
  });
  original = verdicts(await run('run', 'all.test.yaml', '--agent', './agent.mjs', '--reporter', 'json'));
  expect(original.filter((each) => each.endsWith('error'))).toHaveLength(2);
  for (const to of FORMATS)
    writeFileSync(join(project.path, `${to}.log`), (await run('export', 'latest', '--to', to)).stdout);
});
afterAll(() => project.remove());

const FORMATS = ['atif', 'otlp', 'inspect', 'jsonl'];

test.each(FORMATS)('%s: what was unknown is unknown again', async (to) => {
  const imported = await run('import', `${to}.log`, '--reporter', 'json');
  const { run_id: id } = JSON.parse(imported.stdout) as { readonly run_id: string };
  expect(verdicts(await run('grade', id, '--suite', 'all.test.yaml', '--reporter', 'json'))).toEqual(
    original,
  );
  const remembered = await run('grade', id, '--suite', 'memory.test.yaml', '--reporter', 'json');
  expect(verdicts(remembered)).toEqual(['memory: passed']);
});
