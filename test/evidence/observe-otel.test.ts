import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Agent, RawReply } from '../../src/agents/contract.ts';
import { createTargetAgent } from '../../src/suites/config/target-agent.ts';
import type { AssayConfig, TargetConfig } from '../../src/suites/config/config.ts';
import { createProject } from '../project.ts';
import { freePort } from '../servers/free-port.ts';
import { requestFor } from './observed-function.ts';
import { spans, weatherSpans } from './telemetry.ts';

let project: ReturnType<typeof createProject>;
const MB = 1024 * 1024;
const opened: Agent[] = [];
const servers: Server[] = [];

/** Sends the telemetry of `telemetry.json`, below the trace that it is given, as an SDK would. */
const SEND = `
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import http from 'node:http';
const FILE = new URL('./telemetry.json', import.meta.url);
const own = () => [16, 8].map((size) => Array.from({ length: size * 2 }, () => Math.floor(Math.random() * 16).toString(16)).join(''));
const post = (url, headers, body) => new Promise((resolve, reject) => {
  const request = http.request(url, { method: 'POST', headers }, (response) => {
    response.resume().on('end', () => resolve(response.statusCode));
  });
  request.on('error', reject).end(body);
});
export async function send({ traceparent, url = process.env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, without = [], tool } = {}) {
  const [, trace, parent] = traceparent?.split('-') ?? ['', own()[0]];
  const { resourceSpans } = JSON.parse(readFileSync(FILE, 'utf8').replaceAll('get_weather', tool ?? 'get_weather'));
  for (const scope of resourceSpans[0].scopeSpans)
    scope.spans = scope.spans.filter(({ spanId }) => !without.some((id) => spanId.endsWith(id))).map((span) => ({
      ...span, traceId: trace, ...(span.parentSpanId === undefined && parent !== undefined && { parentSpanId: parent }),
    }));
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  return post(url, headers, gzipSync(JSON.stringify({ resourceSpans })));
}
export { post };
`;
const COMMAND = `
import { send, post } from './send.mjs';
let text = '';
for await (const chunk of process.stdin) text += chunk;
const { input } = JSON.parse(text);
const url = process.env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
const json = { 'content-type': 'application/json' };
if (input === 'all') await send({ traceparent: process.env.TRACEPARENT });
if (input === 'own trace') await send();
if (input === 'no root') await send({ without: ['b1'] });
if (input === 'bad json') await post(url, json, '{"resourceSpans": [');
if (input === 'elsewhere') await post(url.replace('/v1/traces', '/v1/spans'), json, '{}');
if (input === 'as text') await post(url, { 'content-type': 'text/plain' }, 'hello');
if (input === 'other things') await post(url, json, JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'GET /', startTimeUnixNano: '1' }] }] }] }));
if (input === 'bomb') {
  await send();
  await post(url, { ...json, 'content-encoding': 'gzip' }, (await import('node:fs')).readFileSync('bomb.gz'));
}
if (input === 'switches') console.log(JSON.stringify({ output: JSON.stringify(process.env) }));
else console.log(JSON.stringify({ output: 'done', ...(input.startsWith('report') && { tools_used: [] }) }));
`;
const SERVER = `
import { createServer } from 'node:http';
import { send } from './send.mjs';
createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  const { input } = JSON.parse(text);
  const url = process.env.ENDPOINT && process.env.ENDPOINT + '/v1/traces';
  response.end(JSON.stringify({ output: 'done' }));
  // After the answer, as exporters do.
  if (input === 'all') setImmediate(() => void send({ traceparent: request.headers.traceparent, url }));
  if (input === 'foreign') setImmediate(() => void send({ url }));
}).listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('ready'));
`;
const HOSTED = `
import { send } from './send.mjs';
const API = Symbol.for('opentelemetry.js.api.1');
const queue = [];
let active;
// What @opentelemetry/api keeps of an SDK that was started: a context manager, and a provider that can flush.
globalThis[API] = {
  context: { with: (context, run) => { active = context.getValue(Symbol.for('OpenTelemetry Context Key SPAN')).spanContext(); return run(); } },
  trace: { getDelegate: () => ({ forceFlush: () => Promise.all(queue.splice(0).map((run) => run())) }) },
};
export const workers = 4;
export default async function agent(input) {
  const { traceId, spanId } = active;
  const traceparent = \`00-\${traceId}-\${spanId}-01\`;
  if (input !== 'nothing') queue.push(() => send({ traceparent, tool: input === 'all' ? undefined : input }));
  return input.startsWith('report') ? { output: 'done', tools_used: [] } : { output: 'done' };
}
`;
const PYTHON = `
import json, os, urllib.request

def agent(input_text, memory, context):
    if input_text == "all":
        body = open(os.path.join(os.path.dirname(__file__), "telemetry.json"), "rb").read()
        request = urllib.request.Request(os.environ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"], body, {"content-type": "application/json"})
        urllib.request.urlopen(request).read()
    return {"output": "done"}
`;

