import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

const REPLY = {
  output: 'Done.',
  tool_calls: [
    { tool: 'mcp__bank__delete_account', input: { id: 1 } },
    { tool: 'mcp__bank__notify', input: {} },
  ],
};

/** Tests whose name begins with "not" must fail. */
const CLAIMS: Readonly<Record<string, object>> = {
  exact: [
    { type: 'tool_trajectory', mode: 'exact', expected: [{ tool: 'delete_account' }, { tool: 'notify' }] },
  ],
  'exact by the whole name': [
    {
      type: 'tool_trajectory',
      mode: 'exact',
      expected: [{ tool: 'mcp__bank__delete_account' }, { tool: 'notify' }],
    },
  ],
  unordered: [
    {
      type: 'tool_trajectory',
      mode: 'unordered',
      expected: [{ tool: 'notify' }, { tool: 'delete_account' }],
    },
  ],
  minimums: [{ type: 'tool_trajectory', minimums: { notify: 1 } }],
  'the list': { tools_used: ['delete_account', 'notify'] },
  'not forbidden': [{ type: 'tool_trajectory', forbidden: ['delete_account'] }],
  'not at most': [{ type: 'tool_trajectory', maximums: { notify: 0 } }],
  'not of another server': [{ type: 'tool_trajectory', minimums: { mcp__shop__notify: 1 } }],
  'not the list of another server': { tools_used: ['delete_account', 'mcp__shop__notify'] },
};

let project: ReturnType<typeof createProject>;
beforeAll(() => {
  project = createProject({
    'agent.mjs': `export const agent = () => (${JSON.stringify(REPLY)});`,
    'names.test.json': JSON.stringify(
      Object.entries(CLAIMS).map(([id, assert]) => ({ id, input: 'Delete my account.', assert })),
    ),
  });
});
afterAll(() => project.remove());

test("an MCP tool matches by its own name and with its server's name", async () => {
  const { stdout } = await runCli(['run', '--agent', './agent.mjs', '--reporter', 'json'], {
    cwd: project.path,
  });
  const { results } = JSON.parse(stdout) as { results: { test: string; verdict: string }[] };
  expect(Object.fromEntries(results.map((result) => [result.test, result.verdict]))).toEqual(
    Object.fromEntries(Object.keys(CLAIMS).map((id) => [id, id.startsWith('not') ? 'failed' : 'passed'])),
  );
});
