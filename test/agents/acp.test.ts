import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Report } from '../../src/base/model/report.ts';
import { createProject, runCli } from '../project.ts';

// In full, with one run for each case: test/long/acp-scripted.test.ts.

const AGENT = fileURLToPath(new URL('../fixtures/acp/scripted-agent.mjs', import.meta.url));

const TESTS = [
  {
    id: 'turn',
    steps: [
      {
        input: 'call:count_lines say:Three spend:0.5',
        assert: [
          { type: 'equals', value: 'Three' },
          {
            type: 'tool_trajectory',
            mode: 'exact',
            expected: [{ tool: 'count_lines', args: { path: 'a.txt' } }],
          },
        ],
      },
      {
        input: 'turns spend:0.25',
        assert: [
          { type: 'contains', value: 'turn 2 of' },
          { type: 'cost', budget: 0.25 },
        ],
      },
    ],
  },
  {
    id: 'rules',
    input: 'ask:read ask:rm_all',
    approvals: { rules: [{ tool: 'rm*', do: 'deny' }], default: 'allow' },
    assert: { approvals_asked: ['read', 'rm_all'], 'output.equals': '[rm_all: no]' },
  },
  {
    id: 'steps',
    steps: [
      { input: 'ask:one ask:two', assert: { approvals_asked: ['one'] } },
      { deny: 'No.', assert: { approvals_asked: ['two'] } },
      { approve: true, assert: { 'output.equals': '[two: yes]', tools_used: ['one', 'two'] } },
    ],
  },
  {
    id: 'first move',
    input: 'skill:pdf call:other',
    stop_after: 'first_tool_call',
    assert: [{ type: 'skill_used', value: 'pdf' }],
  },
  { id: 'nobody answers', input: 'ask:rm', assert: { tools_used: ['rm'] } },
  { id: 'dies', input: 'say:x die', assert: { 'output.equals': 'x' } },
];

test('an agent that speaks ACP: turns, permissions, first moves, and errors of their attempt', async () => {
  const project = createProject({
    'suite.test.json': JSON.stringify(TESTS),
    'assay.config.json': JSON.stringify({
      targets: [{ name: 'coder', provider: 'acp', command: [process.execPath, AGENT] }],
    }),
  });
  try {
    const args = ['run', 'suite.test.json', '--reporter', 'json'];
    const { stdout, exitCode } = await runCli(args, { cwd: project.path });
    const { results } = JSON.parse(stdout) as Report;
    expect(results.map(({ test: id, verdict, error }) => [id, error?.kind ?? verdict])).toEqual([
      ['turn', 'passed'],
      ['rules', 'passed'],
      ['steps', 'passed'],
      ['first move', 'passed'],
      ['nobody answers', 'approval'],
      ['dies', 'agent'],
    ]);
    expect(exitCode).toBe(3);
  } finally {
    project.remove();
  }
});

test('the provider `copilot` starts `copilot --acp`, and says how to install it', async () => {
  const script = `[ "$*" = --acp ] && exec "${process.execPath}" "${AGENT}"`;
  const project = createProject({
    'suite.test.json': JSON.stringify({
      input: 'say:hello ask:rm',
      approvals: { default: 'allow' },
      assert: { 'output.includes': '[rm: yes]' },
    }),
    '.agentv/targets.yaml': 'targets:\n  - { name: coder, provider: copilot, log_dir: logs }\n',
  });
  const bin = join(project.path, 'bin');
  try {
    const args = ['run', 'suite.test.json', '--target', 'coder', '--reporter', 'json'];
    const without = await runCli(args, { cwd: project.path, env: { PATH: '/usr/bin:/bin' } });
    expect([without.exitCode, without.stdout + without.stderr]).toEqual([
      2,
      expect.stringContaining('copilot is not installed: npm i -g @github/copilot, or set `command`'),
    ]);
    mkdirSync(bin);
    writeFileSync(join(bin, 'copilot'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const { stdout, exitCode } = await runCli(args, {
      cwd: project.path,
      env: { PATH: `${bin}:/usr/bin:/bin` },
    });
    expect([exitCode, (JSON.parse(stdout) as Report).summary.passed], stdout).toEqual([0, 1]);
  } finally {
    project.remove();
  }
});
