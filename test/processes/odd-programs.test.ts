import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { CLI, createProject, startCli } from '../project.ts';
import { trackProcesses } from '../track-processes.ts';

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

const ONE_TEST = '- {id: t, input: hi, assert: {output.equals: ok}}\n';

function project(files: Record<string, string> = {}): string {
  const created = createProject({ 'a.test.yaml': ONE_TEST, ...files });
  cleanUps.push(() => created.remove());
  return created.path;
}

interface Outcome {
  readonly exitCode: number | null;
  readonly orphans: readonly string[];
  readonly results: readonly {
    readonly verdict: string;
    readonly retries: number;
    readonly error?: { readonly kind: string; readonly message: string };
    readonly steps: readonly { readonly output?: string }[];
  }[];
}

async function run(cwd: string, args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  const tracked = trackProcesses();
  const { exitCode, stdout } = await startCli(['run', ...args, '--reporter', 'json'], {
    cwd,
    env: { ...tracked.env, ...env },
  });
  const { results } = JSON.parse(stdout) as Pick<Outcome, 'results'>;
  return { exitCode, results, orphans: await tracked.orphans() };
}

describe('a program and its stdin', () => {
  test('one that never reads 50 MB of it can still answer', async () => {
    const input = 'x'.repeat(50 * 1024 * 1024);
    const cwd = project({
      'a.test.json': JSON.stringify([{ id: 't', input, assert: { 'output.equals': 'ok' } }]),
      'agent.sh': 'echo ok',
    });
    expect(await run(cwd, ['a.test.json', '--agent', 'cmd: sh agent.sh'])).toMatchObject({
      exitCode: 0,
      results: [{ verdict: 'passed' }],
      orphans: [],
    });
  });

  test('one that neither reads 50 MB nor exits is ended by the time limit', async () => {
    const input = 'x'.repeat(50 * 1024 * 1024);
    const cwd = project({
      'a.test.json': JSON.stringify([{ id: 't', input, assert: { 'output.equals': 'ok' } }]),
      'agent.sh': 'sleep 60; echo ok',
    });
    expect(
      await run(cwd, ['a.test.json', '--agent', 'cmd: sh agent.sh', '--timeout', '500ms']),
    ).toMatchObject({
      exitCode: 3,
      results: [{ error: { kind: 'timeout' } }],
      orphans: [],
    });
  });

  test('one that exits in the middle of reading is an error of its test', async () => {
    const input = 'x'.repeat(5 * 1024 * 1024);
    const cwd = project({
      'a.test.yaml': `- {id: t, input: "${input}", assert: {output.equals: ok}}\n- {id: u, input: hi, assert: {output.equals: ok}}\n`,
      'agent.sh': 'head -c 1000 | grep -q xxx && { echo gone >&2; exit 7; }; echo ok',
    });
    const { exitCode, results } = await run(cwd, ['--agent', 'cmd: sh agent.sh', '--workers', '1']);
    expect(exitCode).toBe(3);
    expect(results.map(({ verdict }) => verdict)).toEqual(['error', 'passed']);
    expect(results[0]!.error).toEqual({ kind: 'agent', message: 'the agent exited with code 7:\ngone' });
  });

  test.each([
    ['closes its stdin', 'exec 0<&-; echo ok'],
    ['closes its stdout and goes on', 'echo ok; exec 1>&-; sleep 0.3'],
  ])('one that %s can still answer', async (_, script) => {
    const cwd = project({ 'agent.sh': script });
    expect(await run(cwd, ['--agent', 'cmd: sh agent.sh'])).toMatchObject({ exitCode: 0, orphans: [] });
  });
});

