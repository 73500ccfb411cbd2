import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Report } from '../../src/base/model/report.ts';
import { createProject, runCli } from '../project.ts';

const AGENT = fileURLToPath(new URL('../fixtures/acp/scripted-agent.mjs', import.meta.url));
const inShell = (line: string): object => ({ type: 'command', command: ['sh', '-c', line] });

test('an agent that speaks ACP works in the workspace; it rests while a step is graded, and is ended before the last one is', async () => {
  const project = createProject({
    'shop/a.txt': 'a\n',
    'home/.claude/CLAUDE.md': 'LEAK',
    'suite.test.json': JSON.stringify({
      id: 'steps',
      workspace: { template: './shop' },
      timeouts: { checks: '60s' },
      steps: [
        {
          input: 'write:b.txt background turns',
          assert: [
            { type: 'contains', value: 'turn 1 of' },
            { type: 'diff', only: ['b.txt', 'pid'], max_files: 2 },
            { type: 'files', path: 'b.txt', matches: String.raw`^(/.*/work) \1 /.*/home\n$` },
            inShell('until grep -q "State:.T" /proc/$(cat pid)/status; do :; done'),
          ],
        },
        {
          input: 'write:b.txt turns',
          assert: [
            { type: 'contains', value: 'turn 2 of' },
            inShell('test $(wc -l < b.txt) = 2'),
            inShell('! grep "State:.[RSDT]" /proc/$(cat pid)/status'),
          ],
        },
      ],
    }),
    'assay.config.json': JSON.stringify({
      targets: [{ name: 'coder', provider: 'acp', command: [process.execPath, AGENT] }],
    }),
  });
  try {
    const args = ['run', '--allow-scripts', '--reporter', 'json'];
    const env = { HOME: join(project.path, 'home') };
    const { stdout, exitCode } = await runCli(args, { cwd: project.path, env });
    const { results } = JSON.parse(stdout) as Report;
    expect(results.map(({ verdict, error }) => error ?? verdict)).toEqual(['passed']);
    expect(exitCode).toBe(0);
    // Nothing that it wrote is in the project.
    expect(readdirSync(project.path)).not.toContain('b.txt');
  } finally {
    project.remove();
  }
});
