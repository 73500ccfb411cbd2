import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { createProject, runCli } from '../project.ts';
import { listen } from '../servers/listen.ts';

const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'then',
  'toJSON',
  'length',
  '__defineGetter__',
];

/** An object that has the names as its own keys, as JSON. */
const KEYS = `{${NAMES.map((name) => `"${name}":{"polluted":"${name}"}`).join(',')}}`;
const REPLY = `{"output":"x","memory":${KEYS},"tool_calls":[{"tool":"t","input":${KEYS},"output":${KEYS}}],"__proto__":{"cost_usd":9},"constructor":1}`;

/** JSON has no way to write these keys but as text. */
const suite = `[
  {"id": "__proto__", "tags": ["constructor"], "memory": ${KEYS}, "input": "a", "assert": {
    "memory.__proto__.polluted": "__proto__", "memory.constructor.polluted": "constructor", "memory.toString.polluted": "toString" }},
  {"id": "constructor", "memory": ${KEYS}, "input": "b", "expected": { "output": "x", "tools_used": ["t"], "memory": ${KEYS} }},
  {"id": "missing", "input": "empty", "assert": {"memory.constructor": null}},
  {"id": "polluted", "input": "empty", "assert": {"memory.polluted": "anything"}}
]`;
const cases = `{"evalcases": [
  {"id": "toString", "expected_outcome": "x", "input": "a", "evaluators": [
    {"name": "__proto__", "type": "tool_trajectory", "mode": "exact", "expected": [{"tool": "t", "args": ${KEYS}}]},
    {"name": "constructor", "type": "memory", "path": "__proto__.polluted", "equals": "__proto__"}]}
]}`;

const project = createProject({
  'steps.test.json': suite,
  'cases.eval.yaml': cases,
  'configured/assay.config.yaml': `{"__proto__": {"agent": "./agent.mjs"}}`,
  'configured/fine.test.yaml': '- {id: a, input: x, assert: {output.equals: x}}',
  'agent.mjs': `
const reply = ${JSON.stringify(REPLY)};
export function agent(input, memory) {
  if ({}.polluted !== undefined) return 'polluted';
  return input === 'empty' ? { output: 'x', memory: {} } : JSON.parse(reply);
}`,
  'agent.py': `
import json
def agent(input_text, memory):
    return {'output': 'x', 'memory': {}} if input_text == 'empty' else json.loads(${JSON.stringify(REPLY)})
`,
  'command.py': `
import json, sys
request = json.load(sys.stdin)
print('{"output": "x", "memory": {}}' if request['input'] == 'empty' else ${JSON.stringify(REPLY)})
`,
});
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => (body += text));
  request.on('end', () => {
    const { input } = JSON.parse(body) as { input: string };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(input === 'empty' ? '{"output": "x", "memory": {}}' : REPLY);
  });
});
let address = '';

beforeAll(async () => {
  address = await listen(server);
});
afterAll(() => {
  server.close();
  project.remove();
});

test.each(['./agent.mjs', './agent.py', 'cmd: python3 command.py', 'http'])(
  'names of Object.prototype are ordinary keys, from %s to the record',
  async (kind) => {
    const agent = kind === 'http' ? address : kind;
    const args = [
      'run',
      'steps.test.json',
      'cases.eval.yaml',
      '--agent',
      agent,
      '--reporter',
      'json',
      '--workers',
      '1',
    ];
    const { stdout } = await runCli(args, { cwd: project.path });
    const { results } = JSON.parse(stdout) as { results: AttemptRecord[] };
    expect(Object.fromEntries(results.map(({ test: id, verdict }) => [id, verdict]))).toEqual(
      Object.fromEntries([
        ['toString', 'passed'],
        ['__proto__', 'passed'],
        ['constructor', 'passed'],
        // What is not there is null.
        ['missing', 'passed'],
        ['polluted', 'failed'],
      ]),
    );
    const { steps, cost_usd } = results.find(({ test: id }) => id === 'constructor')!;
    expect(Object.keys(steps[0]!.memory!)).toEqual(NAMES);
    expect(Object.keys(steps[0]!.memory_before)).toEqual(NAMES);
    expect(Object.keys(steps[0]!.tool_calls![0]!.input as object)).toEqual(NAMES);
    expect(cost_usd).toBeUndefined();
  },
);

test('a config does not get its fields from __proto__', async () => {
  const { exitCode, stderr } = await runCli(['run'], { cwd: join(project.path, 'configured') });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('__proto__');
});

test('a command or option named like a property of Object does not exist', async () => {
  for (const args of [
    ['constructor'],
    ['__proto__'],
    ['run', '--constructor'],
    ['run', '--__proto__', 'x'],
    ['schema', 'toString'],
  ]) {
    const { exitCode, stderr } = await runCli(args, { cwd: project.path });
    expect(exitCode).toBe(2);
    expect(stderr).not.toContain('defect');
  }
});
