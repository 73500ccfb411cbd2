import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { createProject, runCli, type Project } from '../project.ts';

const line = (type: string, payload: object): string =>
  `${JSON.stringify({ timestamp: '2026-01-01T00:00:10Z', type, payload })}\n`;
const item = (role: string, text: string): string =>
  line('response_item', {
    type: 'message',
    role,
    content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
  });
const count = (total: number, last: number): string =>
  line('event_msg', {
    type: 'token_count',
    info: {
      total_token_usage: { input_tokens: total, output_tokens: total },
      last_token_usage: { input_tokens: last, cached_input_tokens: 0, output_tokens: last },
    },
  });

let project: Project;
beforeAll(() => {
  project = createProject({
    'main.jsonl':
      line('session_meta', { id: 'main' }) + item('user', 'Hi') + item('assistant', 'Hello') + count(10, 10),
    'sub.jsonl':
      line('session_meta', { id: 'sub', parent_thread_id: 'main' }) +
      item('user', 'Look') +
      item('assistant', 'Seen') +
      count(5, 5) +
      count(5, 5) +
      count(8, 3),
  });
});
afterAll(() => project.remove());

test('tokens of a sub-agent of Codex count once, also where only events tell of them', async () => {
  const { stdout } = await runCli(['import', '.', '--reporter', 'json'], { cwd: project.path });
  const { results } = JSON.parse(stdout) as { readonly results: readonly AttemptRecord[] };
  expect(results.map(({ test: id }) => id)).toEqual(['main']);
  expect(results[0]!.steps[0]!.token_usage).toMatchObject({ input: 18, output: 18 });
});
