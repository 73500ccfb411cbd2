import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { parseJson } from '../../src/base/model/parse-json.ts';
import { createProject, runCli } from '../project.ts';
import { listen } from '../servers/listen.ts';

const LEVELS = 100_000;

/** What an agent answers, as bytes. Every one of them is asked between two that are fine. */
const REPLIES: Readonly<Record<string, string | Buffer>> = {
  'deep memory': `{"output":"ok","memory":{"a":${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}}}`,
  'deep keys': `{"output":"ok","memory":${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}}`,
  'deep tool call': `{"output":"ok","tool_calls":[{"tool":"t","input":${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}}]}`,
  NaN: '{"output":"ok","memory":{"a":NaN}}',
  Infinity: '{"output":"ok","memory":{"a":[1,-Infinity ]}}',
  'too large': '{"output":"ok","cost_usd":1e999}',
  'five thousand digits': `{"output":"ok","memory":{"a":${'9'.repeat(5000)}}}`,
  'large integer': '{"output":"ok","memory":{"a":12345678901234567890}}',
  'same key twice': '{"output":"first","output":"ok","memory":{"a":1,"a":2}}',
  'prototype twice': '{"output":"ok","memory":{"__proto__":{"polluted":1},"__proto__":{"polluted":2}}}',
  'lone surrogates': String.raw`{"output":"ok","memory":{"\ud800":"\udc00"}}`,
  'byte order mark': '\uFEFF{"output":"ok"}',
  'invalid UTF-8': Buffer.from([...Buffer.from('{"output":"'), 0xff, 0xc0, 0x80, ...Buffer.from('"}')]),
};
/** Errors of their own step. */
const REFUSED = new Set([
  'deep memory',
  'deep keys',
  'deep tool call',
  'NaN',
  'Infinity',
  'too large',
  'five thousand digits',
]);
/** Refused too, but a function has read its JSON itself. */
const TWICE = new Set(['same key twice', 'prototype twice']);

const files = {
  'suite.test.json': JSON.stringify(
    Object.keys(REPLIES).flatMap((input, index) => [
      { id: `before ${index}`, input: 'fine', assert: { 'output.equals': 'fine' } },
      { id: input, input, assert: { 'output.equals': input === 'invalid UTF-8' ? '���' : 'ok' } },
    ]),
  ),
  'replies.json': JSON.stringify(
    Object.fromEntries(
      Object.entries(REPLIES).map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]),
    ),
  ),
  'command.py': `
import base64, json, sys
request = json.load(sys.stdin)
replies = json.load(open('replies.json'))
known = replies.get(request['input'])
sys.stdout.buffer.write(b'fine' if known is None else base64.b64decode(known))
`,
  'agent.py': `
import base64, json, sys
replies = json.load(open('replies.json'))
def nested(make):
    value = 1
    for _ in range(${LEVELS}):
        value = make(value)
    return value
def agent(input_text, memory):
    if input_text == 'deep memory':
        return {'output': 'ok', 'memory': {'a': nested(lambda value: [value])}}
    if input_text == 'deep keys':
        return {'output': 'ok', 'memory': nested(lambda value: {'a': value})}
    if input_text == 'deep tool call':
        return {'output': 'ok', 'tool_calls': [{'tool': 't', 'input': nested(lambda value: [value])}]}
    known = replies.get(input_text)
    if known is None:
        return 'fine'
    if input_text == 'five thousand digits':
        return {'output': 'ok', 'memory': {'a': 10 ** 5000}}
    return json.loads(base64.b64decode(known).decode('utf-8-sig', 'replace'))
`,
  'agent.mjs': `
import { readFileSync } from 'node:fs';
const replies = JSON.parse(readFileSync('replies.json', 'utf8'));
export function agent(input) {
  if (!Object.hasOwn(replies, input)) return 'fine';
  if (input === 'five thousand digits') return { output: 'ok', memory: { a: 10n ** 5000n } };
  if (input === 'large integer') return { output: 'ok', memory: { a: 12345678901234567890n } };
  if (input === 'NaN') return { output: 'ok', memory: { a: NaN } };
  if (input === 'Infinity') return { output: 'ok', memory: { a: [1, -Infinity] } };
  return JSON.parse(Buffer.from(replies[input], 'base64').toString().replace('\\uFEFF', ''));
}`,
};

const project = createProject(files);
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => (body += text));
  request.on('end', () => {
    const { input } = JSON.parse(body) as { input: string };
    const isJson = Object.hasOwn(REPLIES, input) && request.url === '/json';
    response.writeHead(200, { 'content-type': isJson ? 'application/json' : 'text/plain' });
    response.end(Object.hasOwn(REPLIES, input) ? REPLIES[input] : 'fine');
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

async function verdicts(agent: string): Promise<ReadonlyMap<string, AttemptRecord>> {
  const { stdout, stderr } = await runCli(['run', '--agent', agent, '--retry', '0', '--reporter', 'json'], {
    cwd: project.path,
  });
  expect(stderr).toBe('');
  const { results } = parseJson(stdout) as unknown as { results: AttemptRecord[] };
  return new Map(results.map((record) => [record.test, record]));
}

describe.each(['./agent.mjs', './agent.py', 'cmd: python3 command.py', '/json', '/text'])(
  'from %s',
  (kind) => {
    let records: ReadonlyMap<string, AttemptRecord>;

    beforeAll(async () => {
      records = await verdicts(kind.startsWith('/') ? address + kind : kind);
    });

    test.each(Object.keys(REPLIES))('%s', (name) => {
      const { verdict, error, steps } = records.get(name)!;
      const isText = !kind.startsWith('./');
      if (TWICE.has(name) && isText) {
        expect(error).toMatchObject({
          kind: 'contract',
          message: expect.stringContaining('twice') as string,
        });
        return;
      }
      if (name === 'invalid UTF-8' && isText) {
        expect(error).toMatchObject({
          kind: 'contract',
          message: expect.stringContaining('UTF-8') as string,
        });
        return;
      }
      if (REFUSED.has(name)) expect(['limit', 'contract']).toContain(error?.kind);
      else expect({ name, verdict }).toEqual({ name, verdict: 'passed' });
      if (name === 'large integer') expect(steps[0]!.memory).toEqual({ a: 12345678901234567890n });
      if (name === 'lone surrogates') expect(steps[0]!.memory).toEqual({ '\ud800': '\udc00' });
      if (name === 'same key twice') expect(steps[0]!.memory).toEqual({ a: 2 });
      if (name === 'prototype twice') expect(Object.keys(steps[0]!.memory!)).toEqual(['__proto__']);
    });

    test('no other test is harmed', () => {
      const others = [...records.values()].filter(({ test: id }) => id.startsWith('before'));
      expect(new Set(others.map(({ verdict }) => verdict))).toEqual(new Set(['passed']));
    });
  },
);
