import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createTapedProject, FETCH_AGENT, type TapedProject } from './taped-project.ts';

let project: TapedProject;
afterEach(() => project.remove());

const SUITE = `
tests:
  - id: paris
    input: Weather in Paris?
    assert: [{ type: contains, value: 21 degrees }]
`;

/** Records, closes the model, and replays: what is recorded must be enough. */
async function recordAndReplay(args: readonly string[] = []): Promise<void> {
  const recorded = await project.run(['run', '--cassettes', 'record', ...args]);
  expect(recorded.exitCode, recorded.stdout + recorded.stderr).toBe(0);
  expect(Object.keys(project.cassettes())).toHaveLength(1);
  const asked = project.server.requests.length;
  expect(asked).toBeGreaterThan(1);
  await project.server.close();
  const replayed = await project.run(['run', '--cassettes', 'replay', ...args]);
  expect(replayed.exitCode, replayed.stdout + replayed.stderr).toBe(0);
  expect(project.server.requests).toHaveLength(asked);
}

const COMMAND = `
import agent from './agent.mjs';
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
console.log(JSON.stringify(await agent(JSON.parse(Buffer.concat(chunks).toString()).input)));
`;
const PYTHON = `
import json, os, urllib.request

def ask(messages):
    body = json.dumps({"model": "test-model", "messages": messages}).encode()
    request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body, {"authorization": "Bearer " + os.environ["OPENAI_API_KEY"]})
    return json.load(urllib.request.urlopen(request))["choices"][0]["message"]

def agent(input, memory):
    messages = [{"role": "user", "content": input}]
    while True:
        message = ask(messages)
        messages.append(message)
        if not message.get("tool_calls"):
            return message["content"]
        for call in message["tool_calls"]:
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": "{}"})
`;
const SERVER = `
import { createServer } from 'node:http';
import agent from './agent.mjs';
createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  response.end(JSON.stringify(await agent(JSON.parse(Buffer.concat(chunks).toString()).input)));
}).listen(Number(process.argv[2]), '127.0.0.1');
`;

test.each([
  {
    title: 'a program',
    files: { 'agent.mjs': FETCH_AGENT, 'command.mjs': COMMAND },
    config: 'targets: [{ name: default, command: [node, command.mjs] }]',
  },
  { title: 'a Python file', files: { 'agent.py': PYTHON }, config: 'agent: ./agent.py' },
  {
    title: 'a chat target',
    files: {},
    config:
      'targets: [{ name: default, provider: openai, api: chat, model: test-model, system: Be brief., tools: [{ name: weather, replies: [{ return: { degrees: 21 } }] }] }]',
  },
  {
    title: 'a server that Assay starts',
    files: { 'agent.mjs': FETCH_AGENT, 'server.mjs': SERVER },
    config: 'targets: [{ name: default, url: "http://127.0.0.1:PORT/", start: [node, server.mjs, "PORT"] }]',
  },
])('$title', async ({ files, config }) => {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  project = await createTapedProject({
    ...files,
    'assay.config.yaml': config.replaceAll('PORT', String(port)),
    'weather.eval.yaml': SUITE,
  } as Readonly<Record<string, string>>);
  await recordAndReplay();
});

test.each([
  ['targets: [{ name: default, url: "http://127.0.0.1:1/" }]', 'Assay does not start this server'],
  ['agent: http://127.0.0.1:1/', 'Assay does not start this server'],
  [
    'targets: [{ name: default, provider: cli, command_template: "cat {PROMPT}", provider_batching: true }]',
    'one call of a batch answers all tests',
  ],
])('an agent whose calls do not pass through Assay is refused: %s', async (config, reason) => {
  project = await createTapedProject({ 'assay.config.yaml': config, 'weather.eval.yaml': SUITE });
  for (const mode of ['record', 'replay', 'new']) {
    const { exitCode, stderr } = await project.run(['run', '--cassettes', mode]);
    expect(exitCode, stderr).toBe(2);
    expect(stderr).toContain(reason);
  }
});

