import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { recordsIn } from '../../scripts/soak/run-folder.ts';
import { createProject, startCli } from '../project.ts';

const AGENT = `
import { writeFileSync } from 'node:fs';
export const agent = (input) => {
  if (input === 'block') {
    writeFileSync('blocked', '');
    for (const end = Date.now() + 30_000; Date.now() < end;);
  }
  return input;
};`;

test('results shown before an agent blocked the thread are recorded, whenever the process is killed', async () => {
  const inputs = ['a', 'b', 'c', 'block'];
  const tests = inputs.map((input) => ({ id: input, input, assert: { 'output.equals': input } }));
  const project = createProject({ 'agent.mjs': AGENT, 'a.test.json': JSON.stringify(tests) });
  const { stdout, exitCode } = await startCli(['run', '--agent', './agent.mjs', '--reporter', 'jsonl'], {
    cwd: project.path,
    onStart: (child) => void killWhenBlocked(child, join(project.path, 'blocked')),
  });
  const shown = [...stdout.matchAll(/^\{"id":"([^"]+)"/gm)].map(([, id]) => id!);
  const recorded = new Set(recordsIn(project.path).map(({ id }) => id));
  project.remove();
  expect(exitCode).toBe(null);
  expect(shown.filter((id) => !recorded.has(id))).toEqual([]);
});

test('a result is shown only after its line is written, even if the buffer was full', async () => {
  const tests = [1, 60_000, 2000, 2000, 300_000, 5]
    .flatMap((length) => Array.from({ length: 60 }, () => length))
    .map((length, index) => ({ id: `t${index}`, input: `${length}`, assert: { 'output.includes': 'x' } }));
  const project = createProject({
    'agent.mjs': "export const agent = (length) => 'x'.repeat(Number(length));",
    'reporter.mjs': `
import { readdirSync, readFileSync } from 'node:fs';
export default ({ write }) => ({
  onResult({ id }) {
    const [run] = readdirSync('.assay/runs');
    const journal = readFileSync('.assay/runs/' + run + '/results.jsonl', 'utf8');
    if (!journal.includes('{"id":"' + id + '"')) write('early ' + id + '\\n');
  },
});`,
    'a.test.json': JSON.stringify(tests.filter((_, index) => index % 3 === 0)),
  });
  const args = ['run', '--agent', './agent.mjs', '--reporter', './reporter.mjs'];
  const { stdout, stderr, exitCode } = await startCli(args, { cwd: project.path });
  project.remove();
  expect({ stdout, stderr, exitCode }).toEqual({ stdout: '', stderr: '', exitCode: 0 });
});

async function killWhenBlocked(child: ChildProcess, sign: string): Promise<void> {
  while (!existsSync(sign) && child.exitCode === null) await sleep(20);
  await sleep(100);
  child.kill('SIGKILL');
}
