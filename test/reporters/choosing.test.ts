import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { REPORTERS } from '../../src/show/reporters/registry.ts';
import { CLI, createProject, runCli, startCli } from '../project.ts';
import { createFifo } from '../formats/temp-folder.ts';

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

const FILES = {
  'agent.mjs': `export const agent = async (input) => {
    if (input === 'slow') await new Promise((resolve) => setTimeout(resolve, 20_000));
    return { output: input };
  };`,
  'a.test.yaml': 'input: hello\nassert: {output.equals: hello}\n',
};

function project(files: Readonly<Record<string, string>> = FILES) {
  const created = createProject(files);
  cleanUps.push(() => created.remove());
  const cwd = created.path;
  return {
    cwd,
    run: (...args: string[]) => runCli(['run', '--agent', './agent.mjs', ...args], { cwd }),
    assay: (...args: string[]) => runCli(args, { cwd }),
    read: (name: string) => readFileSync(join(cwd, name), 'utf8'),
  };
}

describe('which reporters', () => {
  test('several reporters each write their file and create folders; the terminal lists the files', async () => {
    const { run, read } = project();
    const { stdout, stderr, exitCode } = await run(
      '--reporter',
      'json=out/deep/run.json',
      '--reporter',
      'junit=out/junit.xml',
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout.replace(/Time .*\n(?:Slow .*\n)?Run .*/, 'Time')).toBe(
      '✓ a.test.yaml (1 test)\n\nTests  1 passed (1)\nTime\nReport out/deep/run.json (json)\nReport out/junit.xml (junit)\n',
    );
    expect(JSON.parse(read('out/deep/run.json'))).toMatchObject({ exit_code: 0 });
    expect(read('out/junit.xml')).toContain('<testcase name="a"');
  });

  test('a reporter on stdout has it for itself, whatever goes to files', async () => {
    const { run, read } = project();
    const { stdout } = await run('--reporter', 'json', '--reporter', 'tap=run.tap');
    expect(JSON.parse(stdout)).toMatchObject({ exit_code: 0 });
    expect(read('run.tap')).toContain('ok 1 - a.test.yaml: a\n');
  });

  test('--output-file applies to the one reporter without a file', async () => {
    const { run, read } = project();
    const { stdout } = await run(
      '--reporter',
      'json',
      '--reporter',
      'tap=run.tap',
      '--output-file',
      'run.json',
    );
    expect(JSON.parse(read('run.json'))).toMatchObject({ exit_code: 0 });
    expect(stdout).toContain('Tests  1 passed (1)');
  });

  test('a report file may be named like a module', async () => {
    const { run, read } = project();
    await run('--reporter', 'json=run.js');
    expect(JSON.parse(read('run.js'))).toMatchObject({ exit_code: 0 });
  });

  test('- means stdout, and the terminal report can go to a file, without colours', async () => {
    const { run, read, cwd } = project();
    expect(JSON.parse((await run('--reporter', 'json=-')).stdout)).toMatchObject({ exit_code: 0 });
    const args = ['run', '--agent', './agent.mjs', '--reporter', 'terminal=log.txt'];
    await runCli(args, { cwd, env: { FORCE_COLOR: '1', NO_COLOR: undefined } });
    expect(read('log.txt')).toContain('✓ a.test.yaml (1 test)\n');
  });

  test.each([
    [['--reporter', 'jnuit'], 'unknown reporter "jnuit"', 'did you mean `junit`?'],
    [
      ['--reporter', 'constructor'],
      'unknown reporter "constructor"',
      `use one of ${Object.keys(REPORTERS).join(', ')}`,
    ],
    [
      ['--reporter', 'json', '--reporter', 'tap'],
      'json and tap would both write to stdout',
      'give one of them a file: --reporter tap=FILE',
    ],
    [
      ['--reporter', 'terminal', '--reporter', 'json=-'],
      'terminal and json would both write to stdout',
      '--reporter json=FILE',
    ],
    [
      ['--reporter', 'json=a', '--reporter', 'tap=./a'],
      'two reporters would write to ',
      'give each its own file',
    ],
    [['--output-file', 'x.xml'], '--output-file needs a reporter to write it', 'use --reporter NAME=x.xml'],
    [
      ['--reporter', 'json', '--reporter', 'tap', '--output-file', 'x'],
      '--output-file names one file, but 2 reporters need one',
      '--reporter json=FILE --reporter tap=FILE',
    ],
  ])('%j is an error before anything runs', async (args, problem, hint) => {
    const { run, cwd } = project();
    const { stdout, stderr, exitCode } = await run(...args);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(`assay: ${problem}`);
    expect(stderr).toContain(hint);
    expect(existsSync(join(cwd, '.assay'))).toBe(false);
  });

  test.each(['run', 'grade', 'merge', 'report'])('the help of %s lists the reporters', async (command) => {
    const { stdout } = await project().assay(command, '--help');
    expect(stdout).toContain(`${Object.keys(REPORTERS).join(', ')} or ./my-reporter.ts`);
  });
});