beforeEach(() => {
  project = createProject({
    'send.mjs': SEND,
    'command.mjs': COMMAND,
    'server.mjs': SERVER,
    'agent.mjs': HOSTED,
    'agent.py': PYTHON,
    'telemetry.json': JSON.stringify(spans(...weatherSpans()).body),
    'line.mjs': `console.log('{"output":"done"}')`,
  });
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((agent) => agent.close()));
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  project.remove();
});

// The telemetry of a function is read from a process of its own only.
process.env['ASSAY_ISOLATE'] = 'true';

interface Settings {
  readonly otel?: AssayConfig['otel'];
  readonly env?: NodeJS.ProcessEnv;
}

/** Long enough for a slow machine where something comes, and short where nothing does. */
const PATIENT: AssayConfig['otel'] = { quiet_ms: 100, wait_ms: 60_000 };
const IMPATIENT: AssayConfig['otel'] = { quiet_ms: 10, wait_ms: 200 };

async function create(target: Omit<TargetConfig, 'name'>, { otel, env = {} }: Settings = {}): Promise<Agent> {
  const agent = await createTargetAgent(
    { name: 'an agent', observe: 'otel', ...target },
    { folder: project.path, env: { ...process.env, ...env }, otel },
  );
  opened.push(agent);
  return agent;
}

async function talk(agent: Agent, input: string): Promise<RawReply> {
  const file = `${project.path}/suite.yaml`;
  const session = await agent.open({ id: 'a test', file });
  const request = requestFor(input);
  try {
    return await session.send({ ...request, test: { ...request.test, file } }, AbortSignal.timeout(110_000));
  } finally {
    await session.close();
  }
}

const command = (): Omit<TargetConfig, 'name'> => ({ command: [process.execPath, 'command.mjs'] });

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
  ['a command', command],
  ['a template', () => ({ command_template: `${process.execPath} line.mjs {PROMPT}` })],
  ['a server that is started', startedServer],
  ['a file', () => ({ agent: './agent.mjs' })],
  ['Python', () => ({ agent: './agent.py' })],
];

test.each(TARGETS.filter(([name]) => name !== 'a template'))(
  '%s: its telemetry tells what it did',
  async (_, target) => {
    const agent = await create(await target(), { otel: PATIENT });
    const { spans: told } = await talk(agent, 'all');
    expect(told).toMatchObject({
      output: 'Rome is 12 °C.',
      tool_calls: [{ tool: 'get_weather', input: { city: 'Rome' }, output: { temp_c: 12 } }],
      token_usage: { input: 130, output: 25 },
      model_calls: 2,
      gap: undefined,
    });
  },
);

test.each(TARGETS)('%s: telemetry that never comes is a gap that says what to do', async (_, target) => {
  const agent = await create(await target(), { otel: IMPATIENT });
  const { spans: told } = await talk(agent, 'nothing');
  expect(told?.tool_calls).toBeUndefined();
  expect(told?.gap?.form).toMatch(/^none came from the agent\n.*OTEL_EXPORTER_OTLP_ENDPOINT/);
});

test.each([
  ['no root', /is not whole: the span 0+b1, which is above others, never came/],
  ['bad json', /a part of it is lost: a request cannot be read/],
  ['elsewhere', /none came/],
  ['as text', /a part of it is lost: a request is of the type "text\/plain"/],
  ['other things', /it contains no call of a model or a tool/],
  ['bomb', /a part of it is lost: a request cannot be read: unpacked, it has more than 128 MB/],
])('%s: a gap', async (input, gap) => {
  if (input === 'bomb') writeFileSync(`${project.path}/bomb.gz`, gzipSync(Buffer.alloc(130 * MB, ' ')));
  const agent = await create(command());
  const { spans: told } = await talk(agent, input);
  expect(told?.gap?.form).toMatch(gap);
  expect(told?.usage_complete).toBe(false);
});

test('a trace of its own, which is not the one of its environment, is read too', async () => {
  const agent = await create(command());
  expect((await talk(agent, 'own trace')).spans).toMatchObject({
    tool_calls: [{ tool: 'get_weather' }],
    gap: undefined,
  });
});

