import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { needProgram } from '../need-program.ts';
import { CLI, createProject } from '../project.ts';
import { until } from '../run-folders.ts';
import { trackProcesses } from '../track-processes.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let project: ReturnType<typeof createProject> | undefined;
afterEach(() => project?.remove());

/** Programs that start runs. Each is killed while the agent of a test is at work. */
const PARENTS: Readonly<Record<string, (cwd: string, env: NodeJS.ProcessEnv) => ChildProcess>> = {
  mcp(cwd, env) {
    const server = spawn(process.execPath, [CLI, 'mcp'], { cwd, env, stdio: ['pipe', 'ignore', 'ignore'] });
    const send = (message: object): unknown =>
      server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    send({ id: 1, method: 'initialize', params });
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/call', params: { name: 'run', arguments: {} } });
    return server;
  },
  'client of mcp': (cwd, env) => PARENTS['mcp']!(cwd, env),
  lsp(cwd, env) {
    const server = spawn(process.execPath, [CLI, 'lsp', '--stdio'], {
      cwd,
      env,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const send = (message: object): void => {
      const body = JSON.stringify({ jsonrpc: '2.0', ...message });
      server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    };
    const uri = pathToFileURL(join(cwd, 'slow.test.yaml')).href;
    send({ id: 1, method: 'initialize', params: { rootUri: pathToFileURL(cwd).href, capabilities: {} } });
    send({ method: 'initialized', params: {} });
    const command = { command: 'assay.run', arguments: [{ uri, id: 'slow', line: 1 }] };
    send({ id: 2, method: 'workspace/executeCommand', params: command });
    return server;
  },
  watch: (cwd, env) =>
    spawn(process.execPath, [CLI, 'watch', '--ask-above', '100'], {
      cwd,
      env,
      stdio: ['pipe', 'ignore', 'ignore'],
    }),
  pytest(cwd, env) {
    const program = needProgram('pytest-3', 'python3-pytest');
    return spawn(program, ['-p', 'assay_pytest', 'slow.test.yaml'], {
      cwd,
      env: {
        ...env,
        PYTHONPATH: join(ROOT, 'templates/pytest'),
        ASSAY_COMMAND: `${process.execPath} ${CLI}`,
      },
      stdio: 'ignore',
    });
  },
  vitest(cwd, env) {
    mkdirSync(join(cwd, 'node_modules/assay'), { recursive: true });
    for (const name of ['dist', 'package.json'])
      symlinkSync(join(ROOT, name), join(cwd, 'node_modules/assay', name));
    symlinkSync(join(ROOT, 'node_modules/vitest'), join(cwd, 'node_modules/vitest'));
    return spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run'], {
      cwd,
      env,
      stdio: 'ignore',
      detached: true,
    });
  },
  'vitest with Ctrl-C': (cwd, env) => PARENTS['vitest']!(cwd, env),
};

test.each(Object.keys(PARENTS))('a run ends in order if %s is killed', { timeout: 60_000 }, async (name) => {
  project = createProject({
    'agent.mjs': 'setInterval(() => undefined, 1000);\n',
    'assay.config.yaml': "agent: 'cmd: node agent.mjs'\nmcp: { paths: [slow.test.yaml] }\n",
    'slow.test.yaml': '- { id: slow, input: x, assert: { output.includes: x } }\n',
    // Each line is a message to vitest, also when vitest is gone.
    'slow.spec.js':
      "import { assaySuite } from 'assay/vitest';\nassaySuite('slow.test.yaml');\nsetInterval(() => console.log('at work'), 1);\n",
    'vitest.config.js': 'export default { test: { include: ["*.spec.js"] } };\n',
    'package.json': '{ "type": "module" }',
  });
  const tracked = trackProcesses();
  const env = { ...process.env, ...tracked.env, CI: 'false', GITHUB_ACTIONS: undefined, VITEST: undefined };
  const parent = PARENTS[name]!(project.path, env);
  parent.stdin?.on('error', () => undefined);
  await until(() => tracked.living().some((line) => line.endsWith('node agent.mjs')), 'the agent');
  if (name === 'client of mcp') parent.stdin!.destroy();
  // As a terminal does: every process in its group.
  else if (name.endsWith('Ctrl-C')) process.kill(-parent.pid!, 'SIGINT');
  else parent.kill('SIGKILL');
  await until(() => tracked.living().length === 0, 'everything to end');
  const [run = ''] = readdirSync(join(project.path, '.assay/runs'));
  const summary = join(project.path, '.assay/runs', run, 'summary.json');
  expect(JSON.parse(readFileSync(summary, 'utf8'))).toMatchObject({ exit_code: 130 });
});
