import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { createProject, runCli } from '../project.ts';

const TWO_STEPS = [{ id: 'two', steps: [{ input: 'first' }, { input: 'second' }] }];
const claims = { assert: { 'output.includes': '' } };
const SUITE = JSON.stringify(
  TWO_STEPS.map(({ id, steps }) => ({ id, steps: steps.map((step) => ({ ...step, ...claims })) })),
);

async function outputs(
  files: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<readonly string[][]> {
  const project = createProject({ 'a.test.json': SUITE, ...files });
  try {
    const { stdout } = await runCli(['run', ...args, '--reporter', 'json'], { cwd: project.path });
    const { results } = JSON.parse(stdout) as { results: AttemptRecord[] };
    return results.map(({ steps }) =>
      steps.map(({ output = '', error }) => output || String(error?.message)),
    );
  } finally {
    project.remove();
  }
}

/** The conversation as the agent sees it, as its output. */
const ECHO = `JSON.stringify({ id: context.conversation_id, said: context.messages.map((m) => m.role + ': ' + m.content) })`;

interface Seen {
  readonly id: string;
  readonly said: readonly string[];
}
const read = (text: string): Seen => JSON.parse(text) as Seen;

test('a function gets the conversation so far, under one id for each attempt', async () => {
  const agent = `export const agent = (input, memory, context) => ({ output: ${ECHO}, tools_used: [] });`;
  const attempts = await outputs({ 'agent.mjs': agent }, ['--agent', './agent.mjs', '--repeats', '2']);
  const ids = attempts.map((steps) => [...new Set(steps.map((text) => read(text).id))]);
  expect(ids.map(({ length }) => length)).toEqual([1, 1]);
  expect(ids[0]).not.toEqual(ids[1]);
  const [first, second] = attempts[0]!.map(read);
  expect(first!.said).toEqual(['user: first']);
  expect(second!.said).toEqual(['user: first', `assistant: ${attempts[0]![0]}`, 'user: second']);
});

test('the conversation has only texts, since each API writes tool calls its own way', async () => {
  const agent = `export const agent = (input, memory, { messages }) => ({
  output: JSON.stringify(messages),
  output_messages: [
    { role: 'assistant', content: '', tool_calls: [{ tool: 'look_up', input: {} }] },
    { role: 'assistant', content: JSON.stringify(messages) },
  ],
});`;
  const [steps] = await outputs({ 'agent.mjs': agent }, ['--agent', './agent.mjs']);
  expect(JSON.parse(steps![1]!)).toEqual([
    { role: 'user', content: 'first' },
    { role: 'assistant', content: steps![0] },
    { role: 'user', content: 'second' },
  ]);
});

test('a retry starts another conversation', async () => {
  const agent = `
const seen = new Map();
export const agent = (input, memory, context) => {
  seen.set(context.conversation_id, (seen.get(context.conversation_id) ?? 0) + 1);
  if (seen.size === 1) { const error = new Error('busy'); error.status = 429; throw error; }
  return { output: [...seen.values()].join(), tools_used: [] };
};`;
  expect(await outputs({ 'agent.mjs': agent }, ['--agent', './agent.mjs'])).toEqual([['1,1', '1,2']]);
});

test('a Python function with a third parameter gets the same', async () => {
  const agent = `
import json
def agent(text, memory, context):
    said = [m["role"] + ": " + m["content"] for m in context["messages"]]
    return {"output": json.dumps({"id": context["conversation_id"], "said": said}), "tools_used": []}
`;
  const [steps] = await outputs({ 'agent.py': agent }, ['--agent', './agent.py']);
  const [first, second] = steps!.map(read);
  expect(second!.id).toBe(first!.id);
  expect(second!.said).toEqual(['user: first', `assistant: ${steps![0]}`, 'user: second']);
});

test('a command gets the conversation in its request and in its template', async () => {
  const program = `
let text = '';
process.stdin.on('data', (part) => (text += part)).on('end', () => {
  const context = JSON.parse(text);
  console.log(JSON.stringify({ output: ${ECHO} }));
});`;
  const [steps] = await outputs({ 'agent.cjs': program }, ['--agent', 'cmd: node agent.cjs']);
  expect(read(steps![1]!).said).toHaveLength(3);
  const config = JSON.stringify({
    targets: [{ name: 'default', provider: 'cli', command_template: 'echo {CONVERSATION} {PROMPT}' }],
  });
  const [lines] = await outputs({ 'assay.config.yaml': config }, []);
  const [id] = lines![0]!.split(' ');
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(lines).toEqual([`${id} first`, `${id} second`]);
});

const requests: Record<string, unknown>[] = [];
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (part) => (body += part));
  request.on('end', () => {
    const asked = JSON.parse(body) as Record<string, unknown>;
    requests.push(asked);
    const thread = asked['thread'] === null ? { thread_id: 't-7' } : {};
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ answer: 'ok', ...thread }));
  });
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close());

test('an endpoint gets what its body template names, and its thread id comes back in the next step', async () => {
  const config = JSON.stringify({
    targets: [
      {
        name: 'default',
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/chat`,
        body: { id: '{{conversation_id}}', history: '{{messages}}', thread: '{{memory.thread_id}}' },
        reply: { output: 'answer', 'memory.thread_id': '$.thread_id' },
      },
    ],
  });
  expect(await outputs({ 'assay.config.yaml': config }, [])).toEqual([['ok', 'ok']]);
  const [first, second] = requests;
  expect(first).toMatchObject({ thread: null, history: [{ role: 'user', content: 'first' }] });
  expect(second).toMatchObject({ id: first!['id'], thread: 't-7' });
  expect(second!['history']).toEqual([
    { role: 'user', content: 'first' },
    { role: 'assistant', content: 'ok' },
    { role: 'user', content: 'second' },
  ]);
});

test('a network failure in Python is retried; an error of the agent is not', async () => {
  const agent = `
class RateLimitError(Exception):
    status_code = 429
count = 0
def agent(text, memory):
    global count
    count += 1
    if count == 1:
        raise RateLimitError("busy")
    if count == 3:
        raise ValueError("wrong")
    return str(count)
`;
  const [steps] = await outputs({ 'agent.py': agent }, ['--agent', './agent.py']);
  expect(steps).toEqual(['2', expect.stringContaining('ValueError: wrong')]);
});