describe('files', () => {
  test.each([
    ['file/junit.xml', 'file is a file, not a folder'],
    ['file/deep/er/junit.xml', 'file is a file, not a folder'],
    ['out', 'out is a folder'],
    ['/proc/nope/junit.xml', "ENOENT: no such file or directory, mkdir '/proc/nope'"],
    ['/proc/nope', 'ENOENT: no such file or directory'],
    ['/sys/nope/junit.xml', "mkdir '/sys/nope'"],
    ['pipe', 'no program reads from pipe: start the reader first'],
  ])('%s cannot be written: exit 2 before the first attempt', async (file, reason) => {
    const { run, assay, cwd } = project();
    writeFileSync(join(cwd, 'file'), 'not a folder');
    mkdirSync(join(cwd, 'out'));
    createFifo(join(cwd, 'pipe'));
    const refused = {
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining(`assay: the junit report cannot be written to ${file}: `),
    };
    const started = await run('--reporter', 'tap=run.tap', '--reporter', `junit=${file}`);
    expect(started).toMatchObject(refused);
    expect(started.stderr).toContain(reason);
    expect(started.stderr).toMatch(/\n {2}hint: nothing was started: choose another file\n$/);
    expect(existsSync(join(cwd, '.assay'))).toBe(false);
    expect(readdirSync(cwd).filter((name) => name.startsWith('run.tap'))).toEqual([]);
    expect(await run('--reporter', 'junit', '--output-file', file)).toMatchObject(refused);
    await run();
    for (const command of [
      ['report', '--junit', file],
      ['merge', 'latest', '--reporter', `junit=${file}`],
      ['grade', 'latest', '--reporter', `junit=${file}`],
    ])
      expect(await assay(...command)).toMatchObject(refused);
  });

  test('a report that fails at the end: the run is recorded and exits with 2', async () => {
    const { assay, cwd, read } = project({
      ...FILES,
      'agent.mjs': `import { rmSync } from 'node:fs';
        export const agent = (input) => { rmSync('out', { recursive: true }); return { output: input }; };`,
    });
    for (const file of ['/dev/full', 'out/junit.xml']) {
      mkdirSync(join(cwd, 'out'), { recursive: true });
      const args = [
        'run',
        '--agent',
        './agent.mjs',
        '--reporter',
        `junit=${file}`,
        '--reporter',
        'tap=run.tap',
      ];
      const { stdout, stderr, exitCode } = await assay(...args);
      expect(exitCode).toBe(2);
      expect(stdout).toContain('Tests  1 passed (1)');
      expect(stderr).toContain(`assay: the junit report cannot be written to ${file}: `);
      expect(stderr).toContain(
        'hint: the run is recorded: write this report later with `assay report --junit FILE`',
      );
      expect(read('run.tap')).toContain('ok 1');
      expect(await assay('report', '--junit', 'junit.xml')).toMatchObject({ exitCode: 0 });
      expect(read('junit.xml')).toContain('<testcase name="a"');
    }
  });

  test('a pipe gets the whole report; one signal ends a run whose reader does not read', async () => {
    const { cwd, read } = project({
      'agent.mjs': "export const agent = () => ({ output: 'x'.repeat(200_000) });",
      'a.test.yaml': 'input: hello\nassert: {output.includes: x}\n',
    });
    createFifo(join(cwd, 'pipe'));
    const inShell = (script: string) =>
      spawnSync('bash', ['-c', script, process.execPath, CLI], { cwd, encoding: 'utf8', timeout: 30_000 });
    const run = '"$0" "$1" run --agent ./agent.mjs --reporter json=pipe';
    expect(
      inShell(`cat pipe > got.json & exec 3> pipe; ${run}; code=$?; exec 3>&-; wait; exit $code`).status,
    ).toBe(0);
    expect(JSON.parse(read('got.json'))).toMatchObject({ exit_code: 0 });
    // Both ends are open, and nobody reads.
    const { status, stderr } = inShell(
      `exec 3<> pipe; ${run} > out.txt & until grep -q '^Run' out.txt; do sleep 0.05; done; kill -TERM $!; wait $!`,
    );
    expect({ status, stderr }).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('no program has read from pipe'),
    });
  });

  test('a killed run leaves the previous report intact', async () => {
    const { run, cwd, read } = project();
    await run('--reporter', 'json=run.json');
    const before = read('run.json');
    writeFileSync(
      join(cwd, 'a.test.yaml'),
      '- {id: one, input: a, assert: {output.equals: a}}\n- {id: two, input: slow, assert: {output.equals: a}}\n',
    );
    await startCli(['run', '--agent', './agent.mjs', '--reporter', 'json=run.json', '--reporter', 'jsonl'], {
      cwd,
      onStart: (child) =>
        child.stdout!.on('data', (text: Buffer) => text.includes('"one"') && child.kill('SIGKILL')),
    });
    expect(read('run.json')).toBe(before);
  });

  test('a run that is forced to end leaves no partial files', async () => {
    const { cwd } = project({ ...FILES, 'stubborn.sh': "trap '' TERM INT; sleep 60" });
    const { exitCode } = await startCli(
      ['run', '--agent', 'cmd: sh stubborn.sh', '--reporter', 'json=run.json'],
      {
        cwd,
        async onStart(child) {
          while (!existsSync(join(cwd, '.assay'))) await sleep(20);
          await sleep(300);
          child.kill('SIGINT');
          await sleep(200);
          child.kill('SIGINT');
        },
      },
    );
    expect(exitCode).toBe(130);
    expect(readdirSync(cwd).filter((name) => name.startsWith('run.json'))).toEqual([]);
  });

  test('the target of a link is written, and a device stays a device', async () => {
    const { run, cwd, read } = project();
    writeFileSync(join(cwd, 'real.json'), 'old');
    symlinkSync('real.json', join(cwd, 'link.json'));
    await run('--reporter', 'json=link.json', '--reporter', 'tap=/dev/null');
    expect(JSON.parse(read('real.json'))).toMatchObject({ exit_code: 0 });
    writeFileSync('/dev/null', 'still a device');
    expect(readFileSync('/dev/null', 'utf8')).toBe('');
  });

  test.skipIf(process.getuid?.() === 0)('a folder without permission is an error', async () => {
    const { run, cwd } = project();
    mkdirSync(join(cwd, 'locked'));
    chmodSync(join(cwd, 'locked'), 0o500);
    expect(await run('--reporter', 'json=locked/run.json')).toMatchObject({ exitCode: 2 });
  });

  test('a disk that fills up during a report: exit 2, and no partial report', () => {
    const { cwd } = project();
    writeFileSync(join(cwd, 'agent.mjs'), "export const agent = () => ({ output: 'x'.repeat(30_000) });");
    writeFileSync(
      join(cwd, 'a.test.yaml'),
      Array.from(
        { length: 5 },
        (_, index) => `- {id: t${index}, input: a, assert: {output.includes: x}}\n`,
      ).join(''),
    );
    // A limit on the size of files is what a full disk looks like to a program.
    const { status, stderr } = spawnSync(
      'bash',
      [
        '-c',
        `trap '' XFSZ; ulimit -f 60; exec ${process.execPath} ${CLI} run --agent ./agent.mjs --no-record --reporter json=run.json`,
      ],
      { cwd, encoding: 'utf8' },
    );
    expect({ status, stderr }).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('the json report cannot be written to run.json: EFBIG'),
    });
    expect(readdirSync(cwd).filter((name) => name.startsWith('run.json'))).toEqual([]);
  });
});

