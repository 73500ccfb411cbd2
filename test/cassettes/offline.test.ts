import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { needProgram } from '../need-program.ts';
import { CLI } from '../project.ts';
import { createTapedProject, FETCH_AGENT, type TapedProject } from './taped-project.ts';

let project: TapedProject;
afterEach(() => project.remove());

/** Addresses for documentation: nobody answers there. */
const AGENT = `
import http from 'node:http';
import net from 'node:net';
import ask from './ask.mjs';
const knock = [
  () => fetch('http://192.0.2.1/tool', { signal: AbortSignal.timeout(300) }),
  () => new Promise((resolve, reject) => http.get('http://192.0.2.2/tool', { timeout: 300 }, resolve).on('error', reject).on('timeout', reject)),
  () => new Promise((resolve, reject) => { const socket = net.connect(80, '192.0.2.3'); socket.on('connect', resolve).on('error', reject).setTimeout(300, () => { socket.destroy(); reject() }) }),
];
export default async (input) => {
  for (const each of knock) await each().catch(() => {});
  return ask(input);
};
`;

/** The addresses that a run connects to, as the system sees it. */
async function connectionsOf(mode: string): Promise<readonly string[]> {
  const log = join(project.path, `${mode}.strace`);
  const strace = needProgram('strace', 'strace');
  const env = {
    ...process.env,
    CI: 'false',
    OPENAI_BASE_URL: `${project.server.url}/v1`,
    OPENAI_API_KEY: 'sk-none-at-all',
  };
  const args = [
    '-f',
    '-qq',
    '-e',
    'trace=connect,sendto,sendmsg',
    '-o',
    log,
    process.execPath,
    CLI,
    'run',
    '--cassettes',
    mode,
  ];
  await promisify(execFile)(strace, args, { cwd: project.path, env });
  const found = readFileSync(log, 'utf8').matchAll(
    /connect\(.*?(?:inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)")/g,
  );
  return [...new Set([...found].map(([, four, six]) => four ?? six!))];
}

test('replaying opens no connection to another machine, according to the system', async () => {
  project = await createTapedProject({
    'assay.config.yaml': 'agent: ./agent.mjs\n',
    'ask.mjs': FETCH_AGENT,
    'agent.mjs': AGENT,
    'weather.eval.yaml':
      'tests:\n  - { id: paris, input: Weather in Paris?, assert: [{ type: contains, value: "21" }] }\n',
  });
  // The same agent does try while it is recorded: otherwise this would prove nothing.
  expect(await connectionsOf('record')).toEqual(
    expect.arrayContaining(['192.0.2.1', '192.0.2.2', '192.0.2.3']),
  );
  await project.server.close();
  expect((await connectionsOf('replay')).filter((address) => !address.startsWith('127.'))).toEqual([]);
});
