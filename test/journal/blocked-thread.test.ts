import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { recordsIn } from '../../scripts/soak/run-folder.ts';
import { createProject, runCli } from '../project.ts';

const AGENT = `
import { writeFileSync } from 'node:fs';
export const agent = (input) => {
  if (input === 'block') {
    writeFileSync('blocked', '');
    for (const end = Date.now() + 30_000; Date.now() < end;);
  }
  return input;
};`;

test('what was shown before an agent blocked the thread is recorded, whenever the process is killed', async () => {
  const inputs = ['a', 'b', 'c', 'block'];
  const tests = inputs.map((input) => ({ id: input, input, assert: { 'output.equals': input } }));
  const project = createProject({ 'agent.mjs': AGENT, 'a.test.json': JSON.stringify(tests) });
  const { stdout, exitCode } = await runCli(['run', '--agent', './agent.mjs', '--reporter', 'jsonl'], {
    cwd: project.path,
    onStart: (child) => void killWhenBlocked(child, join(project.path, 'blocked')),
  });
  const shown = [...stdout.matchAll(/^\{"id":"([^"]+)"/gm)].map(([, id]) => id!);
  const recorded = new Set(recordsIn(project.path).map(({ id }) => id));
  project.remove();
  expect(exitCode).toBe(null);
  expect(shown.filter((id) => !recorded.has(id))).toEqual([]);
});

async function killWhenBlocked(child: ChildProcess, sign: string): Promise<void> {
  while (!existsSync(sign) && child.exitCode === null) await sleep(20);
  await sleep(100);
  child.kill('SIGKILL');
}
