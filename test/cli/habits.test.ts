import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { programName } from '../../src/cli/program-name.ts';
import { CLI, createProject, runCli } from '../project.ts';

const AGENT = 'export const agent = (input) => ({ output: input });';
const SUITE = `- {id: berlin, tags: [city, slow], input: a, assert: {output.equals: x}}
- {id: paris, tags: [city], input: a, assert: {output.equals: x}}
- {id: hello, tags: [talk], input: a, assert: {output.equals: a}}
- {id: bye, input: a, assert: {output.equals: x}}
`;
const project = createProject({ 'agent.mjs': AGENT, 'a.test.yaml': SUITE });
afterAll(() => project.remove());
const assay = (...args: string[]) => runCli(args, { cwd: project.path });
const run = (...args: string[]) => assay('run', '--agent', './agent.mjs', '--no-record', ...args);
const listed = async (...args: string[]) =>
  (await assay('run', '--list', ...args)).stdout.split('\n').flatMap((line) => line.split(' ')[1] ?? []);

describe('options known from other tools', () => {
  test('filters that exclude tests work', async () => {
    expect(await listed('-t=paris')).toEqual(['paris']);
    expect(await listed('--grep-invert', 'b', '--exclude-tag', 'slow,talk')).toEqual(['paris']);
    expect(await listed('--tag', 'city', '--exclude-tag=slow', '--grep-invert=zzz')).toEqual(['paris']);
  });

  test('--bail takes a number of tests, and -x stops at the first', async () => {
    const [one, two] = [await run('-q', '-j1', '-x'), await run('-q', '-j1', '--bail', '2', 'a.test.yaml')];
    expect(one.stdout).toMatch(/^Tests {2}1 failed, 3 tests not started \(1\)$/m);
    expect(two.stdout).toMatch(/^Tests {2}2 failed, 2 tests not started \(2\)$/m);
  });

  test('--no-color wins over FORCE_COLOR', async () => {
    const env = { FORCE_COLOR: '1', NO_COLOR: undefined };
    const args = ['run', '--agent', './agent.mjs', '--no-record', '-t', 'hello'];
    const [coloured, plain] = [
      await runCli(args, { cwd: project.path, env }),
      await runCli([...args, '--no-color'], { cwd: project.path, env }),
    ];
    expect([coloured.stdout.includes('\u001b['), plain.stdout.includes('\u001b[')]).toEqual([true, false]);
  });

  test.each([
    [['test'], 'unknown command test', 'did you mean `run`?'],
    [['a.test.yaml:2'], 'unknown command a.test.yaml:2', 'did you mean `run a.test.yaml:2`?'],
    [['run', '--retries', '2'], 'unknown option --retries', 'did you mean --retry?'],
    [['run', '--fail-fast'], 'unknown option --fail-fast', 'did you mean --bail?'],
    [
      ['run', '--bail=0'],
      '--bail takes an integer of at least 1, not "0"',
      '`assay run --help` lists the options',
    ],
    [['run', '--resume='], '--resume needs a value after =', '`assay run --help` lists the options'],
    [
      ['prune'],
      'prune needs --keep or --older-than',
      'assay prune --keep 20, or assay prune --older-than 30d',
    ],
    [
      ['prune', '--older-than', '3'],
      '--older-than takes an age such as 12h, 30d or 8w, not "3"',
      '`assay prune --help` lists the options',
    ],
    [['run', '-g', 'x'], 'unknown option -g', 'did you mean --grep?'],
    [['run', '--maxfail', '1'], 'unknown option --maxfail', 'did you mean --bail?'],
    [['completion', 'bsh'], 'unknown shell "bsh"', 'did you mean `bash`?'],
  ])('%j is refused with a hint', async (args, problem, hint) => {
    const { stderr, exitCode } = await assay(...args);
    expect([exitCode, stderr]).toEqual([2, `assay: ${problem}\n  hint: ${hint}\n`]);
  });

  test.each([
    [['-t', 'berln'], '--grep "berln" matches none of the 4 tests', 'did you mean `berlin`?'],
    [
      ['-t', 'zzz'],
      '--grep "zzz" matches none of the 4 tests',
      'the tests are "berlin", "paris", "hello", "bye"',
    ],
    [['--tag', 'zzz'], '--tag zzz matches none of the 4 tests', 'the tags are "city", "slow", "talk"'],
    [['--grep-invert', '.'], '--grep-invert "." leaves out all 4 tests', 'remove it, or make it narrower'],
    [
      ['--tag', 'talk', '-t', 'paris'],
      'no test matches --grep "paris" and --tag talk',
      'each of them matches tests, but not the same: remove one',
    ],
  ])('%j: a filter that matches nothing is named, with what exists', async (args, message, hint) => {
    const { stderr, exitCode } = await run(...args);
    expect([exitCode, stderr]).toEqual([2, `error no tests ran: ${message} (no_tests)\n  hint: ${hint}\n\n`]);
  });

  test('a folder without suites says how they are named, and how to get one', async () => {
    mkdirSync(join(project.path, 'empty'), { recursive: true });
    const { stderr, exitCode } = await assay('run', 'empty');
    expect([exitCode, stderr]).toEqual([
      2,
      'error no tests ran: no suites found (no_tests)\n  hint: suites are found by name: *.test.yaml, *.eval.yaml, EVAL.yaml, dataset*.jsonl, ...; `assay init` writes an example\n\n',
    ]);
  });

  test('a line beyond the end of a file is an error, and nothing runs', async () => {
    const { stdout, stderr, exitCode } = await run('a.test.yaml:5');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('a.test.yaml:5:1 error there is no line 5: the file has 4 lines (no_such_line)');
    expect(stdout).toContain('Tests  none ran (0)');
    expect(await listed('a.test.yaml:4')).toEqual(['bye']);
  });
});

