import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { createProject, runCli, type Project } from '../project.ts';

const projects: Project[] = [];
afterEach(() => {
  for (const each of projects.splice(0)) each.remove();
});

const hasNamespaces =
  process.platform === 'linux' &&
  spawnSync('unshare', [
    '--user',
    '--map-current-user',
    '--keep-caps',
    '--net',
    '--pid',
    '--fork',
    '--mount-proc',
    'true',
  ]).status === 0;

function project(files: Readonly<Record<string, string>>): { readonly path: string; readonly tmp: string } {
  const made = createProject({
    'assay.config.yaml': 'targets: [{ name: agent, command: [sh, agent.sh] }]\n',
    'shop/a.txt': 'a\n',
    ...files,
  });
  projects.push(made);
  const tmp = join(made.path, 'tmp');
  mkdirSync(tmp);
  return { path: made.path, tmp };
}

async function run(
  place: { readonly path: string; readonly tmp: string },
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
) {
  const result = await runCli(['run', ...args], { cwd: place.path, env: { TMPDIR: place.tmp, ...env } });
  const runs = join(place.path, '.assay/runs');
  const last = readdirSync(runs)
    .filter((name) => /^\d/.test(name))
    .toSorted()
    .at(-1)!;
  const records = readFileSync(join(runs, last, 'results.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AttemptRecord)
    .filter(({ id }) => id !== undefined);
  const store = readdirSync(place.tmp).find((name) => name.startsWith('assay-workspaces-'));
  return { ...result, records, left: store === undefined ? [] : readdirSync(join(place.tmp, store)) };
}

const suite = (
  environment: string,
  checks = '      - { type: files, path: a.txt, exists: true }',
): string => `evalcases:
  - id: t
    input: go
    workspace: { template: ./shop }
    environment: ${environment}
    evaluators:
${checks}
`;

const REPLY = `echo '{"output": "done"}'`;

test('home: clean hides the home of the operator and every variable that is not declared', async () => {
  const place = project({
    'home/.claude/CLAUDE.md': 'LEAK',
    'home/.gitconfig': '[user]\nname = LEAK\n',
    'agent.sh': `cat > /dev/null; env > env.txt; cat ~/.claude/CLAUDE.md ~/.gitconfig > home.txt 2>/dev/null; git config user.name > git.txt; ${REPLY}`,
    'suite.eval.yaml': suite(
      '{ home: clean, env: [MY_KEY] }',
      `      - { type: files, path: [home.txt, git.txt], equals: "" }
      - { type: files, path: env.txt, contains: MY_KEY=passed-on }`,
    ),
  });
  const { records } = await run(place, [], {
    HOME: join(place.path, 'home'),
    MY_KEY: 'passed-on',
    OTHER_KEY: 'not-declared',
    XDG_CONFIG_HOME: join(place.path, 'home/.config'),
    CLAUDE_CONFIG_DIR: join(place.path, 'home/.claude'),
  });
  expect(records[0]!.error ?? records[0]!.verdict).toBe('passed');
  expect(records[0]!.workspace!.home).toBe('clean');
  const env = records[0]!.workspace!.diff!;
  expect(env).not.toContain('not-declared');
  expect(env).not.toContain(join(place.path, 'home'));
});

test.skipIf(!hasNamespaces)(
  'network: none leaves no way out, and what the agent asked for is recorded',
  async () => {
    const server = createServer((_incoming, outgoing) => outgoing.end('REACHED'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const place = project({
        'agent.mjs': `import { get } from 'node:http';
import { connect } from 'node:net';
import { writeFileSync } from 'node:fs';
const direct = await new Promise((done) => { const s = connect(${port}, '127.0.0.1', () => done('REACHED')); s.on('error', (e) => done(e.code)); });
const proxied = await new Promise((done) => {
  const url = new URL(process.env.HTTP_PROXY);
  get({ host: url.hostname, port: url.port, path: 'http://127.0.0.1:${port}/', headers: { host: 'x' } }, (r) => done(r.statusCode)).on('error', (e) => done(e.code));
});
writeFileSync('seen.json', JSON.stringify({ direct, proxied }));
console.log('{"output": "done"}');`,
        'assay.config.yaml': 'targets: [{ name: agent, command: [node, agent.mjs] }]\n',
        'suite.eval.yaml': suite(
          '{ network: none }',
          '      - { type: files, path: seen.json, json: { direct: ECONNREFUSED, proxied: 403 } }',
        ),
      });
      const { records, left } = await run(place);
      expect(records[0]!.error ?? records[0]!.verdict).toBe('passed');
      expect(records[0]!.workspace).toMatchObject({
        network: [],
        sandbox: 'namespace',
        hosts: [{ host: `127.0.0.1:${port}`, refused: true }],
      });
      expect(left).toEqual([]);
    } finally {
      server.close();
    }
  },
);

test.skipIf(!hasNamespaces)(
  'network: hosts that are named are reached, and the model API is too',
  async () => {
    const server = createServer((incoming, outgoing) => outgoing.end(`at ${incoming.url}`));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const place = project({
        'agent.mjs': `import { get } from 'node:http';
import { writeFileSync } from 'node:fs';
const read = (options) => new Promise((done) => get(options, (r) => { let t = ''; r.on('data', (c) => (t += c)).on('end', () => done(t)); }).on('error', (e) => done(e.code)));
const url = new URL(process.env.HTTP_PROXY);
const proxied = await read({ host: url.hostname, port: url.port, path: 'http://localhost:${port}/named', headers: { host: 'x' } });
const model = await read(process.env.OPENAI_BASE_URL + '/model');
writeFileSync('seen.json', JSON.stringify({ proxied, model }));
console.log('{"output": "done"}');`,
        'assay.config.yaml': 'targets: [{ name: agent, command: [node, agent.mjs] }]\n',
        'suite.eval.yaml': suite(
          `{ network: ["localhost:${port}"] }`,
          '      - { type: files, path: seen.json, json: { proxied: at /named, model: at /v1/model } }',
        ),
      });
      const { records } = await run(place, [], { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` });
      expect(records[0]!.error ?? records[0]!.verdict).toBe('passed');
      expect(records[0]!.workspace!.hosts).toEqual([{ host: `localhost:${port}` }]);
    } finally {
      server.close();
    }
  },
);

test('a policy that cannot be enforced is an error: an agent in the process of Assay', async () => {
  for (const environment of ['{ network: none }', '{ home: clean }', '{ run_in: [env] }']) {
    const place = project({
      'agent.mjs': 'export default () => "done";',
      'assay.config.yaml': 'targets: [{ name: agent, agent: ./agent.mjs }]\n',
      'suite.eval.yaml': suite(environment),
    });
    const { records, exitCode } = await run(place, ['--allow-scripts', '--target', 'agent']);
    expect(exitCode).toBe(3);
    expect(records[0]!.error).toMatchObject({ kind: 'config' });
    expect(records[0]!.error!.message).toContain('cannot be enforced');
  }
});

test('a network that no namespace can enforce is an error', async () => {
  const place = project({
    'agent.sh': `touch ../../../called; ${REPLY}`,
    'suite.eval.yaml': suite('{ network: none }'),
    'bin/unshare': '#!/bin/sh\necho "unshare failed: Operation not permitted" >&2\nexit 1\n',
  });
  spawnSync('chmod', ['+x', join(place.path, 'bin/unshare')]);
  const { records } = await run(place, [], {
    PATH: `${join(place.path, 'bin')}${delimiter}${process.env['PATH']}`,
  });
  expect(records[0]!.error!.message).toContain('cannot be enforced');
  expect(records[0]!.error!.message).toContain('Operation not permitted');
  expect(existsSync(join(place.tmp, 'called'))).toBe(false);
});

/** Writes down how it is called, and runs what it should. */
const DOCKER = `#!/bin/sh
echo "$@" | cut -c 1-2000 | tr '\\n' ' ' >> "$DOCKER_LOG"; echo >> "$DOCKER_LOG"
case "$1" in
  build) echo sha256:built; exit 0 ;;
  rm) exit 0 ;;
esac
shift
while [ "$#" -gt 0 ]; do
  case "$1" in
    --volume|--env|--user) shift 2 ;;
    --workdir=*) cd "\${1#--workdir=}"; shift ;;
    --*) shift ;;
    *) shift; break ;;
  esac
done
exec "$@"
`;

test('docker: the agent is started in a container with its workspace, without network, and the container is removed', async () => {
  const place = project({
    'agent.sh': `cat > /dev/null; echo b > b.txt; ${REPLY}`,
    'assay.config.yaml':
      'targets: [{ name: agent, command: [sh, -c, "cat > /dev/null; echo b > b.txt; echo \'{\\"output\\": \\"done\\"}\'"] }]\n',
    'suite.eval.yaml': suite(
      '{ docker: { build: ./docker }, network: none, home: clean }',
      '      - { type: files, path: b.txt, exists: true }',
    ),
    'docker/Dockerfile': 'FROM node:22\n',
    'bin/docker': DOCKER,
  });
  spawnSync('chmod', ['+x', join(place.path, 'bin/docker')]);
  const log = join(place.path, 'docker.log');
  const env = { PATH: `${join(place.path, 'bin')}${delimiter}${process.env['PATH']}`, DOCKER_LOG: log };
  const refused = await run(place, [], env);
  expect(refused.records[0]!.error!.message).toContain('`docker` of the test may not run');
  expect(existsSync(log)).toBe(false);
  writeFileSync(
    join(place.path, 'suite.eval.yaml'),
    readFileSync(join(place.path, 'suite.eval.yaml'), 'utf8')
      .replace('home: clean', 'home: clean, env: [DOCKER_LOG]')
      // It is gone before anything is graded: a client that was killed leaves its container running.
      .replace(
        'exists: true }',
        'exists: true }\n      - { type: command, command: [grep, "rm --force", ../../../../docker.log] }',
      ),
  );
  const { records, left } = await run(place, ['--allow-scripts'], env);
  expect(records[0]!.error ?? records[0]!.verdict).toBe('passed');
  const calls = readFileSync(log, 'utf8').split('\n');
  expect(calls[0]).toContain('build --quiet');
  expect(calls[1]).toContain('run --rm --interactive --init --name=assay-');
  expect(calls[1]).toContain('--network=none');
  expect(calls[1]).toContain('--cap-drop=ALL');
  expect(calls[1]).toContain('sha256:built node -e');
  const name = /--name=(\S+)/.exec(calls[1]!)![1]!;
  expect(calls.slice(2).join('\n')).toContain(`rm --force ${name}`);
  expect(left).toEqual([]);
});

test('run_in: the command stands before that of the agent, with what setup printed', async () => {
  const place = project({
    'assay.config.yaml':
      'targets: [{ name: agent, command: [sh, -c, "cat > /dev/null; echo $0 $BOX > box.txt; echo \'{\\"output\\": \\"done\\"}\'"] }]\n',
    'suite.eval.yaml': suite(
      '{ run_in: [env, "BOX={{sandbox}}"] }\n    setup: [echo, "{\\"sandbox\\": \\"box-7\\"}"]',
      '      - { type: files, path: box.txt, contains: box-7 }',
    ),
  });
  const { records } = await run(place, ['--allow-scripts']);
  expect(records[0]!.error ?? records[0]!.verdict).toBe('passed');
  expect(records[0]!.workspace!.sandbox).toBe('run_in');
});

test('a coding agent: clean home and a fresh repository by default; what it loaded is recorded, and a warning if undeclared', async () => {
  const claude = `#!/usr/bin/env node
const fs = require('node:fs');
fs.readFileSync(0);
const log = require('node:child_process').execFileSync('git', ['log', '--oneline']).toString();
fs.writeFileSync('log.txt', log + require('node:os').homedir());
const say = (event) => console.log(JSON.stringify(event));
say({ type: 'system', subtype: 'init', session_id: 's', model: 'm', tools: ['Bash'], mcp_servers: [{ name: 'own', status: 'connected' }, { name: 'leak', status: 'connected' }], skills: ['pdf'], plugins: [] });
say({ type: 'assistant', session_id: 's', message: { role: 'assistant', content: [{ type: 'text', text: 'done' }] } });
say({ type: 'result', subtype: 'success', is_error: false, session_id: 's', num_turns: 1, result: 'done', usage: { input_tokens: 1, output_tokens: 1 } });
`;
  const place = project({
    'bin/claude': claude,
    'assay.config.yaml': 'targets: [{ name: agent, provider: claude-code, command: ./bin/claude }]\n',
    'shop/.mcp.json': '{"mcpServers": {"own": {"command": "x"}}}',
    'shop/.claude/skills/pdf/SKILL.md': 'x',
    'suite.eval.yaml': `evalcases:
  - id: t
    input: go
    workspace: { template: ./shop }
    evaluators:
      - { type: files, path: log.txt, contains: start }
`,
  });
  spawnSync('chmod', ['+x', join(place.path, 'bin/claude')]);
  const { records, stderr } = await run(place);
  expect(records[0]!.error ?? records[0]!.verdict).toBe('passed');
  expect(records[0]!.workspace).toMatchObject({
    git: 'fresh',
    home: 'clean',
    loaded: { model: 'm', tools: ['Bash'], mcp_servers: ['own', 'leak'], skills: ['pdf'] },
  });
  expect(stderr).toContain('leak (mcp servers)');
  expect(stderr).not.toContain('own (mcp servers)');
  const strict = await run(place, ['--strict']);
  expect(strict.records[0]!.verdict).toBe('error');
  expect(strict.records[0]!.error!.message).toContain('undeclared_load');
});