test('waiting for a slow reader, however often, prints nothing on stderr', async () => {
  const tests = Array.from({ length: 400 }, (_, index) => ({
    id: `t${index}`,
    input: 'x'.repeat(5000),
    assert: { 'output.includes': 'x' },
  }));
  const created = createProject({
    'agent.mjs': 'export const agent = (input) => input;',
    'a.test.json': JSON.stringify(tests),
  });
  cleanUps.push(() => created.remove());
  await runCli(['run', '--agent', './agent.mjs'], { cwd: created.path });
  let slowly: NodeJS.Timeout | undefined;
  const { stdout, stderr } = await startCli(['report', 'latest', '--json', '-'], {
    cwd: created.path,
    onStart({ stdout: pipe }) {
      pipe!.pause();
      slowly = setInterval(() => {
        pipe!.resume();
        pipe!.once('data', () => pipe!.pause());
      }, 5);
    },
  });
  clearInterval(slowly);
  expect(stderr).toBe('');
  expect((JSON.parse(stdout) as { results: unknown[] }).results).toHaveLength(400);
});

test('many reporters at once print no warning of Node', async () => {
  const cwd = createProject(FILES);
  cleanUps.push(() => cwd.remove());
  const reporters = Array.from({ length: 24 }, (_, index) => ['--reporter', `json=o${index}.json`]).flat();
  const { stderr, exitCode } = await runCli(['run', '--agent', './agent.mjs', ...reporters], {
    cwd: cwd.path,
  });
  expect(stderr).not.toMatch(/warning/i);
  expect(exitCode).toBe(0);
  expect(readdirSync(cwd.path).filter((name) => /^o\d+\.json$/.test(name))).toHaveLength(24);
});
