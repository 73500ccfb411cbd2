import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

test('every command that takes a run refuses a prefix that several runs share', async () => {
  const project = createProject({
    'agent.mjs': 'export const agent = (input) => input;',
    'a.test.yaml': '- input: hi\n  assert:\n    output.equals: hi\n',
  });
  onTestFinished(() => project.remove());
  const cli = (...args: readonly string[]) => runCli(args, { cwd: project.path });
  const run = ['run', 'a.test.yaml', '--agent', './agent.mjs'];
  await cli(...run);
  await cli(...run);
  const [first, second] = readdirSync(join(project.path, '.assay/runs')).sort();
  for (const args of [
    ['compare', '20', 'latest'],
    ['report', '20'],
    ['grade', '20'],
    ['merge', '20'],
    ['view', '20', '--no-open'],
    ['baseline', 'update', '20'],
    [...run, '--resume=20'],
    [...run, '--baseline', '20'],
  ]) {
    const { stderr, exitCode } = await cli(...args);
    expect([exitCode, stderr], args.join(' ')).toEqual([
      2,
      `assay: 2 runs start with "20": ${first}, ${second}\n  hint: add more characters of the id, or use \`latest\`\n`,
    ]);
  }
  expect((await cli('report', first!)).exitCode).toBe(0);
});
