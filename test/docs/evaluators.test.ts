import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAssertionKinds } from '../../src/assertions/registry.ts';
import { createProject, runAssay, ROOT } from './assay-process.ts';

const AGENT = `export const agent = () => ({ output: '{"a":1}', tools_used: [], memory: { a: 1 }, cost_usd: 0, token_usage: { input: 1, output: 1 } });`;

/** What an evaluator needs besides its type. */
const PARAMETERS: Readonly<Record<string, object>> = {
  contains: { value: 'a' },
  icontains: { value: 'A' },
  contains_any: { value: ['a'] },
  contains_all: { value: ['a'] },
  starts_with: { value: '{' },
  ends_with: { value: '}' },
  equals: { value: '{"a":1}' },
  regex: { value: 'a' },
  tool_trajectory: { max_calls: 1 },
  field_accuracy: { fields: [{ path: 'a', match: 'exact' }] },
  latency: { threshold: 60_000 },
  cost: { budget: 1 },
  token_usage: { max_total: 10 },
  execution_metrics: { max_tool_calls: 1 },
  memory: { path: 'a', exists: true },
  code_judge: { script: ['true'] },
  rubric: { rubrics: ['Is good'] },
  composite: { evaluators: [{ type: 'contains', value: 'a' }] },
};

test('docs/formats.md says which evaluators cannot be evaluated yet', async () => {
  const kinds = createAssertionKinds().evaluators.map(({ kind }) => kind);
  const evalcases = kinds.map((kind) => ({
    id: kind,
    input: 'Hello',
    expected_outcome: 'Answers',
    expected_output: { a: 1 },
    evaluators: [{ type: kind, ...PARAMETERS[kind] }],
  }));
  const project = createProject({ 'agent.mjs': AGENT, 'all.eval.json': JSON.stringify({ evalcases }) });
  const { stdout } = await runAssay(['run', '--agent', './agent.mjs', '--reporter', 'json'], project.path);
  project.remove();
  const { results } = JSON.parse(stdout) as { results: { test: string; error?: { message: string } }[] };
  expect(results.length).toBe(kinds.length);
  const notYet = results
    .filter(({ error }) => / yet\b/.test(error?.message ?? ''))
    .map(({ test: kind }) => kind);
  const page = readFileSync(join(ROOT, 'docs/formats.md'), 'utf8');
  const [, sentence = ''] = /\*\*What runs today\.\*\*([\s\S]*?)\./.exec(page) ?? [];
  expect([...sentence.matchAll(/`(\w+)`/g)].map(([, kind]) => kind)).toEqual(notYet.sort());
});