test('suggested commands are spelled so that they can be started', () => {
  const installed = '/p/node_modules/.bin/assay';
  const at = (script: string, env: Record<string, string> = {}) => programName({ script, env });
  expect(at('/repo/dist/cli.cjs', { npm_execpath: '/npm' })).toBe('assay');
  expect(at(installed, { PATH: '/p/node_modules/.bin:/usr/bin' })).toBe('npx assay');
  expect(at(installed, { npm_config_user_agent: 'pnpm/9.1.0 npm/? node/v22' })).toBe('pnpm exec assay');
  expect(at(installed, { npm_config_user_agent: 'constructor/1' })).toBe('npx assay');
  mkdirSync(join(project.path, 'bin'));
  writeFileSync(join(project.path, 'bin', 'assay'), '');
  expect(at(installed, { PATH: `/p/node_modules/.bin:${project.path}/bin` })).toBe('assay');
});

test('the config decides what the command line does not; assay.config.json is read', async () => {
  const { path: cwd, remove } = createProject({
    'agent.mjs': AGENT,
    'evals/a.test.yaml': SUITE,
    'b.test.yaml': SUITE,
    'assay.config.json': JSON.stringify({
      agent: './agent.mjs',
      include: 'evals',
      reporter: ['dot', 'junit=out/j.xml'],
      strict: true,
      retry: 0,
    }),
  });
  const { stdout } = await runCli(['run', '--no-record'], { cwd });
  expect(stdout).toMatch(/^FF\.F\n/);
  expect(readFileSync(join(cwd, 'out/j.xml'), 'utf8').match(/<testcase /g)).toHaveLength(4);
  const below = await runCli(['run', '--no-record', '--reporter', 'list'], { cwd: join(cwd, 'evals') });
  expect(below.stdout).toMatch(/^✗ a\.test\.yaml:1 berlin /);
  expect((await runCli(['run', '--list'], { cwd })).stdout).toMatch(/^evals\/a\.test\.yaml:1 berlin\n/);
  remove();
});

