import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { inTerminal } from '../in-terminal.ts';
import { CLI, createProject, runCli, startCli } from '../project.ts';
import { recordedTests, runFolders, until } from '../run-folders.ts';
import { listen } from '../servers/listen.ts';
import { startModelServer } from '../servers/model-server.ts';
import { trackProcesses } from '../track-processes.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** t0 and t1 are answered; t2 says that it has begun and waits, unless `go` is there. */
const AGENTS = {
  'agent.mjs': `
import { existsSync, writeFileSync } from 'node:fs';
export async function agent(input) {
  if (input === 't2' && !existsSync('go')) {
    writeFileSync('started', '');
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  }
  return 'ok ' + input;
}`,
  'agent.sh': `
read -r request
case "$request" in *'"input":"t2"'*) if [ ! -e go ]; then echo > started; sleep 61 & sleep 62; fi;; esac
echo ok`,
  'agent.py': `
import os, time
def agent(input_text, memory):
    if input_text == 't2' and not os.path.exists('go'):
        open('started', 'w').close()
        time.sleep(60)
    return 'ok'
`,
};

const SUITE = ['t0', 't1', 't2', 't3']
  .map((id) => `- {id: ${id}, input: ${id}, assert: {output.includes: ok}}\n`)
  .join('');

function project(files: Record<string, string> = {}): string {
  const created = createProject({ ...AGENTS, 'suite.test.yaml': SUITE, ...files });
  cleanUps.push(() => created.remove());
  return created.path;
}

const run = (agent: string): readonly string[] => [
  'run',
  '--agent',
  agent,
  '--workers',
  '1',
  '--reporter',
  'json',
];
const hasStarted = (cwd: string) => (): boolean => existsSync(join(cwd, 'started'));
const summaryOf = (cwd: string): unknown =>
  JSON.parse(readFileSync(join(runFolders(cwd)[0]!, 'summary.json'), 'utf8'));

async function interrupt(
  child: ChildProcess,
  { when, signals }: { when: () => boolean; signals: readonly NodeJS.Signals[] },
): Promise<void> {
  await until(when);
  for (const signal of signals) {
    child.kill(signal);
    await sleep(100);
  }
}

/** What must hold after every interrupt: two results, a summary, no lock, and --resume runs the rest once. */
async function expectResumable(cwd: string, args: readonly string[]): Promise<void> {
  expect(summaryOf(cwd)).toMatchObject({
    exit_code: 130,
    summary: { tests: 2, passed: 2, interrupted: true },
  });
  expect(recordedTests(runFolders(cwd)[0]!)).toEqual(['t0', 't1']);
  expect(existsSync(join(runFolders(cwd)[0]!, 'lock'))).toBe(false);
  writeFileSync(join(cwd, 'go'), '');
  expect((await runCli([...args, '--resume'], { cwd })).exitCode).toBe(0);
  expect(recordedTests(runFolders(cwd)[0]!)).toEqual(['t0', 't1', 't2', 't3']);
}

describe.each(['./agent.mjs', 'cmd: sh agent.sh', 'agent.py'])('in the middle of a step of %s', (agent) => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s: exit 130, a summary, no orphan process, and --resume runs the rest once',
    async (signal) => {
      const cwd = project();
      const tracked = trackProcesses();
      const result = await startCli(run(agent), {
        cwd,
        env: tracked.env,
        onStart: (child) => void interrupt(child, { when: hasStarted(cwd), signals: [signal] }),
      });
      expect(result.exitCode).toBe(130);
      expect(JSON.parse(result.stdout)).toMatchObject({ exit_code: 130, results: [{}, {}] });
      expect(await tracked.orphans()).toEqual([]);
      await expectResumable(cwd, run(agent));
    },
  );
});

test('a second Ctrl-C does not wait for an agent that refuses to end', async () => {
  const cwd = project({ 'stubborn.sh': `trap '' TERM INT; echo > started; while :; do sleep 1; done` });
  const tracked = trackProcesses();
  const { exitCode } = await startCli(['run', '--agent', 'cmd: sh stubborn.sh'], {
    cwd,
    env: tracked.env,
    onStart: (child) => void interrupt(child, { when: hasStarted(cwd), signals: ['SIGINT', 'SIGINT'] }),
  });
  expect(exitCode).toBe(130);
  // It was cut off before the two seconds it would have had to end: nothing was written at the end.
  expect(existsSync(join(runFolders(cwd)[0]!, 'summary.json'))).toBe(false);
  expect(await tracked.orphans()).toEqual([]);
});

