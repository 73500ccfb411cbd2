import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createProject, runCli, startCli } from '../project.ts';

let remove: (() => void) | undefined;
afterEach(() => remove?.());

const AGENT = `
import { appendFileSync } from 'node:fs';
export const agent = (input) => {
  appendFileSync('cases.jsonl', 'not JSON\\n');
  return input;
};`;

function project(files: Record<string, string>): string {
  const created = createProject(files);
  remove = () => created.remove();
  return created.path;
}

const lines = (count: number, more = ''): string =>
  Array.from(
    { length: count },
    (_, index) =>
      `{"id":"t${index}","input":"in ${index}${more}","assert":[{"type":"contains","value":"in"}]}\n`,
  ).join('');

test.each([
  ['small', 20, ''],
  ['large', 400, 'x'.repeat(20_000)],
])('a %s dataset that changes during the run: all its original tests run', async (_, count, more) => {
  const cwd = project({ 'agent.mjs': AGENT, 'cases.jsonl': lines(count, more) });
  const { stdout } = await runCli(['run', 'cases.jsonl', '--agent', './agent.mjs'], { cwd });
  expect(stdout).toContain(`${count} passed`);
});

test('a small dataset that is replaced during the run: its original tests run', async () => {
  const agent = `
import { writeFileSync } from 'node:fs';
export const agent = (input) => {
  writeFileSync('cases.jsonl', '{"id":"other","input":"other","assert":[{"type":"contains","value":"other"}]}\\n');
  return input;
};`;
  const cwd = project({ 'agent.mjs': agent, 'cases.jsonl': lines(200) });
  const { stdout } = await runCli(['run', 'cases.jsonl', '--agent', './agent.mjs'], { cwd });
  expect(stdout).toContain('200 passed');
});

test('a small dataset whose lines name large files keeps its memory limit', async () => {
  const cases = Array.from({ length: 400 }, (_, index) =>
    JSON.stringify({
      id: `t${index}`,
      input: [{ role: 'user', content: [{ type: 'file', value: 'long.txt' }] }],
      assert: [{ type: 'contains', value: 'a' }],
    }),
  );
  const cwd = project({ 'agent.mjs': "export const agent = () => 'a';", 'cases.jsonl': cases.join('\n') });
  writeFileSync(join(cwd, 'long.txt'), 'a'.repeat(1_000_000));
  const { stdout, exitCode } = await startCli(
    ['run', 'cases.jsonl', '--agent', './agent.mjs', '--no-record'],
    {
      cwd,
      env: { NODE_OPTIONS: '--max-old-space-size=250' },
    },
  );
  expect(stdout).toContain('400 passed');
  expect(exitCode).toBe(0);
});

test.skipIf(process.platform === 'win32')(
  'an unreadable dataset is reported, and the others run',
  async () => {
    const cwd = project({
      'agent.mjs': 'export const agent = (input) => input;',
      'dataset-b.jsonl': lines(2),
    });
    symlinkSync('dataset-a.jsonl', join(cwd, 'dataset-a.jsonl'));
    const { stdout, stderr } = await runCli(['run', '.', '--agent', './agent.mjs'], { cwd });
    expect(stderr).toContain('dataset-a.jsonl:1:1 error');
    expect(stdout).toContain('2 passed');
  },
);
