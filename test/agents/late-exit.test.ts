import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject, startCli, type CliResult } from '../project.ts';
import { freePort } from '../servers/free-port.ts';

const SUITE = '- {id: a, input: x, assert: {output.equals: x}}';

/** A run that takes two seconds to close: its server ignores SIGTERM. The call that was given up on acts in between. */
async function runWithLateCall(late: string): Promise<CliResult> {
  const port = await freePort();
  const project = createProject({
    'a.eval.yaml': JSON.stringify({
      evalcases: [
        {
          id: 'left',
          input: 'left',
          execution: { target: 'function' },
          evaluators: [{ type: 'equals', value: 'x' }],
        },
        {
          id: 'fails',
          input: 'fails',
          execution: { target: 'server' },
          evaluators: [{ type: 'equals', value: 'x' }],
        },
      ],
    }),
    'agent.mjs': `export const agent = () => new Promise(() => setTimeout(() => { ${late} }, 2800));`,
    'server.mjs': `import { createServer } from 'node:http';
process.on('SIGTERM', () => {});
createServer((request, response) => response.end('something')).listen(${port});`,
    'assay.config.yaml': JSON.stringify({
      targets: [
        { name: 'function', agent: './agent.mjs' },
        { name: 'server', url: `http://127.0.0.1:${port}/`, start: [process.execPath, 'server.mjs'] },
      ],
    }),
  });
  try {
    const result = await startCli(['run', '--timeout', '2s'], { cwd: project.path });
    const [run] = readdirSync(join(project.path, '.assay', 'runs'));
    expect(existsSync(join(project.path, '.assay', 'runs', run!, 'summary.json'))).toBe(true);
    return result;
  } finally {
    project.remove();
  }
}

test.each([
  'process.exit(0)',
  'process.exit(7)',
  "throw new Error('late')",
  "Promise.reject(new Error('late'))",
])('%s in a call that timed out does not change how the run ends', async (late) => {
  const { exitCode, stdout, stderr } = await runWithLateCall(late);
  expect(stdout).toContain('1 failed, 1 errored');
  expect(stderr).not.toContain('bug in Assay');
  expect(exitCode).toBe(1);
});

test.each([
  ['agent.mjs', 'its process exited with code 0'],
  ['assay.config.mjs', 'process.exit(0) was called'],
  ['check.mjs', 'process.exit(0) was called'],
])('%s that exits while it is loaded is an error, not a success', async (name, said) => {
  const project = createProject({
    'a.test.yaml': SUITE,
    'agent.mjs': 'export const agent = (input) => input;',
    'assay.config.mjs': `export default { agent: './agent.mjs', evaluators: ['./check.mjs'] };`,
    'check.mjs': 'export const check = { evaluate: () => 1 };',
    [name]: 'process.exit(0);',
  });
  try {
    const { exitCode, stderr } = await startCli(['run'], { cwd: project.path });
    expect(stderr).toContain(said);
    expect(exitCode).toBe(2);
  } finally {
    project.remove();
  }
});
