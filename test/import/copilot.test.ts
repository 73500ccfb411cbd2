import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { createProject, runCli, type Project } from '../project.ts';

let second = 10;
const event = (type: string, data: object): string =>
  `${JSON.stringify({ type, data, id: `e${++second}`, timestamp: `2026-01-01T00:00:${second}Z`, parentId: null })}\n`;
const said = (content: string, calls: readonly object[] = [], more: object = {}): string =>
  event('assistant.message', {
    messageId: `m${second}`,
    model: 'gpt-5.2',
    content,
    toolRequests: calls,
    ...more,
  });
const call = (toolCallId: string, name: string, args: object): object => ({
  toolCallId,
  name,
  arguments: args,
});
const done = (toolCallId: string, content: string, success = true): string =>
  event('tool.execution_complete', { toolCallId, success, result: { content } });

const WHO = event('session.start', { sessionId: 's1', producer: 'copilot-agent', copilotVersion: '1.0.0' });
const LOOK = said('', [call('c1', 'bash', { command: 'ls' }), call('c2', 'task', { prompt: 'Look' })]);
const SUB = said('', [call('c3', 'view', { path: 'a' })], { parentToolCallId: 'c2' });
const SESSION =
  WHO +
  event('user.message', { content: 'What is here?' }) +
  LOOK +
  LOOK +
  event('tool.execution_start', { toolCallId: 'c1', toolName: 'bash' }) +
  done('c1', 'a.txt') +
  SUB +
  done('c3', 'no', false) +
  done('c2', 'nothing') +
  said('One file.') +
  event('user.message', { content: 'Thanks' }) +
  said('You are welcome.') +
  event('session.shutdown', { shutdownType: 'routine' });

let project: Project;
beforeAll(() => void (project = createProject({ 's1/events.jsonl': SESSION })));
afterAll(() => project.remove());

test('a session of Copilot: turns, calls, sub-agents; what comes twice counts once', async () => {
  const { stdout, exitCode } = await runCli(['import', 's1', '--reporter', 'json'], { cwd: project.path });
  expect(exitCode, stdout).toBe(0);
  const { results } = JSON.parse(stdout) as { readonly results: readonly AttemptRecord[] };
  expect(results).toMatchObject([
    { test: 's1', target: 'copilot', source: { format: 'copilot' }, metadata: { copilotVersion: '1.0.0' } },
  ]);
  const [first, last] = results[0]!.steps;
  expect(first).toMatchObject({
    input: 'What is here?',
    output: 'One file.',
    models: ['gpt-5.2'],
    model_calls: 3,
    tool_calls: [
      { tool: 'bash', input: { command: 'ls' }, output: 'a.txt', status: 'ok' },
      { tool: 'task', output: 'nothing' },
      { tool: 'view', status: 'error', agent: 'sub-agent' },
    ],
  });
  expect(first!.tool_calls).toHaveLength(3);
  expect(last).toMatchObject({ input: 'Thanks', output: 'You are welcome.', tool_calls: [] });
  expect(results[0]!.token_usage).toBeUndefined();
});
