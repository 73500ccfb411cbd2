import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { createProject, runCli, type CliResult, type Project } from '../project.ts';

/** A conversation without any time. */
const CHAT = JSON.stringify({
  id: 'hello',
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello' },
  ],
});
const SUITE = `
- id: hello
  input: Hi
  assert:
    - { type: contains, value: Hello, required: true }
    - { type: LIMIT, required: true }
`;
const LIMITS = ['latency, threshold: 1h', 'execution_metrics, max_duration_ms: 1h'];

let project: Project;
let chats: string;
const run = (...args: readonly string[]): Promise<CliResult> => runCli(args, { cwd: project.path });
beforeAll(async () => {
  project = createProject({
    'chat.jsonl': `${CHAT}\n`,
    ...Object.fromEntries(
      LIMITS.map((limit, index) => [`${index}.test.yaml`, SUITE.replace('LIMIT', limit)]),
    ),
  });
  const { stdout } = await run('import', 'chat.jsonl', '--reporter', 'json');
  chats = (JSON.parse(stdout) as { readonly run_id: string }).run_id;
});
afterAll(() => project.remove());

test('a time that a recording does not tell is shown nowhere', async () => {
  const { stdout } = await run('report', chats, '--reporter', 'json');
  const [record] = (JSON.parse(stdout) as { readonly results: readonly AttemptRecord[] }).results;
  expect(record).not.toHaveProperty('duration_ms');
  expect(record!.steps[0]).not.toHaveProperty('duration_ms');
  for (const args of [
    ['report', chats, '-v', '--durations', '3'],
    ['export', chats, '--to', 'jsonl'],
    ['export', chats, '--to', 'inspect'],
  ])
    expect((await run(...args)).stdout).not.toMatch(/\b0 ms|duration_ms|total_time/);
});

test.each(LIMITS.map((limit, index) => [limit, index]))(
  '%s cannot be checked without it',
  async (_, index) => {
    const { exitCode, stdout } = await run('grade', chats, '--suite', `${index}.test.yaml`);
    expect(stdout).toMatch(/how long/);
    expect(exitCode).toBe(3);
    const again = await run('grade', 'latest');
    expect(again.exitCode, again.stdout).toBe(3);
  },
);
