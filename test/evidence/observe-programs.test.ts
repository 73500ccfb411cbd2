import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Agent, OpenOptions, RawReply } from '../../src/agents/contract.ts';
import { createTargetAgent } from '../../src/suites/config/target-agent.ts';
import type { TargetConfig } from '../../src/suites/config/config.ts';
import { createProject } from '../project.ts';
import { freePort } from '../servers/free-port.ts';
import { answerChat, startModelServer, type Answer, type ModelServer } from './model-server.ts';
import { requestFor } from './observed-function.ts';

let server: ModelServer;
let answer: Answer;
let project: ReturnType<typeof createProject>;
const opened: Agent[] = [];

/** Asks the model once for each word, over the address in the environment. */
const ASK = `
import http from 'node:http';
export const ask = (content) => new Promise((resolve, reject) => {
  const request = http.request(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST' }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (chunk) => (text += chunk)).on('end', () => resolve(JSON.parse(text))).on('error', reject);
  });
  request.on('error', reject);
  request.end(JSON.stringify({ model: 'test-model', messages: [{ role: 'user', content }] }));
});
export const answer = async (input) => {
  const said = [];
  for (const word of input.split(' ')) said.push((await ask(word)).choices?.[0].message.content ?? 'refused');
  return said.join(', ');
};
`;
const COMMAND = `
import { answer } from './ask.mjs';
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const { input } = JSON.parse(Buffer.concat(chunks).toString());
console.log(JSON.stringify({ output: await answer(input) }));
`;
const LINE = `
import { answer } from './ask.mjs';
console.log(JSON.stringify({ output: await answer(process.argv[2]) }));
`;
const SERVER = `
import { createServer } from 'node:http';
import { answer } from './ask.mjs';
createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  response.end(JSON.stringify({ output: await answer(JSON.parse(Buffer.concat(chunks)).input) }));
}).listen(Number(process.argv[2]), '127.0.0.1');
`;
const PYTHON = `
import json, os, urllib.request

def ask(content):
    body = json.dumps({"model": "test-model", "messages": [{"role": "user", "content": content}]}).encode()
    request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body)
    try:
        return json.load(urllib.request.urlopen(request))["choices"][0]["message"]["content"]
    except urllib.error.HTTPError as error:
        return "refused"

def agent(input_text, memory):
    return {"output": ", ".join(ask(word) for word in input_text.split(" ")), "memory": memory}
`;

beforeEach(async () => {
  answer = answerChat;
  server = await startModelServer((asked, response) => answer(asked, response));
  project = createProject({
    'ask.mjs': ASK,
    'command.mjs': COMMAND,
    'line.mjs': LINE,
    'server.mjs': SERVER,
    'agent.py': PYTHON,
  });
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((agent) => agent.close()));
  await server.close();
  project.remove();
});

async function create(target: Omit<TargetConfig, 'name'>, observe?: boolean): Promise<Agent> {
  const env = { ...process.env, OPENAI_BASE_URL: `${server.url}/v1` };
  const agent = await createTargetAgent(
    { name: 'a program', ...target },
    { folder: project.path, env, observe },
  );
  opened.push(agent);
  return agent;
}

async function talk(
  agent: Agent,
  inputs: readonly string[],
  options?: OpenOptions,
): Promise<readonly RawReply[]> {
  const session = await agent.open({ id: 'a test', file: `${project.path}/suite.yaml` }, options);
  const replies: RawReply[] = [];
  try {
    for (const [index, input] of inputs.entries()) {
      const { test: own, ...request } = requestFor(input, index + 1);
      replies.push(
        await session.send(
          { ...request, test: { ...own, file: `${project.path}/suite.yaml` } },
          AbortSignal.timeout(30_000),
        ),
      );
    }
  } finally {
    await session.close();
  }
  return replies;
}

async function startedServer(): Promise<Omit<TargetConfig, 'name'>> {
  const port = await freePort();
  return {
    url: `http://127.0.0.1:${port}/`,
    start: [process.execPath, 'server.mjs', String(port)],
    body: { input: '{{input}}' },
  };
}