test('the switches are set, also where the operator has other ones', async () => {
  const operator = {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector.example/v1/traces',
    OTEL_LOGS_EXPORTER: 'console',
    OTEL_SDK_DISABLED: 'true',
    OTEL_TRACES_SAMPLER: 'always_off',
  };
  const agent = await create(command(), { env: operator });
  const { text = '', reply } = (await talk(agent, 'switches')) as RawReply & { text?: string };
  const env = JSON.parse((reply as { output: string } | undefined)?.output ?? text) as Record<string, string>;
  const endpoint = env['OTEL_EXPORTER_OTLP_ENDPOINT']!;
  expect(endpoint).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}$/);
  expect(env).toMatchObject({
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${endpoint}/v1/traces`,
    OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${endpoint}/v1/logs`,
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_LOGS_EXPORTER: 'otlp',
    OTEL_SEMCONV_STABILITY_OPT_IN: 'gen_ai_latest_experimental',
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'SPAN_AND_EVENT',
    OTEL_SDK_DISABLED: 'false',
    OTEL_TRACES_SAMPLER: 'always_on',
    CLAUDE_CODE_ENABLE_TELEMETRY: '1',
    CLAUDE_CODE_ENHANCED_TELEMETRY_BETA: '1',
    OTEL_LOG_USER_PROMPTS: '1',
    OTEL_LOG_TOOL_DETAILS: '1',
    OTEL_LOG_TOOL_CONTENT: '1',
  });
  for (const name of ['OTEL_BSP_SCHEDULE_DELAY', 'OTEL_BLRP_SCHEDULE_DELAY', 'OTEL_LOGS_EXPORT_INTERVAL'])
    expect(Number(env[name])).toBeLessThanOrEqual(500);
  expect(env['TRACEPARENT']).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/);
});

test('several steps at once in one process: each has its own telemetry', async () => {
  const agent = await create({ agent: './agent.mjs' }, { otel: PATIENT });
  const told = await Promise.all(['look', 'pay', 'book'].map((tool) => talk(agent, tool)));
  expect(told.map(({ spans: each }) => each?.tool_calls?.map(({ tool }) => tool))).toEqual([
    ['look'],
    ['pay'],
    ['book'],
  ]);
});

test('a server that somebody else started sends to a port that is known, and only traces that Assay began count', async () => {
  const port = await freePort();
  const endpoint = await freePort();
  const { spawn } = await import('node:child_process');
  const server = spawn(process.execPath, ['server.mjs', String(port)], {
    cwd: project.path,
    env: { ...process.env, ENDPOINT: `http://127.0.0.1:${endpoint}` },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  try {
    await new Promise((resolve) => server.once('message', resolve));
    const target = { url: `http://127.0.0.1:${port}/`, body: { input: '{{input}}' } };
    const agent = await create(target, { otel: { ...PATIENT, port: endpoint } });
    expect((await talk(agent, 'all')).spans).toMatchObject({
      tool_calls: [{ tool: 'get_weather' }],
      gap: undefined,
    });
    await agent.close();
    opened.length = 0;
    const hasty = await create(target, { otel: { quiet_ms: 10, wait_ms: 500, port: endpoint } });
    expect((await talk(hasty, 'foreign')).spans?.gap?.form).toContain('none came');
  } finally {
    server.kill();
  }
});

test('a port that is taken is an error that names the setting', async () => {
  const taken = createServer();
  servers.push(taken);
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  const target = { url: 'http://127.0.0.1:9/' };
  await expect(create(target, { otel: { port } })).rejects.toThrow(/cannot listen for telemetry/);
});

test('a function in this process cannot be given an address', async () => {
  await expect(create({ agent: './agent.mjs', isolate: false })).rejects.toThrow(
    /own process cannot be read/,
  );
});

test('everything is passed on to the collector of the operator, with its headers', async () => {
  const arrived: { readonly url: string; readonly key: unknown; readonly size: number }[] = [];
  const collector = createServer((request: IncomingMessage, response) => {
    let size = 0;
    request.on('data', (chunk: Buffer) => (size += chunk.length));
    request.on('end', () => {
      arrived.push({ url: request.url!, key: request.headers['x-api-key'], size });
      response.end('{}');
    });
  });
  servers.push(collector);
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${address}/otlp/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=a%20key',
  };
  const agent = await create(command(), { otel: { forward: true }, env });
  const { spans: told } = await talk(agent, 'all');
  expect(told?.tool_calls).toHaveLength(1);
  await agent.close();
  opened.length = 0;
  expect(arrived).toEqual([{ url: '/otlp/v1/traces', key: 'a key', size: expect.any(Number) as number }]);
  expect(arrived[0]!.size).toBeGreaterThan(100);
});

test('a collector that is not there is a warning, and changes nothing else', async () => {
  const agent = await create(command(), {
    otel: { forward: true },
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
  });
  const { spans: told } = await talk(agent, 'all');
  expect(told?.tool_calls).toHaveLength(1);
  expect(told?.warnings?.[0]).toMatchObject({ code: 'telemetry_not_forwarded' });
});
