import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test.each([
  ['vitest.config.ts', ['test/evidence', 'test/cassettes', 'test/faults']],
  ['vitest.long.config.ts', ['test/cassettes/durable', 'test/cassettes/every-agent', 'test/faults']],
])(
  'evidence, cassettes and faults are the same with agents in the process of Assay: %s',
  async (config, folders) => {
    const args = ['vitest', 'run', '--config', config, '--reporter', 'dot', ...folders];
    const child = spawn('npx', args, {
      cwd: ROOT,
      env: { ...process.env, ASSAY_ISOLATE: 'false', RETRIED_TESTS: undefined },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (text) => (output += String(text)));
    child.stderr.on('data', (text) => (output += String(text)));
    const exitCode = await new Promise((resolve) => child.once('close', resolve));
    expect(exitCode, output.slice(-5000)).toBe(0);
    expect(output).toMatch(/Tests .*\d+ passed/);
  },
);
