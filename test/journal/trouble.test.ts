import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { readJournal } from '../../src/journal/journal-reader.ts';
import { CLI, createProject, runCli } from '../project.ts';

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

const AGENT = `
export async function agent(input) {
  await new Promise((resolve) => setTimeout(resolve, Number(input)));
  return { output: 'x'.repeat(2000) };
}`;

function project(delays: readonly number[], files: Record<string, string> = {}): string {
  const tests = delays.map(
    (delay, index) => `- id: t${index}\n  input: "${delay}"\n  assert: {output.includes: x}\n`,
  );
  const created = createProject({ 'agent.mjs': AGENT, 'suite.test.yaml': tests.join(''), ...files });
  cleanUps.push(() => created.remove());
  return created.path;
}

const RUN = ['run', '--agent', './agent.mjs', '--reporter', 'json'];

function runs(cwd: string): readonly string[] {
  const folder = join(cwd, '.assay', 'runs');
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

function recorded(run: string): readonly string[] {
  return [...readJournal(join(run, 'results.jsonl'))].map(({ record }) => record.test);
}

/** The programs that run in a folder, by their command lines. */
function processesIn(cwd: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === cwd ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8')] : [];
      } catch {
        return [];
      }
    });
}

describe('signals', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s in the middle of a step: 130, a summary, and resume does the rest once',
    async (signal) => {
      const cwd = project([1, 1, 3000, 1]);
      const result = await runCli(RUN, {
        cwd,
        onStart: (child) =>
          child.stdout!.on('data', (text: Buffer) => text.includes('"t1"') && child.kill(signal)),
      });
      expect(result.exitCode).toBe(130);
      expect(JSON.parse(result.stdout)).toMatchObject({
        exit_code: 130,
        summary: { tests: 2, passed: 2, interrupted: true },
      });
      const [run] = runs(cwd);
      expect(recorded(run!)).toEqual(['t0', 't1']);
      writeFileSync(join(cwd, 'agent.mjs'), AGENT.replace('Number(input)', '1'));
      const resumed = await runCli([...RUN, '--resume'], { cwd });
      expect(resumed.exitCode).toBe(0);
      expect(recorded(run!)).toEqual(['t0', 't1', 't2', 't3']);
    },
  );

  test('a second Ctrl-C ends at once', async () => {
    const cwd = project([60_000], { 'stubborn.sh': "trap '' TERM INT; sleep 60" });
    const result = await runCli(['run', '--agent', 'cmd: sh stubborn.sh'], {
      cwd,
      async onStart(child) {
        while (runs(cwd).length === 0) await sleep(20);
        await sleep(300);
        child.kill('SIGINT');
        await sleep(200);
        child.kill('SIGINT');
      },
    });
    expect(result.exitCode).toBe(130);
    expect(processesIn(cwd)).toEqual([]);
  });
});

describe('resuming', () => {
  test('a finished run starts nothing and ends with its exit code', async () => {
    const cwd = project([1, 1]);
    await runCli(RUN, { cwd });
    writeFileSync(join(cwd, 'agent.mjs'), "export const agent = () => { throw new Error('called again'); };");
    const resumed = await runCli([...RUN, '--resume'], { cwd });
    expect(JSON.parse(resumed.stdout)).toMatchObject({
      exit_code: 0,
      summary: { passed: 2 },
      results: [{ test: 't0' }, { test: 't1' }],
    });
    expect(runs(cwd)).toHaveLength(1);
  });

  test('a test whose text changed runs again, and only that one', async () => {
    const cwd = project([1, 1]);
    await runCli(RUN, { cwd });
    writeFileSync(
      join(cwd, 'suite.test.yaml'),
      '- id: t0\n  input: "1"\n  assert: {output.includes: x}\n- id: t1\n  input: "2"\n  assert: {output.includes: x}\n',
    );
    await runCli([...RUN, '--resume'], { cwd });
    expect(recorded(runs(cwd)[0]!)).toEqual(['t0', 't1', 't1']);
  });

  test('with nothing to resume it starts a run and says so', async () => {
    const cwd = project([1]);
    const result = await runCli([...RUN, '--resume'], { cwd });
    expect(JSON.parse(result.stdout)).toMatchObject({
      exit_code: 0,
      findings: [{ code: 'nothing_to_resume', severity: 'warning' }],
    });
  });
});

describe('a disk that does not take it', () => {
  test('a full disk ends the run with exit 2 and a message; the records so far are intact', () => {
    const cwd = project(Array.from({ length: 60 }, () => 15));
    // A limit on the size of files is what a quota looks like to a program.
    const result = spawnSync(
      'bash',
      ['-c', `trap '' XFSZ; ulimit -f 40; exec ${process.execPath} ${CLI} run --agent ./agent.mjs`],
      { cwd, encoding: 'utf8' },
    );
    expect(result.status).toBe(2);
    expect(result.stderr).toContain('cannot be written');
    expect(recorded(runs(cwd)[0]!).length).toBeGreaterThan(5);
  });

  test('a folder that cannot be written is said at once, and --no-record does without', async () => {
    const cwd = project([1]);
    writeFileSync(join(cwd, '.assay'), 'a file where the folder should be');
    const result = await runCli(RUN, { cwd });
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain('--no-record');
    expect((await runCli([...RUN, '--no-record'], { cwd })).exitCode).toBe(0);
  });

  test.skipIf(process.getuid?.() === 0)('a read-only folder is said at once', async () => {
    const cwd = project([1]);
    mkdirSync(join(cwd, '.assay'));
    chmodSync(join(cwd, '.assay'), 0o500);
    expect((await runCli(RUN, { cwd })).exitCode).toBe(2);
  });

  test('a run directory that vanishes while it is written to ends the run with exit 2, not with a crash', async () => {
    const cwd = project([1, 600, 1]);
    const result = await runCli(RUN, {
      cwd,
      onStart: (child) =>
        child.stdout!.on(
          'data',
          (text: Buffer) =>
            text.includes('"t0"') && rmSync(join(cwd, '.assay'), { recursive: true, force: true }),
        ),
    });
    expect(result.exitCode).toBe(2);
    expect(result.stderr).not.toContain('defect');
  });
});

test('two runs at once in one project do not disturb each other', async () => {
  const cwd = project(Array.from({ length: 20 }, () => 10));
  const [a, b] = await Promise.all([runCli(RUN, { cwd }), runCli(RUN, { cwd })]);
  expect([a.exitCode, b.exitCode]).toEqual([0, 0]);
  expect(runs(cwd).map((run) => recorded(run).length)).toEqual([20, 20]);
});