describe('prune', () => {
  test('removes old runs, except running ones and baselines', async () => {
    const { path: cwd, remove } = createProject({
      'agent.mjs':
        'export const agent = (input) => input === "wait" ? new Promise(() => setInterval(() => {}, 1000)) : input;',
      'a.test.yaml': '{input: a, assert: {output.equals: a}}\n',
      'w.test.yaml': '{input: wait, assert: {output.equals: a}}\n',
    });
    const runs = () => readdirSync(join(cwd, '.assay/runs')).toSorted();
    const prune = async (...args: string[]) => (await runCli(['prune', ...args], { cwd })).stdout;
    const running = spawn(process.execPath, [CLI, 'run', 'w.test.yaml', '--agent', './agent.mjs'], {
      cwd,
      stdio: 'ignore',
    });
    const locked = () =>
      runs().some((name) => readdirSync(join(cwd, '.assay/runs', name)).includes('live.json'));
    for (let tries = 0; tries < 400; tries++) {
      try {
        if (locked()) break;
      } catch {
        // Not there yet.
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    for (let made = 0; made < 4; made++) {
      await runCli(['run', 'a.test.yaml', '--agent', './agent.mjs'], { cwd });
      if (made === 1) await runCli(['baseline', 'update'], { cwd });
    }
    const [busy, first, baseline, , latest] = runs() as [string, string, string, string, string];
    expect(await prune('--keep', '9')).toBe('0 runs removed (0 KB), 5 kept\n');
    expect(await prune('--older-than', '1h')).toBe('0 runs removed (0 KB), 5 kept\n');
    expect(await prune('--keep', '1', '--dry-run')).toContain(`would remove ${first}\n`);
    expect(runs()).toHaveLength(5);
    const said = await prune('--keep', '1');
    expect(said).toContain(`kept ${busy}: it is still running\n`);
    expect(said).toContain(`kept ${baseline}: it is a baseline\n`);
    expect(runs()).toEqual([busy, baseline, latest]);
    expect(readdirSync(join(cwd, '.assay'))).not.toContain('removed');
    running.kill('SIGKILL');
    await once(running, 'exit');
    await prune('--keep', '1');
    expect(runs()).toEqual([baseline, latest]);
    const same = await runCli(['compare', 'latest'], { cwd });
    expect([same.exitCode, same.stderr]).toEqual([
      2,
      `assay: both sides are the run ${latest}: there is nothing to compare\n  hint: name an earlier run: assay compare ${baseline} ${latest}\n`,
    ]);
    remove();
  });
});

describe('completion', () => {
  const script = async (shell: string) => (await assay('completion', shell)).stdout;
  /** All that a real bash offers; `completion.test.ts` presses Tab in each shell. */
  const offers = (source: string, ...words: string[]): readonly string[] =>
    execFileSync(
      'bash',
      [
        '-c',
        `${source}\nCOMP_LINE="$*"; COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); _assay; printf '%s\\n' "\${COMPREPLY[@]}"`,
        'bash',
        ...words,
      ],
      { cwd: project.path, encoding: 'utf8' },
    )
      .split('\n')
      .filter((word) => word !== '');

  test('bash offers commands, options and values', async () => {
    const source = await script('bash');
    expect(offers(source, 'assay', 'pr')).toEqual(['promote', 'prepare', 'prune']);
    expect(offers(source, 'assay', 'run', '--ba')).toEqual(['--bail', '--baseline']);
    expect(offers(source, 'assay', 'run', '--reporter', 'j')).toEqual(['json', 'jsonl', 'junit']);
    // Options only after a dash. Where nothing is offered, bash completes file names.
    expect(offers(source, 'assay', 'run', '')).toEqual([]);
    expect(offers(source, 'assay', 'run', '--agent', '')).toEqual([]);
    expect(offers(source, 'assay', 'run', '--', '--ba')).toEqual([]);
  });

  test('each script has every command and option', async () => {
    const { COMMANDS } = await import('../../src/cli/options.ts');
    for (const shell of ['bash', 'zsh', 'fish']) {
      const source = await script(shell);
      for (const [name, { options }] of Object.entries(COMMANDS)) {
        expect(source).toContain(name);
        for (const option of Object.keys(options))
          expect(source).toContain(shell === 'fish' ? `-l ${option} ` : `--${option}`);
      }
    }
  });
});