const TARGETS: readonly (readonly [
  string,
  () => Promise<Omit<TargetConfig, 'name'>> | Omit<TargetConfig, 'name'>,
])[] = [
  ['a command', () => ({ command: [process.execPath, 'command.mjs'] })],
  ['a command line', () => ({ agent: `cmd: ${process.execPath} command.mjs` })],
  ['a template', () => ({ command_template: `${process.execPath} line.mjs {PROMPT}` })],
  ['Python', () => ({ agent: './agent.py' })],
  ['a server that is started', startedServer],
];

test.each(TARGETS)('%s is observed on request, each attempt and step separately', async (_what, target) => {
  const agent = await create({ ...(await target()), observe: true });
  const both = await Promise.all([talk(agent, ['a b', 'c']), talk(agent, ['x y', 'z'])]);
  for (const [index, replies] of both.entries()) {
    const words = index === 0 ? ['a b', 'c'] : ['x y', 'z'];
    const seen = replies.map(({ observed }) =>
      observed!.exchanges.map(({ seq, step, request, status, aborted }) => [
        seq,
        step,
        (request!['messages'] as any)[0].content,
        status,
        aborted,
      ]),
    );
    const [first, second] = words[0]!.split(' ');
    expect(seen).toEqual([
      [
        [1, 1, first, 200, undefined],
        [2, 1, second, 200, undefined],
      ],
      [[3, 2, words[1], 200, undefined]],
    ]);
  }
});

test('programs are observed only with --observe, and --no-observe wins', async () => {
  const target = { command: [process.execPath, 'command.mjs'] };
  const seen = async (agent: Agent): Promise<number | undefined> =>
    (await talk(agent, ['a']))[0]!.observed?.exchanges.length;
  expect(await seen(await create(target))).toBeUndefined();
  expect(await seen(await create(target, true))).toBe(1);
  expect(await seen(await create({ ...target, observe: true }, false))).toBeUndefined();
});

test.each(TARGETS)('a call of %s beyond a limit is refused, and ends the attempt', async (_what, target) => {
  const agent = await create({ ...(await target()), observe: true });
  let calls = 0;
  const beforeCall = () =>
    ++calls > 2
      ? ({ do: 'refuse', kind: 'limit', message: 'more than 2 model calls' } as const)
      : ({ do: 'forward' } as const);
  const error = await talk(agent, ['a b c d'], { beforeCall }).catch((thrown) => thrown);
  expect(error).toMatchObject({ name: 'AgentError', kind: 'limit', message: 'more than 2 model calls' });
  expect(error.observed.exchanges.length).toBeGreaterThanOrEqual(2);
  expect(server.asked).toHaveLength(2);
  // The next attempt is not the worse for it.
  expect((await talk(agent, ['e']))[0]!.reply).toMatchObject({ output: 'You said: e' });
});

test('a server that is still busy with an ended attempt is restarted', async () => {
  let isHeld = true;
  answer = (asked, response) => {
    if (isHeld) setTimeout(() => answerChat(asked, response), 200);
    else answerChat(asked, response);
  };
  const agent = await create({ ...(await startedServer()), observe: true });
  const session = await agent.open({ id: 'slow', file: 'suite.yaml' });
  const limit = new AbortController();
  const sending = Promise.resolve(session.send(requestFor('s t u v'), limit.signal)).catch(
    (thrown) => thrown,
  );
  await expect.poll(() => server.asked.length, { timeout: 20_000 }).toBe(1);
  limit.abort(new Error('too late'));
  expect((await sending).observed.exchanges).toHaveLength(1);
  await session.close();
  isHeld = false;
  const [reply] = await talk(agent, ['x y']);
  const asked = reply!.observed!.exchanges.map(({ request }) => (request!['messages'] as any)[0].content);
  expect(asked).toEqual(['x', 'y']);
});

test('an attempt that is stopped during a stream ends with what was observed so far', async () => {
  answer = (_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {}\n\n');
  };
  const agent = await create({ command: [process.execPath, 'command.mjs'], observe: true });
  const session = await agent.open({ id: 'a test', file: 'suite.yaml' });
  const limit = new AbortController();
  const sending = Promise.resolve(session.send(requestFor('a'), limit.signal)).catch((thrown) => thrown);
  await expect.poll(() => server.asked.length, { timeout: 20_000 }).toBe(1);
  limit.abort(new Error('too late'));
  const error = await sending;
  expect(error.kind).toBe('timeout');
  expect(error.observed.exchanges).toMatchObject([{ aborted: true }]);
  await session.close();
});
