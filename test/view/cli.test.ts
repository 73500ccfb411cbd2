import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { CLI, createProject, runCli } from '../project.ts';
import { createViewProject, killLater, killStarted, startView } from './view-project.ts';

const project = createViewProject();
let runId: string;

beforeAll(async () => {
  runId = await project.run();
});

afterEach(killStarted);
afterAll(() => project.remove());

test('the name of a run that does not exist is shown without its control characters', async () => {
  for (const name of ['x\u001b[31m', 'x\u009b31m', 'x\r\n::error::y', '\u202ex']) {
    const { stdout, stderr, exitCode } = await runCli(['view', '--no-open', name], { cwd: project.path });
    expect(exitCode).toBe(2);
    // eslint-disable-next-line no-control-regex
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]|\n::error/);
    expect(stderr).toContain('there is no run');
  }
});

test('a run can be named by id, prefix, folder or `latest`, and its link is printed', async () => {
  for (const name of [runId, runId.slice(0, 18), 'latest', `.assay/runs/${runId}`]) {
    const view = await startView(project.path, [name]);
    expect(view.printed.stdout.split('\n')[0]).toBe(`${view.origin}/?token=${view.token}#/runs/${runId}`);
    expect(await view.stop()).toBe(0);
  }
});

test('a run in another folder is shown next to those of the project', async () => {
  const other = createProject({});
  const view = await startView(other.path, [relative(other.path, join(project.path, '.assay/runs', runId))]);
  expect(await view.json('/api/runs')).toMatchObject({ runs: [{ run_id: runId }] });
  await view.stop();
  other.remove();
});

test('an unknown run, two runs, or an invalid port gives exit code 2', async () => {
  const say = async (...args: string[]): Promise<unknown> => {
    const { exitCode, stderr } = await runCli(['view', ...args], { cwd: project.path });
    return [exitCode, stderr];
  };
  expect(await say('none')).toEqual([2, expect.stringContaining('there is no run "none"')]);
  expect(await say('latest', 'latest')).toEqual([2, expect.stringContaining('one run at a time')]);
  expect(await say('--port', '99999')).toEqual([2, expect.stringContaining('from 0 (any that is free)')]);
  expect(await say('--prot', '1')).toEqual([2, expect.stringContaining('did you mean --port')]);
});

test('a taken port is an error if it was requested; otherwise another one is used', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address() as AddressInfo;
  const { exitCode, stderr } = await runCli(['view', '--port', String(port)], { cwd: project.path });
  taken.close();
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`port ${port} is taken`)]);
  const both = [
    await startView(project.path, [], { command: ['view'] }),
    await startView(project.path, [], { command: ['view'] }),
  ];
  expect(both[0]!.port).not.toBe(both[1]!.port);
  for (const view of both) await view.stop();
});

test('without any run it says so, and still shows the page', async () => {
  const empty = createProject({});
  const view = await startView(empty.path);
  expect(await view.json('/api/runs')).toEqual({ runs: [] });
  await view.stop();
  expect(view.printed.stdout).toContain('create one with `assay run`');
  empty.remove();
});

test.each([
  ['on a terminal', [], {}, true],
  ['with --no-open', ['--no-open'], {}, false],
  ['in CI', [], { CI: 'true' }, false],
  ['without a screen', [], { DISPLAY: undefined }, false],
])('a browser is opened %s: %s', async (_, args, env, isOpened) => {
  const folder = join(project.path, `bin-${String(isOpened)}-${args.length}-${Object.keys(env).join('')}`);
  const said = join(folder, 'said');
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'xdg-open'),
    `#!/bin/sh\necho "$@" > '${said}.part' && mv '${said}.part' '${said}'\n`,
  );
  chmodSync(join(folder, 'xdg-open'), 0o755);
  const terminal = startOnTerminal(['view', '--port', '0', ...args], {
    PATH: `${folder}:${process.env['PATH']}`,
    DISPLAY: ':99',
    ...env,
  });
  const address = await terminal.sees(/http:\S+token=\S+/);
  await terminal.sees(/Press Ctrl-C to stop/);
  if (isOpened) {
    while (!existsSync(said)) await delay(20);
    const opened = readFileSync(said, 'utf8').trim();
    // Other users see the arguments of programs: the token is not in them.
    expect(new URL(opened).origin).toBe(new URL(address).origin);
    expect(opened).not.toBe(address);
    const open = (): Promise<Response> => fetch(opened, { redirect: 'manual' });
    const answers = [await open(), await open()];
    expect(answers.map(({ status }) => status)).toEqual([303, 401]);
    expect(answers[0]!.headers.get('set-cookie')).toContain(new URL(address).searchParams.get('token'));
  }
  expect(await terminal.interrupt()).toBe(0);
  expect(existsSync(said)).toBe(isOpened);
});

test('a missing program to open URLs is not an error', async () => {
  const terminal = startOnTerminal(['view', '--port', '0'], { PATH: '/nowhere', DISPLAY: ':99' });
  await terminal.sees(/Press Ctrl-C to stop/);
  expect(await terminal.interrupt()).toBe(0);
});

test("on a terminal, `run --view` serves until Ctrl-C and ends with the run's exit code", async () => {
  const args = ['run', 'all.test.yaml', '--agent', './agent.mjs', '--view', '--no-open'];
  const terminal = startOnTerminal(args, {});
  const address = await terminal.sees(/http:\S+token=\S+/);
  await terminal.sees(/the run is shown at[\s\S]*press Ctrl-C to stop/);
  const { origin, searchParams } = new URL(address);
  const headers = { Authorization: `Bearer ${searchParams.get('token')}` };
  expect(await (await fetch(`${origin}/api/runs`, { headers })).json()).toMatchObject({
    runs: { 0: { state: 'ended', exit_code: 1 } },
  });
  expect(await terminal.interrupt()).toBe(1);
});

/** The built CLI on a terminal of its own, as a person has it. */
function startOnTerminal(args: readonly string[], env: Readonly<Record<string, string | undefined>>) {
  const child = spawn('/usr/bin/env', ['python3', '-c', ON_TERMINAL, process.execPath, CLI, ...args], {
    cwd: project.path,
    env: {
      ...process.env,
      CI: 'false',
      NO_COLOR: '1',
      ...env,
      PATH: process.env['PATH'],
      CHILD_PATH: env['PATH'],
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // Its terminal goes with it, and that ends the CLI.
  killLater(child);
  let seen = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (seen += text));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return {
    async sees(pattern: RegExp): Promise<string> {
      for (;;) {
        const found = pattern.exec(seen.replaceAll('\r', ''));
        if (found !== null) return found[0];
        if (child.exitCode !== null) throw new Error(`it ended:\n${seen}`);
        await delay(20);
      }
    },
    interrupt(): Promise<number | null> {
      child.stdin.write('\u0003');
      return ended;
    },
  };
}

const ON_TERMINAL = `
import os, pty, sys
if os.environ.get('CHILD_PATH'): os.environ['PATH'] = os.environ['CHILD_PATH']
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))
`;
