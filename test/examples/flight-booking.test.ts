import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAssay } from '../docs/assay-process.ts';
import { Workspace } from '../docs/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.create();
});
afterAll(() => workspace.remove());

test.each([
  ['--target', 'default'],
  ['--target', 'python'],
  ['--target', 'command'],
  ['--target', 'http'],
  ['--agent', 'examples/flight-booking/agent.ts'],
  ['--agent', 'examples/flight-booking/agent.mjs'],
  ['--agent', 'examples/flight-booking/agent.py'],
  ['--agent', 'cmd: node examples/flight-booking/command-agent.mjs'],
])('assay run examples/flight-booking %s %s', async (...choice) => {
  const args = ['run', 'examples/flight-booking', '--strict', '--reporter', 'json', ...choice];
  const { stdout, exitCode } = await runAssay(args, workspace.path);
  const { summary, findings } = JSON.parse(stdout) as { summary: object; findings: unknown[] };
  expect({ exitCode, findings }).toEqual({ exitCode: 0, findings: [] });
  expect(summary).toMatchObject({ tests: 5, passed: 5, failed: 0, error: 0, skipped: 0 });
});