test('everything a program printed before it ended is read, however busy the machine is', async () => {
  // A process that gets stuck wherever it hears of a child: it learns of an exit before it has read what was printed, and
  // the time for reading is over when it gets to it.
  const busy = `
import { ChildProcess } from 'node:child_process';
const block = () => { for (const end = Date.now() + 250; Date.now() < end;); };
const { spawn } = ChildProcess.prototype;
if (process.argv[1] === process.env.BUSY) ChildProcess.prototype.spawn = function (options) {
  const result = spawn.call(this, options);
  this.stdout.on('end', block);
  this.on('exit', () => process.nextTick(block));
  return result;
};`;
  const cwd = project({
    'busy.mjs': busy,
    'a.test.yaml': Array.from(
      { length: 16 },
      (_, index) => `- {id: t${index}, input: hi, assert: {output.equals: ok}}\n`,
    ).join(''),
    'agent.sh': 'sleep 0.$(( ($$ % 3) ))1; echo ok',
  });
  const env = { NODE_OPTIONS: `--import=${join(cwd, 'busy.mjs')}`, BUSY: CLI };
  const { results } = await run(cwd, ['--agent', 'cmd: sh agent.sh', '--workers', '6'], env);
  expect(results).toHaveLength(16);
  expect(results.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
});

describe('a program that cannot be started is an infrastructure error with a hint', () => {
  const TARGETS = [
    ['missing', '[no-such-program-here]', '"no-such-program-here" was not found: is it installed'],
    ['path', '[./missing]', '"./missing" does not exist (looked for in'],
    ['plain', '[./plain]', 'is it executable (chmod +x)?'],
    ['odd', '[./odd]', 'the interpreter named in its first line was not found'],
    ['big', `[echo, "${'x'.repeat(200_000)}"]`, 'its arguments are too long'],
  ] as const;

  test.each(TARGETS)('ENOENT, EACCES, E2BIG: %s', async (target, _, message) => {
    const cwd = project({
      plain: 'x',
      odd: '#!/nowhere/at/all\n',
      'assay.config.yaml': `targets:\n${TARGETS.map(([name, command]) => `  - {name: ${name}, command: ${command}}\n`).join('')}`,
    });
    chmodSync(join(cwd, 'odd'), 0o755);
    const { exitCode, results } = await run(cwd, ['--target', target, '--retry', '1']);
    expect(exitCode).toBe(3);
    expect(results[0]).toMatchObject({ verdict: 'error', retries: 1, error: { kind: 'infrastructure' } });
    expect(results[0]!.error!.message).toContain(message);
  });

  test('a program on the command line is looked for before anything runs', async () => {
    const cwd = project();
    const { exitCode, stderr } = await startCli(['run', '--agent', 'cmd: ./missing'], { cwd });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining('./missing') as unknown,
    });
  });

  test('a missing folder', async () => {
    const cwd = project({
      'assay.config.yaml': 'targets:\n  - {name: t, provider: cli, command_template: "echo ok", cwd: gone}\n',
    });
    const { exitCode, results } = await run(cwd, ['--target', 't', '--retry', '0']);
    expect(exitCode).toBe(3);
    expect(results[0]!.error!.message).toContain(`the folder ${cwd}/gone does not exist`);
  });

  test('a folder that disappears during the run', async () => {
    const cwd = project({
      'a.test.yaml': ONE_TEST + ONE_TEST.replace('id: t', 'id: u'),
      'place/keep': '',
      'assay.config.yaml':
        'targets:\n  - {name: t, provider: cli, workers: 1, command_template: "rm -r ../place; echo ok", cwd: place}\n',
    });
    const { results } = await run(cwd, ['--target', 't', '--retry', '0']);
    expect(results.map(({ verdict }) => verdict)).toEqual(['passed', 'error']);
    expect(results[1]!.error!.message).toContain('/place does not exist');
  });

  test('a missing Python', async () => {
    const cwd = project({ 'agent.py': 'def agent(i, m): return "ok"' });
    const { exitCode, stderr } = await startCli(['run', '--agent', 'agent.py'], {
      cwd,
      env: { ASSAY_PYTHON: '/no/python' },
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('"/no/python" does not exist');
    expect(stderr).toContain('ASSAY_PYTHON');
  });
});

describe('the environment, as the child sees it', () => {
  const SECRET = {
    OPENAI_API_KEY: 'sk-not-for-scripts',
    PLAIN: 'plain',
    LANG: 'C',
    TZ: 'UTC',
    TMPDIR: '/tmp',
  };
  const names = (file: string): readonly string[] =>
    readFileSync(file, 'utf8')
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => line.split('=')[0]!);

  test.each([
    ['a program', 'cmd: sh agent.sh'],
    ['a Python agent', 'agent.py'],
  ])('%s inherits all of it', async (_, agent) => {
    const cwd = project({
      'agent.sh': 'cat /proc/self/environ > seen; echo ok',
      'agent.py':
        'def agent(i, m):\n  open("seen", "w").write(open("/proc/self/environ").read())\n  return "ok"\n',
    });
    expect((await run(cwd, ['--agent', agent], SECRET)).exitCode).toBe(0);
    const seen = readFileSync(join(cwd, 'seen'), 'utf8').split('\0');
    for (const [name, value] of Object.entries(SECRET)) expect(seen).toContain(`${name}=${value}`);
    // And the mark by which what leaves its process group is found.
    expect(names(join(cwd, 'seen'))).toContain('ASSAY_PROCESS');
  });

  test('a script of a suite gets PATH, HOME, LANG, TZ, TMPDIR and what scripts.env names, and nothing else', async () => {
    const cwd = project({
      'agent.sh': 'echo ok',
      'judge.sh': `cat /proc/self/environ > seen; echo '{"score": 1}'`,
      'b.eval.yaml':
        'evalcases:\n  - id: t\n    input: hi\n    evaluators:\n      - {type: code_judge, name: j, script: [sh, judge.sh]}\n',
      'assay.config.yaml': 'scripts: {allow: true, env: [PLAIN, NOT_SET]}\n',
    });
    rmSync(join(cwd, 'a.test.yaml'));
    expect(await run(cwd, ['--agent', 'cmd: sh agent.sh'], SECRET)).toMatchObject({ exitCode: 0 });
    // A shell adds PWD and the like to its own environment, but not to what it was started with.
    const ofTheShell = new Set(['PWD', 'OLDPWD', 'SHLVL', '_']);
    expect(
      names(join(cwd, 'seen'))
        .filter((name) => !ofTheShell.has(name))
        .sort(),
    ).toEqual(['HOME', 'LANG', 'PATH', 'PLAIN', 'TMPDIR', 'TZ']);
    expect(readFileSync(join(cwd, 'seen'), 'utf8')).not.toContain('sk-not');
  });
});
