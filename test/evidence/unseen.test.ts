import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';
import { sendJson, startModelServer, type ModelServer } from './model-server.ts';

/** A model that asks for each tool it is offered, and answers as the old API of Cohere does at `/v1/chat`. */
let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer(({ path, body }, response) => {
    const tools = (body?.tools ?? []).filter((tool: any) => tool.function !== undefined);
    const calls = tools.map((tool: any, index: number) => ({
      id: `c${index}`,
      type: 'function',
      function: { name: tool.function.name, arguments: '{}' },
    }));
    const message = {
      role: 'assistant',
      content: 'ok',
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    };
    if (path === '/v1/chat') return sendJson(response, { message });
    sendJson(response, {
      id: 'x',
      model: 'm',
      choices: [
        {
          index: 0,
          finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
          message,
        },
      ],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    });
  });
});
afterAll(() => server.close());

interface Results {
  readonly [test: string]: {
    readonly verdict: string;
    readonly text: string;
    readonly codes: string[];
  };
}

async function run(
  files: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<{
  readonly results: Results;
  readonly codes: readonly string[];
  readonly exitCode: number | null;
}> {
  const project = createProject(files);
  const asked = ['run', '--reporter', 'json', '--no-record', '--workers', '1', ...args];
  const { stdout, stderr, exitCode } = await runCli(asked, {
    cwd: project.path,
    env: { MODEL: server.url, OPENAI_BASE_URL: `${server.url}/v1` },
  });
  project.remove();
  if (!stdout.startsWith('{')) throw new Error(stderr);
  const { results, findings } = JSON.parse(stdout);
  return {
    exitCode,
    codes: findings.map(({ code }: { code: string }) => code),
    results: Object.fromEntries(
      results.map((result: any) => [
        result.test,
        {
          verdict: result.verdict,
          text: JSON.stringify(result),
          codes: (result.findings ?? []).map(({ code }: { code: string }) => code),
        },
      ]),
    ),
  };
}

const CALL = `
  const url = process.env.MODEL;
  const tools = (...names) => names.map((name) => ({ type: 'function', function: { name } }));
  const ask = async (content, names = [], { path = '/v1/chat/completions', ...more } = {}) =>
    (await fetch(url + path, {
      method: 'POST',
      body: JSON.stringify({
        model: 'm',
        messages: [{ role: 'user', content }],
        ...(names.length > 0 ? { tools: tools(...names) } : {}),
        ...more,
      }),
    })).json();`;

test('a model call after the reply is not one of the next attempt', async () => {
  const { results, codes } = await run(
    {
      'agent.mjs': `${CALL}
      let goOn = () => {};
      let late;
      const whenNextRuns = (call) => (late = new Promise((resolve) => (goOn = resolve)).then(call));
      export async function agent(input) {
        await ask(input);
        if (input === 'first') whenNextRuns(() => ask('late', ['delete']));
        else if (input === 'title') whenNextRuns(() => ask('a title'));
        else { goOn(); await late; }
        return 'done';
      }`,
      'a.test.yaml': [
        '- { id: first, input: first, assert: { tools_used: [] } }',
        '- { id: credited, input: second, assert: { tools_used: [delete] } }',
        '- { id: title, input: title, assert: { tools_used: [] } }',
        '- { id: after title, input: third, assert: { tools_used: [] } }',
      ].join('\n'),
    },
    '--agent',
    './agent.mjs',
  );
  // Nobody can tell whether it was made for the one that runs now.
  expect(results['credited']).toMatchObject({
    verdict: 'error',
    text: expect.stringContaining('may be of this attempt or of another one'),
  });
  // A call that offers no tools changes nothing that is claimed about tools.
  expect(results['after title']).toMatchObject({ verdict: 'passed' });
  expect(codes).toContain('late_model_call');
});

test('a thread of a Python agent that calls a model after the reply does not call in the name of the next attempt', async () => {
  const { results } = await run(
    {
      'agent.py': `
import json, os, threading, time, urllib.request

def ask(content, names=()):
    tools = [{"type": "function", "function": {"name": name}} for name in names]
    body = {"model": "m", "messages": [{"role": "user", "content": content}]}
    if tools:
        body["tools"] = tools
    request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", json.dumps(body).encode())
    return urllib.request.urlopen(request).read()

def late():
    time.sleep(0.3)
    ask("late", ["delete"])

def agent(text, memory):
    if text == "first":
        threading.Thread(target=late).start()
    else:
        time.sleep(0.6)
    ask(text)
    return "done"
`,
      'a.test.yaml': [
        '- { id: first, input: first, assert: { tools_used: [] } }',
        '- { id: second, input: second, assert: { tools_used: [] } }',
      ].join('\n'),
    },
    '--agent',
    './agent.py',
    '--observe',
  );
  expect(results['second']).toMatchObject({ verdict: 'passed' });
});

test('a call through an API that Assay cannot read is no proof that no tool was called', async () => {
  const { results } = await run(
    {
      'agent.mjs': `${CALL}
      import http from 'node:http';
      const post = (path, body) => new Promise((resolve) => {
        const { hostname, port } = new URL(url);
        const request = http.request({ hostname, port, path, method: 'POST' }, (response) => response.resume().on('end', resolve));
        request.end(JSON.stringify(body));
      });
      export async function agent(input) {
        if (input === 'object') { await ask(input, ['delete'], { path: '/v1/chat' }); return { output: 'done' }; }
        if (input === 'beside') { await ask(input); await ask(input, ['delete'], { path: '/v1/chat' }); return 'done'; }
        if (input === 'own') { await ask(input); await ask(input, ['delete'], { path: '/my/llm' }); return 'done'; }
        if (input === 'request') {
          await ask(input);
          await fetch(new Request(url + '/other/llm', { method: 'POST', body: JSON.stringify({ input: { messages: [{ role: 'user', content: 'x' }] }, parameters: { tools: tools('delete') } }) }));
          return 'done';
        }
        if (input === 'http') { await ask(input); await post('/my/llm', { messages: [{ role: 'user', content: 'x' }], tools: tools('delete') }); return 'done'; }
        if (input === 'reported') { await ask(input, ['delete'], { path: '/v1/chat' }); return { output: 'done', tools_used: [] }; }
        if (input === 'untold') { await ask(input); await ask(input, [], { path: '/v1/chat' }); return 'done'; }
        if (input === 'harmless') { await ask(input); await post('/log', { text: 'x', tools: ['a'] }); return 'done'; }
        if (input === 'tokens') { await ask(input); await ask(input, [], { path: '/v1/chat' }); return 'done'; }
      }`,
      'a.test.yaml': [
        ...['object', 'beside', 'own', 'request', 'http', 'untold', 'reported', 'harmless'].map(
          (id) => `- { id: ${id}, input: ${id}, assert: { tools_used: [] } }`,
        ),
        '- { id: tokens, input: tokens, assert: [{ type: token_usage, max_total: 1000 }] }',
      ].join('\n'),
    },
    '--agent',
    './agent.mjs',
  );
  for (const id of ['object', 'beside', 'own', 'request', 'http', 'untold']) {
    expect(results[id], id).toMatchObject({ verdict: 'error' });
    expect(results[id]!.text, id).toContain('through an API that Assay cannot read');
  }
  expect(results['reported']).toMatchObject({
    verdict: 'passed',
    codes: ['unread_model_api'],
  });
  expect(results['harmless']).toMatchObject({ verdict: 'passed', codes: [] });
  // What was used there is unknown, so the sum is only a lower bound.
  expect(results['tokens']).toMatchObject({ verdict: 'error' });
});

test('programs and threads that an agent in this process starts are named where a claim about tools depends on them', async () => {
  const { results } = await run(
    {
      'agent.mjs': `${CALL}
      import { exec, execFileSync, execSync, spawn, spawnSync } from 'node:child_process';
      import { Worker } from 'node:worker_threads';
      const ended = (child) => new Promise((resolve) => child.on('exit', resolve));
      const start = {
        spawn: () => ended(spawn(process.execPath, ['-e', '0'])),
        exec: () => ended(exec('true')),
        sync: () => spawnSync(process.execPath, ['-e', '0']),
        shell: () => execSync('true'),
        file: () => execFileSync('true'),
        worker: () => ended(new Worker('0', { eval: true })),
        output: () => execSync('true'),
        none: () => {},
        reported: () => execSync('true'),
      };
      export async function agent(input) {
        await ask(input);
        await start[input]();
        return input === 'reported' ? { output: 'done', tools_used: [] } : 'done';
      }`,
      'a.test.yaml': [
        ...['spawn', 'exec', 'sync', 'shell', 'file', 'worker', 'none', 'reported'].map(
          (id) => `- { id: ${id}, input: ${id}, assert: { tools_used: [] } }`,
        ),
        '- { id: output, input: output, assert: { output.equals: done } }',
      ].join('\n'),
    },
    '--agent',
    './agent.mjs',
  );
  for (const id of ['spawn', 'exec', 'sync', 'shell', 'file', 'worker'])
    expect(results[id], id).toMatchObject({ verdict: 'error' });
  expect(results['worker']!.text).toContain('a worker thread: Assay does not see');
  expect(results['file']!.text).toContain('true: Assay does not see');
  for (const id of ['none', 'output', 'reported']) expect(results[id], id).toMatchObject({ codes: [] });
});

test('a tool call that is forced in a conversation of its own is a call, unless its name says that it is an answer', async () => {
  const { results } = await run(
    {
      'agent.mjs': `${CALL}
      const force = (name) => ({ tool_choice: { type: 'function', function: { name } } });
      export async function agent(input) {
        if (input !== 'none') await ask('Close the account of ' + input, [input], force(input));
        await ask(input);
        return 'ok';
      }`,
      'a.test.yaml': [
        '- { id: forced, input: delete_account, assert: { tools_used: [] } }',
        '- { id: class, input: DeleteAccount, assert: { tools_used: [] } }',
        '- { id: reply, input: send_response, assert: { tools_used: [] } }',
        '- { id: submit, input: submit, assert: { tools_used: [] } }',
        '- { id: query, input: query_data, assert: { tools_used: [] } }',
        '- { id: message, input: message_user, assert: { tools_used: [] } }',
        '- { id: guard, input: safety_verdict, assert: { tools_used: [] } }',
      ].join('\n'),
    },
    '--agent',
    './agent.mjs',
  );
  expect(results['forced']).toMatchObject({ verdict: 'failed' });
  expect(results['class']).toMatchObject({ verdict: 'failed' });
  for (const id of ['reply', 'submit', 'query', 'message'])
    expect(results[id], id).toMatchObject({ verdict: 'failed' });
  expect(results['guard']).toMatchObject({ verdict: 'passed' });
});
