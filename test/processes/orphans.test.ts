import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { effort } from '../effort.ts';
import { createProject, startCli, type CliResult } from '../project.ts';
import { until } from '../run-folders.ts';
import { freePort } from '../servers/free-port.ts';
import { trackProcesses, type TrackedProcesses } from '../track-processes.ts';

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

/** Ways in which a program can leave something behind; each notes in `started` that it has done so. */
const LEAVERS = {
  'a child in its group': 'sleep 61 & echo > started',
  'one that ignores SIGTERM': `(trap '' TERM INT HUP; sleep 61; sleep 61) & echo > started`,
  'one in a session of its own': 'setsid sleep 61 & echo > started',
  'one forked twice, in a session of its own': '(setsid sh -c "sleep 61 & sleep 61" &) ; echo > started',
  'one without its pipes': 'setsid sleep 61 </dev/null >/dev/null 2>&1 & echo > started',
};

const HANG = '; sleep 62';
const ANSWER = '; echo ok';

const TEST = '- {id: t, input: hi, assert: {output.equals: ok}}\n';

function project(files: Record<string, string>): string {
  const created = createProject({ 'a.test.yaml': TEST, ...files });
  cleanUps.push(() => created.remove());
  return created.path;
}

interface Running {
  readonly cwd: string;
  readonly tracked: TrackedProcesses;
  readonly args: readonly string[];
}

/** Runs, and sends signals one after the other once the program is at work. */
async function interrupt(
  { cwd, tracked, args }: Running,
  ...signals: readonly NodeJS.Signals[]
): Promise<CliResult> {
  return startCli(args, {
    cwd,
    env: tracked.env,
    async onStart(child) {
      await until(() => existsSync(join(cwd, 'started')), 'the program to start');
      for (const signal of signals) {
        child.kill(signal);
        await sleep(200);
      }
    },
  });
}

/** The worst of them: it ignores what asks it to end, or has left its group. */
const WORST = new Set(['one that ignores SIGTERM', 'one forked twice, in a session of its own']);
const TRIED = Object.entries(LEAVERS).filter(([name]) => effort({ short: WORST.has(name), long: true }));

describe.each(TRIED)('a program that leaves %s', (_, script) => {
  test('leaves no process after a timeout', async () => {
    const cwd = project({ 'agent.sh': script + HANG });
    const tracked = trackProcesses();
    const { exitCode, stdout } = await startCli(
      ['run', '--agent', 'cmd: sh agent.sh', '--timeout', '700ms', '--reporter', 'json'],
      { cwd, env: tracked.env },
    );
    expect(exitCode).toBe(3);
    expect(stdout).toContain('no reply after 0.7 s');
    expect(existsSync(join(cwd, 'started'))).toBe(true);
    expect(await tracked.orphans()).toEqual([]);
  });

  test('leaves no process after it answered and the run ends', async () => {
    const cwd = project({ 'agent.sh': script + ANSWER });
    const tracked = trackProcesses();
    expect(await startCli(['run', '--agent', 'cmd: sh agent.sh'], { cwd, env: tracked.env })).toMatchObject({
      exitCode: 0,
    });
    expect(await tracked.orphans()).toEqual([]);
  });

  test('leaves no process after one or two Ctrl-C', async () => {
    for (const signals of [['SIGINT'], ['SIGINT', 'SIGINT']] as const) {
      const cwd = project({ 'agent.sh': script + HANG });
      const tracked = trackProcesses();
      const args = ['run', '--agent', 'cmd: sh agent.sh'];
      expect((await interrupt({ cwd, tracked, args }, ...signals)).exitCode).toBe(130);
      expect(await tracked.orphans()).toEqual([]);
    }
  });
});

describe('other kinds of agents', () => {
  test('a Python agent that starts its own session, on a timeout and at the end', async () => {
    const agent = (end: string) => `
import subprocess, time
def agent(input_text, memory):
    subprocess.Popen(["sleep", "61"], start_new_session=True)
    ${end}
    return "ok"
`;
    for (const [end, exitCode] of [['time.sleep(62)', 3] as const, ['pass', 0] as const]) {
      const cwd = project({ 'agent.py': agent(end) });
      const tracked = trackProcesses();
      const result = await startCli(['run', '--agent', 'agent.py', '--timeout', '2s'], {
        cwd,
        env: tracked.env,
      });
      expect(result.exitCode).toBe(exitCode);
      expect(await tracked.orphans()).toEqual([]);
    }
  });

  test('a server that was started for the run, when the run ends and on Ctrl-C', async () => {
    const server = `
import { createServer } from 'node:http';
import { writeFileSync } from 'node:fs';
process.on('SIGTERM', () => {});
createServer((request, response) => {
  writeFileSync('started', '');
  if (process.env.HANG !== '1') response.end('ok');
}).listen(Number(process.argv[2]), '127.0.0.1');`;
    for (const hang of ['0', '1']) {
      const port = 20_000 + Math.floor(Math.random() * 20_000);
      const cwd = project({
        'server.mjs': server,
        'assay.config.yaml': `targets:\n  - {name: s, url: "http://127.0.0.1:${port}/", start: [node, server.mjs, "${port}"]}\n`,
      });
      const tracked = trackProcesses();
      const env = { ...tracked, env: { ...tracked.env, HANG: hang } };
      const running = { cwd, tracked: env, args: ['run', '--target', 's'] };
      const { exitCode } = await interrupt(running, ...(hang === '1' ? (['SIGINT'] as const) : []));
      expect(exitCode).toBe(hang === '1' ? 130 : 0);
      expect(await tracked.orphans()).toEqual([]);
    }
  });

  test('a batch on Ctrl-C, which is asked to end and then killed with everything it started', async () => {
    const cwd = project({
      'batch.sh': `trap 'echo asked > asked; exit 1' TERM; (trap '' TERM; sleep 61) & echo > started; wait`,
      'assay.config.yaml':
        'targets:\n  - {name: b, provider: cli, provider_batching: true, command_template: "sh batch.sh {OUTPUT_FILE}"}\n',
    });
    const tracked = trackProcesses();
    const { exitCode } = await interrupt({ cwd, tracked, args: ['run', '--target', 'b'] }, 'SIGINT');
    expect(exitCode).toBe(130);
    expect(readFileSync(join(cwd, 'asked'), 'utf8')).toBe('asked\n');
    expect(await tracked.orphans()).toEqual([]);
  });

  test('a health check that hangs, on Ctrl-C', async () => {
    const cwd = project({
      'assay.config.yaml':
        'targets:\n  - {name: h, provider: cli, command_template: "echo ok", healthcheck: {type: command, command_template: "echo > started; sleep 61"}}\n',
    });
    const tracked = trackProcesses();
    const { exitCode } = await interrupt({ cwd, tracked, args: ['run', '--target', 'h'] }, 'SIGINT');
    expect(exitCode).toBe(130);
    expect(await tracked.orphans()).toEqual([]);
  });
});

