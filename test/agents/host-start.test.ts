import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { expectsHost } from '../../src/cli/expects-host.ts';
import { needProgram } from '../need-program.ts';
import { CLI, createProject, runCli, startCli, userEnvironment } from '../project.ts';

/* The process of an agent's file is started before anything else is known: it must be as if it had been started for the agent. */

const SUITE = '- { id: t, input: hi, assert: { output.includes: heard } }\n';

function projectOf(files: Readonly<Record<string, string>>): string {
  const project = createProject({ 'a.test.yaml': SUITE, ...files });
  onTestFinished(project.remove);
  return project.path;
}

/** A server on this machine with a certificate that nobody else trusts. */
async function startServer(cwd: string): Promise<number> {
  const openssl = needProgram('openssl', 'openssl');
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  execFileSync(openssl, [...request, '-keyout', 'key.pem', '-out', 'own.pem', ...names], {
    cwd,
    stdio: 'ignore',
  });
  const [key, cert] = ['key.pem', 'own.pem'].map((name) => readFileSync(join(cwd, name)));
  const server = createServer({ key, cert }, (_request, response) => response.end('heard'));
  onTestFinished(() => void server.close().closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const CALLERS = {
  fetch: 'await (await fetch(url)).text()',
  https:
    "await new Promise((resolve, reject) => https.get(url, (answer) => answer.on('data', (data) => resolve(String(data)))).on('error', reject))",
  'a thread':
    'await new Promise((resolve, reject) => new Worker(\'fetch(require("worker_threads").workerData).then((answer) => answer.text()).then((text) => require("worker_threads").parentPort.postMessage(text))\', { eval: true, workerData: url }).on("message", resolve).on("error", reject))',
};

test.each(Object.entries(CALLERS))(
  'an agent that calls a server with %s trusts the certificates of NODE_EXTRA_CA_CERTS, and only these',
  async (_how, call) => {
    const cwd = projectOf({});
    const port = await startServer(cwd);
    const agent = `import https from 'node:https';
import { Worker } from 'node:worker_threads';
export async function agent() {
  const url = 'https://127.0.0.1:${port}/';
  return \`\${${call}} \${process.env.NODE_EXTRA_CA_CERTS}\`;
}
`;
    const file = join(cwd, 'own.pem');
    const trusting = createProject({
      'a.test.yaml': SUITE.replace('heard', `heard ${file}`),
      'agent.mjs': agent,
    });
    onTestFinished(trusting.remove);
    const run = (NODE_EXTRA_CA_CERTS: string | undefined) =>
      startCli(['run', '--agent', './agent.mjs'], { cwd: trusting.path, env: { NODE_EXTRA_CA_CERTS } });
    expect(await run(file)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('1 passed') });
    const without = await run(undefined);
    expect(without.exitCode).toBe(3);
    expect(without.stdout).toContain('self-signed certificate');
  },
);

test('options of Node that are for Assay only do not reach the process of the agent, with what belongs to them', () => {
  const cwd = projectOf({
    'agent.mjs': "export const agent = () => `heard ${process.execArgv.join(' ')}`;\n",
    'a.test.yaml': "- { id: t, input: hi, assert: { output.equals: 'heard --stack-trace-limit=7' } }\n",
  });
  const options = ['--cpu-prof', '--cpu-prof-interval', '1000', '--cpu-prof-dir', 'profiles'];
  const args = [...options, '--stack-trace-limit=7', CLI, 'run', '--agent', './agent.mjs'];
  const output = execFileSync(process.execPath, args, { cwd, env: userEnvironment(), encoding: 'utf8' });
  expect(output).toContain('1 passed');
  expect(readdirSync(join(cwd, 'profiles'))).toHaveLength(1);
});

test.runIf(existsSync('/proc'))('what watches over the process of an agent ends with it', async () => {
  const cwd = projectOf({
    'agent.mjs':
      "import fs from 'node:fs';\nexport const agent = () => (fs.writeFileSync('pid', `${process.pid}`), 'heard');\n",
  });
  // In this process, which goes on.
  expect(
    await runCli(['run', '--agent', './agent.mjs'], { cwd, env: { ASSAY_ISOLATE: 'true' } }),
  ).toMatchObject({ exitCode: 0, stderr: '' });
  const pid = readFileSync(join(cwd, 'pid'), 'utf8');
  await expect.poll(() => watchersOf(pid)).toEqual([]);
});

/** Processes of a shell whose last argument is the id of the process of an agent. */
function watchersOf(pid: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((id) => {
      try {
        const words = readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0');
        return words[0] === '/bin/sh' && words.at(-2) === pid;
      } catch {
        return false;
      }
    });
}

test.each<[expected: boolean, args: string]>([
  [true, 'a.test.yaml --agent ./agent.mjs'],
  [true, '--agent=./agent.ts:other --workers 2'],
  [true, ''],
  [false, '--agent cmd:./agent.mjs'],
  [false, '--agent https://localhost/agent.mjs'],
  [false, '--agent ./agent.py'],
  [false, '--agent ./agent.mjs --list'],
  [false, '--agent ./agent.mjs --help'],
])('a process is started early: %s for the arguments %j', (expected, args) => {
  const cwd = projectOf({ 'assay.config.yaml': 'agent: ./agent.mjs\n' });
  const back = process.cwd();
  process.chdir(cwd);
  try {
    expect(expectsHost(args.split(' ').filter((arg) => arg !== ''))).toBe(expected);
  } finally {
    process.chdir(back);
  }
});