test('an interrupt during the wait before a retry ends the wait', async () => {
  let asked = 0;
  let isWell = false;
  const server = createServer((request, response) => {
    request.resume();
    if (++asked > 2 && !isWell) response.writeHead(503, { 'retry-after': '50' }).end('later');
    else response.end('ok');
  });
  const args = run(`${await listen(server)}/`);
  cleanUps.push(() => void server.close());
  const cwd = project();
  const result = await startCli(args, {
    cwd,
    // The answer to the third has come a moment after it was asked.
    onStart: (child) =>
      void until(() => asked === 3)
        .then(() => sleep(300))
        .then(() => child.kill('SIGINT')),
  });
  expect(result.exitCode).toBe(130);
  expect(asked).toBe(3);
  isWell = true;
  await expectResumable(cwd, args);
});

test("after an interrupt during a judge's call, the unjudged attempt is not recorded", async () => {
  const verdict = JSON.stringify({ reasoning: 'fine', evidence: [], hits: [], misses: [], score: 1 });
  let isWell = false;
  const server = await startModelServer((_, index) =>
    index < 2 || isWell ? { text: verdict } : { fault: 'hang' },
  );
  cleanUps.push(() => server.close());
  const cwd = project({
    'judged.eval.yaml': `evalcases:\n${['t0', 't1', 't2', 't3']
      .map((id) => `  - {id: ${id}, input: ${id}, expected_outcome: fine}\n`)
      .join('')}`,
    'assay.config.yaml': `judge: {provider: openai-compatible, model: m, base_url: "${server.url}/v1"}\ntargets: [{name: m, provider: mock, response: ok}]\n`,
  });
  const args = ['run', 'judged.eval.yaml', '--target', 'm', '--workers', '1', '--reporter', 'json'];
  const result = await startCli(args, {
    cwd,
    onStart: (child) =>
      void interrupt(child, { when: () => server.requests.length === 3, signals: ['SIGINT'] }),
  });
  expect(result.exitCode).toBe(130);
  isWell = true;
  await expectResumable(cwd, args);
});

test('an interrupt while an agent starts: exit 130, nothing is recorded, no orphan process', async () => {
  const cwd = project({
    'slow.py': 'import time\nopen("started", "w").close()\ntime.sleep(60)\ndef agent(i, m): return "ok"\n',
  });
  const tracked = trackProcesses();
  const result = await startCli(run('slow.py'), {
    cwd,
    env: tracked.env,
    onStart: (child) => void interrupt(child, { when: hasStarted(cwd), signals: ['SIGINT'] }),
  });
  expect(result.exitCode).toBe(130);
  expect(result.stderr).toContain('interrupted before the first test');
  expect(JSON.parse(result.stdout)).toMatchObject({ exit_code: 130, summary: { interrupted: true } });
  expect(runFolders(cwd)).toEqual([]);
  expect(await tracked.orphans()).toEqual([]);
});

describe('in a terminal', () => {
  /** Runs Assay in a terminal. Once `started` exists, Ctrl-C is typed or the terminal is closed. */
  async function runInTerminal(
    action: 'ctrl-c' | 'close',
    { cwd, args, env }: { cwd: string; args: readonly string[]; env: Readonly<Record<string, string>> },
  ): Promise<{ exitCode: number; shown: string }> {
    const [program, ...words] = inTerminal([process.execPath, CLI, ...args], { atEndOfInput: 'close' });
    const child = spawn(program!, words, { cwd, env: { ...process.env, CI: 'false', ...env } });
    let shown = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text));
    await until(hasStarted(cwd));
    if (action === 'ctrl-c') child.stdin.write('\x03');
    else child.stdin.end();
    const exitCode = await new Promise<number>((done) => child.on('close', done));
    return { exitCode, shown };
  }

  const args = ['run', '--agent', 'cmd: sh agent.sh', '--workers', '1'];

  test('Ctrl-C, which reaches every foreground process: exit 130, a summary, no orphan process, and --resume works', async () => {
    const cwd = project();
    const tracked = trackProcesses();
    const { exitCode, shown } = await runInTerminal('ctrl-c', { cwd, args, env: tracked.env });
    expect(exitCode).toBe(130);
    expect(shown).toContain('assay: stopping; press Ctrl-C again to force');
    expect(shown).toContain('2 passed');
    expect(shown).toContain('Interrupted');
    expect(await tracked.orphans()).toEqual([]);
    await expectResumable(cwd, args);
  });

  test('closing the terminal: exit 130, no orphan process, and --resume works', async () => {
    const cwd = project();
    const tracked = trackProcesses();
    const { exitCode } = await runInTerminal('close', { cwd, args, env: tracked.env });
    expect(exitCode).toBe(130);
    expect(await tracked.orphans()).toEqual([]);
    await expectResumable(cwd, args);
  });
});