test('the answers of judges are recorded separately, and their cache is not used', async () => {
  const judged = `
tests:
  - id: paris
    input: Weather in Paris?
    expected_outcome: Names the degrees
    assert: [{ type: llm_judge }, { type: rubric, rubrics: [Names the city] }]
`;
  const config = `
targets: [{ name: default, provider: openai, api: chat, model: test-model }]
judge: { provider: openai, api: chat, model: judge-model }
`;
  project = await createTapedProject(
    { 'assay.config.yaml': config, 'weather.eval.yaml': judged },
    ({ body }) => {
      const { model, messages } = body as {
        readonly model: string;
        readonly messages: readonly { readonly content: string }[];
      };
      if (model === 'test-model') return { text: 'It is 21 degrees in Paris.' };
      const isRubric = JSON.stringify(messages).includes('Names the city');
      return {
        text: JSON.stringify(
          isRubric
            ? { checks: [{ id: 'rubric-1', reasoning: 'it does', evidence: [], satisfied: true }] }
            : { reasoning: 'fine', evidence: [], hits: ['degrees'], misses: [], score: 1 },
        ),
      };
    },
  );
  const first = await project.run(['run', '--cassettes', 'record']);
  // Whatever the judge was asked before, it is asked again while it is recorded.
  const asked = project.server.requests.length;
  const second = await project.run(['run', '--cassettes', 'record']);
  expect([first.exitCode, second.exitCode], first.stdout + first.stderr).toEqual([0, 0]);
  expect(project.server.requests).toHaveLength(2 * asked);
  const [text] = Object.values(project.cassettes());
  const cassette = JSON.parse(text!) as {
    readonly repeats: readonly { readonly agent: unknown[]; readonly judge: unknown[] }[];
  };
  expect(cassette.repeats[0]!.agent).toHaveLength(1);
  expect(cassette.repeats[0]!.judge).toHaveLength(2);
  // The judge of a labelled example has a cassette too.
  const example = {
    input: 'x',
    output: 'It is 21 degrees.',
    expected_outcome: 'Names the degrees',
    label: 1,
  };
  writeFileSync(join(project.path, 'labelled.jsonl'), JSON.stringify(example));
  expect((await project.run(['judge-check', 'labelled.jsonl', '--cassettes', 'record'])).exitCode).toBe(0);
  await project.server.close();
  const replayed = await project.run(['run', '--cassettes', 'replay']);
  expect(replayed.exitCode, replayed.stdout + replayed.stderr).toBe(0);
  const before = project.cassettes();
  const again = ['--cassettes', 'replay'];
  for (const args of [['grade'], ['judge-check', 'labelled.jsonl']]) {
    const result = await project.run([...args, ...again]);
    expect(result.exitCode, result.stdout + result.stderr).toBe(0);
  }
  // What was not recorded is not asked for, and nothing that is there is lost.
  writeFileSync(
    join(project.path, 'weather.eval.yaml'),
    judged.replace('Names the degrees', 'Names the wind'),
  );
  const other = await project.run(['grade', ...again]);
  expect([other.exitCode, other.stdout]).toEqual([
    3,
    expect.stringContaining('a call of the judge was not recorded'),
  ]);
  expect(project.cassettes()).toEqual(before);
});

/** As coding agents do: it looks whether the server is there, and its prompt says where it is, what is there and what day it is. */
const CODING = `
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
const base = process.env.OPENAI_BASE_URL;
const tree = (folder, indent = '') => {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.map((entry, index) => {
    const isLast = index === entries.length - 1;
    const line = indent + (isLast ? '└───' : '├───') + entry.name + '\\n';
    return line + (entry.isDirectory() ? tree(folder + '/' + entry.name, indent + (isLast ? '    ' : '│   ')) : '');
  }).join('');
};
process.stdin.resume();
await fetch(base + '/', { method: 'HEAD' });
await fetch(base + '/telemetry', { method: 'POST', body: JSON.stringify({ at: Date.now() }) });
const today = new Date().toISOString().slice(0, 10);
const content = ['Working in ' + process.cwd(), 'Home: ' + homedir(), "Today's date is " + today, tree('.')].join('\\n');
const messages = [{ role: 'system', content }, { role: 'user', content: 'Weather in Paris?' }];
const ask = async () => {
  const body = JSON.stringify({ model: 'm', messages });
  const message = (await (await fetch(base + '/chat/completions', { method: 'POST', body })).json()).choices[0].message;
  messages.push(message);
  return message;
};
const { tool_calls } = await ask();
messages.push({ role: 'tool', tool_call_id: tool_calls[0].id, content: 'Output: 3\\nProcess Group PGID: ' + process.pid });
console.log(JSON.stringify({ output: (await ask()).content }));
`;

test('a coding agent that describes its folder is replayed again and again', async () => {
  project = await createTapedProject({
    'assay.config.yaml': 'targets: [{ name: default, command: [node, coding.mjs] }]',
    'coding.mjs': CODING,
    'suite.eval.yaml': SUITE,
  });
  await recordAndReplay();
  const again = await project.run(['run', '--cassettes', 'replay', '--strict']);
  expect(again.exitCode, again.stdout + again.stderr).toBe(0);
});
