import { mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createScriptRunner, type ScriptRunnerOptions } from '../../src/checks/judges/script-runner.ts';

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'assay-script-')));

function runner(options: Partial<ScriptRunnerOptions> = {}) {
  return createScriptRunner({
    isAllowed: true,
    cwd,
    env: process.env,
    signal: new AbortController().signal,
    ...options,
  });
}

test('passes stdin and folder, and returns stdout, stderr and exit code', async () => {
  const result = await runner()({ script: 'cat; pwd; echo oops >&2; exit 3', stdin: '{"a":"é"}\n' });
  expect(result).toEqual({ exitCode: 3, signal: undefined, stdout: `{"a":"é"}\n${cwd}\n`, stderr: 'oops\n' });
});

test('a list is run without a shell', async () => {
  const { stdout } = await runner()({ script: ['echo', '$HOME; ls'], stdin: '' });
  expect(stdout).toBe('$HOME; ls\n');
});

test('refuses to run unless allowed', async () => {
  await expect(runner({ isAllowed: false })({ script: 'true', stdin: '' })).rejects.toThrow(
    'run with --allow-scripts or set scripts.allow in the config',
  );
});

test('gives a reduced environment', async () => {
  const env = { PATH: process.env['PATH'], HOME: '/h', OPENAI_API_KEY: 'sk-1', WANTED: 'yes' };
  const { stdout } = await runner({ env, envNames: ['WANTED', 'UNSET'] })({ script: ['env'], stdin: '' });
  const names = stdout
    .trim()
    .split('\n')
    .map((line) => line.split('=')[0]);
  expect(names.toSorted()).toEqual(['HOME', 'PATH', 'WANTED']);
});

test('a missing program is an error', async () => {
  await expect(runner()({ script: ['no-such-program-here'], stdin: '' })).rejects.toThrow(
    /no-such-program-here cannot be started.*was not found: is it installed/,
  );
});

test('unread input is not an error', async () => {
  const { exitCode, stdout } = await runner()({
    script: 'exec 0<&-; echo done',
    stdin: 'x'.repeat(5_000_000),
  });
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'done\n' });
});

test('too much output ends the script', async () => {
  await expect(runner()({ script: 'yes', stdin: '' })).rejects.toThrow('printed more than 10 MB');
});

test('too much stderr is cut and is not an error', async () => {
  const { exitCode, stderr } = await runner()({
    script: 'head -c 12000000 /dev/zero >&2; echo ok',
    stdin: '',
  });
  expect(exitCode).toBe(0);
  expect(stderr).toContain('bytes cut]');
  expect(stderr.length).toBeLessThan(10.5 * 1024 * 1024);
});

test('a timeout ends the script with everything it started, even what ignores SIGTERM', async () => {
  const pids = join(cwd, 'pids');
  const script = `trap '' TERM; (trap '' TERM; sleep 60) & echo $! > ${pids}; echo $$ >> ${pids}; while :; do sleep 1; done`;
  const before = performance.now();
  await expect(runner()({ script, stdin: '', timeoutMs: 1000 })).rejects.toThrow('took longer than 1000 ms');
  expect(performance.now() - before).toBeGreaterThan(2900);
  await expectGone(pids);
});

test('processes that a script leaves behind do not block', async () => {
  const pids = join(cwd, 'left');
  const before = performance.now();
  const { stdout } = await runner()({ script: `sleep 60 & echo $! > ${pids}; echo done`, stdin: '' });
  expect(stdout).toBe('done\n');
  expect(performance.now() - before).toBeLessThan(30_000);
  await expectGone(pids);
});

test('the signal ends the script', async () => {
  await expect(
    runner({ signal: AbortSignal.timeout(200) })({ script: 'exec sleep 60', stdin: '' }),
  ).rejects.toThrow('was stopped');
});

async function expectGone(file: string): Promise<void> {
  const pids = readFileSync(file, 'utf8').trim().split('\n').map(Number);
  for (let tries = 0; tries < 40 && pids.some(isRunning); tries++) await sleep(25);
  expect(pids.filter(isRunning)).toEqual([]);
}

/** A zombie that nobody has waited for is not running. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