describe('a script of a suite', () => {
  const suite =
    'evalcases:\n  - id: t\n    input: hi\n    evaluators:\n      - {type: code_judge, name: j, script: [sh, judge.sh], timeout_ms: 1000}\n';
  const config = `targets: [{name: m, provider: mock, response: hi}]\nscripts: {allow: true, env: [ASSAY_TEST_MARK]}\n`;

  test.each(['a child in its group', 'one that ignores SIGTERM', 'one in a session of its own'] as const)(
    'that leaves %s has no process left after a timeout or Ctrl-C',
    async (leaver) => {
      for (const isInterrupted of [false, true]) {
        const cwd = project({
          'b.eval.yaml': suite,
          'judge.sh': LEAVERS[leaver] + HANG,
          'assay.config.yaml': config,
        });
        const tracked = trackProcesses();
        const running = { cwd, tracked, args: ['run', 'b.eval.yaml', '--target', 'm'] };
        const { exitCode } = await interrupt(running, ...(isInterrupted ? (['SIGINT'] as const) : []));
        expect(exitCode).toBe(isInterrupted ? 130 : 3);
        expect(await tracked.orphans()).toEqual([]);
      }
    },
  );
});

test('known gap: a process that left its group, lost its parent and has no mark in its environment is not found', async () => {
  const cwd = project({ 'agent.sh': '(env -u ASSAY_PROCESS setsid sleep 15 &) ; sleep 0.3; echo ok' });
  const tracked = trackProcesses();
  await startCli(['run', '--agent', 'cmd: sh agent.sh'], { cwd, env: tracked.env });
  expect(tracked.living()).toEqual(['sleep 15']);
  await until(() => tracked.living().length === 0);
});

describe('a server that was started for a run that was killed', () => {
  const SERVER = `import { createServer } from 'node:http';
import { appendFileSync, existsSync } from 'node:fs';
createServer((_request, response) => {
  appendFileSync('asked', '.');
  const answer = () => response.end(JSON.stringify({ output: 'ok', tools_used: [] }));
  if (existsSync('slow')) setTimeout(answer, 60_000);
  else answer();
}).listen(Number(process.argv[2]), '127.0.0.1', () => appendFileSync('listens', process.argv[2] + ' '));`;

  async function killedRun(): Promise<{ readonly cwd: string; readonly port: number }> {
    const port = await freePort();
    const cwd = project({
      'server.mjs': SERVER,
      slow: '',
      'assay.config.yaml': `targets:\n  - { name: s, url: "http://127.0.0.1:${port}/", start: [node, server.mjs, "${port}"] }\n`,
    });
    await startCli(['run'], {
      cwd,
      async onStart(child) {
        await until(() => existsSync(join(cwd, 'asked')), 'the server to be asked');
        child.kill('SIGKILL');
      },
    });
    rmSync(join(cwd, 'slow'));
    return { cwd, port };
  }

  test('is ended by the next run, which starts a new one', async () => {
    const { cwd } = await killedRun();
    expect(await startCli(['run', '--resume'], { cwd })).toMatchObject({ exitCode: 0 });
  });

  test('is told apart from a server that somebody else started or that a run still uses', async () => {
    const { cwd, port } = await killedRun();
    const other = await freePort();
    const mine = spawn(process.execPath, ['server.mjs', String(other)], { cwd });
    cleanUps.push(() => mine.kill('SIGKILL'));
    const config = (taken: number) =>
      `targets:\n  - { name: s, url: "http://127.0.0.1:${taken}/", start: [node, server.mjs, "${taken}"] }\n`;
    writeFileSync(join(cwd, 'assay.config.yaml'), config(other));
    await until(() => readFileSync(join(cwd, 'listens'), 'utf8').includes(String(other)), 'my server');
    const refused = await startCli(['run'], { cwd });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain(`another server already answers at 127.0.0.1:${other}`);
    expect(mine.exitCode).toBe(null);

    writeFileSync(join(cwd, 'slow'), '');
    writeFileSync(join(cwd, 'assay.config.yaml'), config(port));
    rmSync(join(cwd, 'asked'));
    let second: CliResult | undefined;
    await startCli(['run'], {
      cwd,
      async onStart(child) {
        await until(() => existsSync(join(cwd, 'asked')), 'the server to be asked');
        second = await startCli(['run'], { cwd });
        child.kill('SIGTERM');
      },
    });
    expect(second?.stderr).toContain(`another server already answers at 127.0.0.1:${port}`);
  });
});
