import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Finding } from '../../src/base/model/finding.ts';
import { createFifo } from '../formats/temp-folder.ts';
import { createProject, runCli, type CliResult } from '../project.ts';

const SECRET = 'the content of a file outside';
const outside = createProject({ 'secret.txt': SECRET, 'folder/secret.txt': SECRET });
const project = createProject({
  'agent.mjs': 'export const agent = (input) => input;',
  'binary.txt': Uint8Array.from([0x66, 0xff, 0xfe]),
  'notes.txt': 'inside',
  '.env': `KEY=${SECRET}`,
  '.env.local': `KEY=${SECRET}`,
  '.ENV': `KEY=${SECRET}`,
  '.git/config': SECRET,
  'fine.test.yaml': '- {id: a, input: x, assert: {output.equals: x}}',
});
const at = (name: string): string => join(project.path, name);

symlinkSync(join(outside.path, 'secret.txt'), at('link.txt'));
symlinkSync(join(outside.path, 'folder'), at('linked'));
symlinkSync(at('loop.txt'), at('loop.txt'));
symlinkSync(at('.env'), at('environment-link.txt'));
symlinkSync('/dev/zero', at('zero.txt'));
symlinkSync('/proc/self/environ', at('environment.txt'));
for (const name of ['fifo.txt', 'fifo.test.yaml', 'fifo.jsonl']) createFifo(at(name));
mkdirSync(at('folder.txt'));
const huge = openSync(at('huge.txt'), 'w');
ftruncateSync(huge, 11 * 1024 * 1024);
closeSync(huge);
afterAll(() => {
  project.remove();
  outside.remove();
});

const run = (...args: readonly string[]) =>
  runCli(args, { cwd: project.path, env: { CHILD_SECRET: 'of the environment' } });

describe('a file that a suite names', () => {
  const VALUES = [
    '../secret.txt',
    `../${outside.path.split('/').at(-1)}/secret.txt`,
    join(outside.path, 'secret.txt'),
    'link.txt',
    'linked/secret.txt',
    './linked/../linked/secret.txt',
    '/etc/passwd',
    '/proc/self/environ',
    '/proc/self/cwd/notes.txt/../../../../../etc/passwd',
    'environment.txt',
    '/dev/zero',
    '/dev/stdin',
    '/dev/fd/0',
    'zero.txt',
    'fifo.txt',
    'loop.txt',
    'folder.txt',
    'huge.txt',
    'binary.txt',
    'nul\0.txt',
    'x'.repeat(5000),
    'notes.txt/notes.txt',
    '.env',
    './folder/../.ENV',
    '.env.local',
    '.git/config',
    'environment-link.txt',
    'file:///etc/passwd',
    '..%2f..%2fetc%2fpasswd',
    '~/.bashrc',
    '$HOME/.bashrc',
    '',
  ];

  let result: CliResult;
  const refused = new Set<string>();
  beforeAll(async () => {
    mkdirSync(at('cases'));
    for (const [index, value] of VALUES.entries()) {
      const messages = [{ role: 'user', content: [{ type: 'file', value }] }];
      const cases = [{ id: 'a', expected_outcome: 'x', input_messages: messages }];
      writeFileSync(at(`cases/${index}.eval.yaml`), JSON.stringify({ evalcases: cases }));
    }
    result = await run('run', 'cases', '--agent', './agent.mjs', '--reporter', 'json');
    const { findings } = JSON.parse(result.stdout) as { findings: Finding[] };
    for (const { file, code, severity } of findings)
      if (code === 'file_reference' && severity === 'error') refused.add(file);
  });

  test.each(VALUES)('%j is a finding, and nothing of the file is shown', (value) => {
    expect(refused).toContain(`cases/${VALUES.indexOf(value)}.eval.yaml`);
    const { exitCode, stdout, stderr } = result;
    expect(exitCode).toBe(2);
    expect(stdout + stderr).not.toMatch(/the content of a file outside|of the environment|root:/);
  });

  test("a judge's prompt file is restricted in the same way", async () => {
    const evaluators = ['link.txt', '/etc/passwd', 'fifo.txt', 'file:///proc/self/environ'].map((prompt) => ({
      name: prompt,
      type: 'llm_judge',
      prompt,
    }));
    writeFileSync(
      at('case.eval.yaml'),
      JSON.stringify({ evalcases: [{ id: 'a', expected_outcome: 'x', input: 'x', evaluators }] }),
    );
    const { exitCode, stdout } = await run('run', 'case.eval.yaml', '--agent', './agent.mjs');
    expect(exitCode).toBe(3);
    expect(stdout).not.toMatch(/the content of a file outside|of the environment|root:/);
  });

  test('is read if it is inside the project', async () => {
    const content = [{ type: 'file', value: './folder.txt/../notes.txt' }];
    writeFileSync(
      at('case.eval.yaml'),
      JSON.stringify({
        evalcases: [
          {
            id: 'a',
            expected_outcome: 'x',
            input_messages: [{ role: 'user', content }],
            evaluators: [{ name: 'n', type: 'contains', value: 'inside' }],
          },
        ],
      }),
    );
    const agent = '(_input, _memory, { input_messages }) => input_messages[0].content[0].text';
    writeFileSync(at('reader.mjs'), `export default ${agent};`);
    expect((await run('run', 'case.eval.yaml', '--agent', './reader.mjs')).exitCode).toBe(0);
  });
});

describe('a path that is not a file does not block a command', () => {
  test.each([
    ['run', 'fifo.test.yaml', '--agent', './agent.mjs'],
    ['run', '/dev/zero', '--agent', './agent.mjs'],
    ['validate', 'fifo.test.yaml', 'fifo.jsonl', '/dev/zero'],
    ['show', 'fifo.jsonl'],
    ['judge-check', 'fifo.jsonl', '--judge', 'openai:x'],
    ['judge-check', '/dev/zero', '--judge', 'openai:x'],
    ['run', 'fine.test.yaml', '--agent', './agent.mjs', '--config', 'fifo.test.yaml'],
    ['grade', 'devices'],
    ['merge', 'devices'],
  ])('%s %s', async (...args) => {
    mkdirSync(at('devices'), { recursive: true });
    for (const name of ['run.json', 'results.jsonl', 'summary.json']) {
      try {
        symlinkSync('/dev/zero', at(`devices/${name}`));
      } catch {
        // From the test before.
      }
    }
    const { exitCode, stderr } = await run(...args);
    expect(stderr).not.toContain('defect');
    expect(exitCode).toBe(2);
  });

  test('a .env file and an earlier run do not block either', async () => {
    const odd = createProject({
      'fine.test.yaml': '- {id: a, input: x, assert: {output.equals: x}}',
      'agent.mjs': 'export const agent = (input) => input;',
    });
    try {
      symlinkSync('/dev/zero', join(odd.path, '.env'));
      mkdirSync(join(odd.path, '.assay', 'runs', '20200101T000000-000-abcd'), { recursive: true });
      for (const name of ['run.json', 'results.jsonl', 'summary.json'])
        createFifo(join(odd.path, '.assay', 'runs', '20200101T000000-000-abcd', name));
      for (const more of [[], ['--resume'], ['--last-failed']]) {
        const { exitCode, stderr } = await runCli(['run', '--agent', './agent.mjs', ...more], {
          cwd: odd.path,
        });
        expect(stderr).not.toContain('defect');
        expect(more[0] === '--last-failed' || exitCode === 0).toBe(true);
      }
    } finally {
      odd.remove();
    }
  });
});

describe('a link out of the project', () => {
  const SECRET_LINE = 'secret_line: of somebody else';
  const away = createProject({
    'secret.yaml': `${SECRET_LINE}\nevalcases: []\n`,
    'suites/a.test.yaml': SECRET_LINE,
  });
  const links = createProject({
    'agent.mjs': 'export const agent = (input) => input;',
    'other.yaml': 'agent: ./agent.mjs\n',
    'dataset-b.jsonl': '{"id":"a","input":"x","evaluators":[{"type":"contains","value":"x"}]}\n',
    'dataset-a.jsonl': '{"id":"a","input":"x","evaluators":[{"type":"contains","value":"x"}]}\n',
  });
  for (const name of ['found.test.yaml', 'named.yaml', 'dataset-a.yaml', 'assay.config.yaml'])
    symlinkSync(join(away.path, 'secret.yaml'), join(links.path, name));
  symlinkSync(join(away.path, 'suites'), join(links.path, 'suites'));
  afterAll(() => {
    away.remove();
    links.remove();
  });

  test.each([
    ['validate', 'named.yaml'],
    ['validate', '*.yaml'],
    ['validate', 'dataset-a.jsonl'],
    ['validate', 'suites'],
    ['validate', 'suites/a.test.yaml'],
    ['show'],
    ['show', '--json', 'named.yaml'],
    ['judge-check', 'named.yaml'],
    ['compare', 'named.yaml', 'named.yaml'],
    [
      'run',
      '--agent',
      './agent.mjs',
      '--config',
      'other.yaml',
      '--baseline',
      'named.yaml',
      'dataset-b.jsonl',
    ],
    ['check', 'named.yaml'],
    ['run', '--list', 'named.yaml'],
    ['run', '--agent', './agent.mjs', '--config', 'other.yaml', 'named.yaml', 'dataset-a.jsonl'],
    ['run', '--agent', './agent.mjs', 'dataset-a.jsonl'],
  ])('is not followed: %s %s %s', async (...args) => {
    const { exitCode, stdout, stderr } = await runCli(args, { cwd: links.path });
    expect(stdout + stderr).not.toContain('secret_line');
    expect(stdout + stderr).toMatch(/outside_project|leads out of the project|link out of the project/);
    expect(exitCode).toBe(2);
  });

  test('is not written through by a report', async () => {
    const cwd = links.path;
    symlinkSync(join(away.path, 'secret.yaml'), join(cwd, 'junit.xml'));
    const { exitCode, stderr } = await runCli(
      [
        'run',
        'dataset-b.jsonl',
        '--agent',
        './agent.mjs',
        '--config',
        'other.yaml',
        '--reporter',
        'junit=junit.xml',
      ],
      { cwd },
    );
    expect([exitCode, readFileSync(join(away.path, 'secret.yaml'), 'utf8')]).toEqual([
      2,
      `${SECRET_LINE}\nevalcases: []\n`,
    ]);
    expect(stderr).toContain('junit.xml is a link out of the project');
  });

  test('is not read by a report whose record names it, and neither is any other outside file', async () => {
    const cwd = links.path;
    writeFileSync(join(cwd, 'red.test.yaml'), '- id: a\n  input: x\n  assert:\n    output.equals: y\n');
    await runCli(['run', 'red.test.yaml', '--config', 'other.yaml'], { cwd });
    const runId = readdirSync(join(cwd, '.assay/runs')).toSorted().at(-1);
    const journal = join(cwd, '.assay/runs', runId!, 'results.jsonl');
    const report = () => runCli(['report', runId!, '--reporter', 'terminal'], { cwd });
    expect((await report()).stdout).toContain('output.equals: y');
    const written = readFileSync(journal, 'utf8');
    for (const place of ['found.test.yaml', join(away.path, 'secret.yaml'), '/etc/passwd']) {
      writeFileSync(journal, written.replaceAll('red.test.yaml', place));
      const { stdout, stderr } = await report();
      expect(stdout + stderr).not.toMatch(/secret_line|root:/);
    }
  });
});

test('records are not written through a link', async () => {
  const first = await run('run', 'fine.test.yaml', '--agent', './agent.mjs', '--reporter', 'json');
  const { run_id } = JSON.parse(first.stdout) as { run_id: string };
  const journal = at(`.assay/runs/${run_id}/results.jsonl`);
  const target = join(outside.path, 'target.txt');
  writeFileSync(target, 'mine, without a line end');
  rmSync(journal);
  symlinkSync(target, journal);
  const { exitCode, stderr } = await run('run', 'fine.test.yaml', '--agent', './agent.mjs', '--resume');
  expect(exitCode).toBe(2);
  expect(stderr).not.toContain('defect');
  expect(readFileSync(target, 'utf8')).toBe('mine, without a line end');
});

describe('a link out of the project in the place of a folder that Assay creates', () => {
  const AGENT = ['--agent', './agent.mjs'];
  test.each([
    ['.assay', ['run', 'a.test.yaml', ...AGENT]],
    ['.assay/runs', ['run', 'a.test.yaml', ...AGENT]],
    ['.assay/sequence', ['run', 'a.test.yaml', ...AGENT]],
    ['.assay/drafts', ['run', 'a.test.yaml', ...AGENT]],
    ['.assay/removed', ['run', 'a.test.yaml', ...AGENT]],
    ['.assay/cache', ['run', 'a.test.yaml', ...AGENT]],
    ['.assay/cache/judge', ['run', 'a.test.yaml', ...AGENT]],
    ['.assay/cache/view', ['run', 'a.test.yaml', ...AGENT]],
    ['baselines', ['baseline', 'update', '--file', 'baselines/b.json']],
    ['reports', ['run', 'a.test.yaml', ...AGENT, '--no-record', '--reporter', 'json=reports/o.json']],
    ['reports', ['run', 'a.test.yaml', ...AGENT, '--no-record', '--reporter', 'junit=reports/deep/o.xml']],
    ['.github', ['init', 'new', '--yes', '--ci', 'github']],
    ['.claude', ['init', '--skill']],
    ['converted', ['convert', 'a.test.yaml', '--to', 'eval', '-o', 'converted/a.eval.yaml']],
  ])('%s is an error that names it (%j)', async (name, args) => {
    const elsewhere = createProject({});
    const own = createProject({
      'agent.mjs': 'export const agent = (input) => input;',
      'a.test.yaml': '- {id: a, input: x, assert: {output.equals: x}}',
    });
    if (args[0] === 'baseline') await runCli(['run', 'a.test.yaml', ...AGENT], { cwd: own.path });
    if (name !== '.assay') mkdirSync(dirname(join(own.path, name)), { recursive: true });
    symlinkSync(elsewhere.path, join(own.path, name));
    const { exitCode, stderr, stdout } = await runCli(args, { cwd: own.path });
    expect(exitCode).toBe(2);
    expect(stderr + stdout).toContain(`${join(own.path, name)} is a link out of the project`);
    expect(readdirSync(elsewhere.path)).toEqual(['package.json']);
    if (args[0] === 'init') expect(existsSync(join(own.path, 'new'))).toBe(false);
    if (name.startsWith('.assay/cache')) return;
    // One that stays inside is a folder like any other.
    rmSync(join(own.path, name));
    mkdirSync(join(own.path, 'place'));
    symlinkSync(join(own.path, 'place'), join(own.path, name));
    expect((await runCli(args, { cwd: own.path })).exitCode).toBe(0);
    own.remove();
    elsewhere.remove();
  });
});

test('a link that leads nowhere is not written through', async () => {
  const own = createProject({
    'agent.mjs': 'export const agent = (input) => input;',
    'a.test.yaml': '- {id: a, input: x, assert: {output.equals: x}}',
  });
  mkdirSync(join(own.path, '.assay'));
  symlinkSync(join(outside.path, 'not-there'), join(own.path, '.assay', '.gitignore'));
  await runCli(['run', 'a.test.yaml', '--agent', './agent.mjs'], { cwd: own.path });
  expect(existsSync(join(outside.path, 'not-there'))).toBe(false);
  own.remove();
});

test('drafts of killed processes are removed by the next run, and those of others stay', async () => {
  const ended = spawnSync('true').pid;
  const own = createProject({
    'agent.mjs': 'export const agent = (input) => input;',
    'a.test.yaml': '- {id: a, input: x, assert: {output.equals: x}}',
    [`.assay/drafts/t.json.${ended}.tmp`]: 'half',
    [`o.json.${ended}.tmp`]: 'half',
    [`o.json.${process.pid}.tmp`]: 'of a process that runs',
    [`other.json.${ended}.tmp`]: 'of another file',
    'o.json.notes.tmp': 'of the user',
  });
  const made = () =>
    runCli(['run', 'a.test.yaml', '--agent', './agent.mjs', '--reporter', 'json=o.json'], { cwd: own.path });
  expect((await made()).exitCode).toBe(0);
  expect(existsSync(join(own.path, '.assay/drafts'))).toBe(false);
  const left = readdirSync(own.path).filter((name) => name.endsWith('.tmp'));
  expect(left.toSorted()).toEqual(
    [`o.json.${process.pid}.tmp`, 'o.json.notes.tmp', `other.json.${ended}.tmp`].toSorted(),
  );
  mkdirSync(join(own.path, '.assay/drafts'));
  writeFileSync(join(own.path, `.assay/drafts/t.json.${process.pid}.tmp`), 'being written');
  expect((await made()).exitCode).toBe(0);
  expect(readdirSync(join(own.path, '.assay/drafts'))).toEqual([`t.json.${process.pid}.tmp`]);
  own.remove();
});

test('a run is not continued in a folder that is a link', async () => {
  const first = await run('run', 'fine.test.yaml', '--agent', './agent.mjs', '--reporter', 'json');
  const { run_id } = JSON.parse(first.stdout) as { run_id: string };
  const elsewhere = join(outside.path, run_id);
  renameSync(at(`.assay/runs/${run_id}`), elsewhere);
  rmSync(join(elsewhere, 'summary.json'));
  symlinkSync(elsewhere, at(`.assay/runs/${run_id}`));
  const before = readdirSync(elsewhere);
  const { exitCode, stderr } = await run(
    'run',
    'fine.test.yaml',
    '--agent',
    './agent.mjs',
    '--resume',
    run_id,
  );
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('is a link')]);
  expect(readdirSync(elsewhere)).toEqual(before);
  rmSync(at(`.assay/runs/${run_id}`));
});

describe('bombs end as findings of the command line', () => {
  const layers = Array.from(
    { length: 12 },
    (_, index) => `a${index + 1}: &a${index + 1} [${`*a${index},`.repeat(10)}]`,
  );
  const BOMBS: Readonly<Record<string, string>> = {
    aliases: `a0: &a0 [x]\n${layers.join('\n')}\n`,
    depth: `- ${'['.repeat(50_000)}${']'.repeat(50_000)}`,
    brackets: '[{'.repeat(100_000),
    tags: `- !!python/object/apply:os.system ["touch ${at('pwned')}"]`,
    entities: '<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>',
    base60: `- {id: a, input: x, memory: {n: 1${':59'.repeat(200_000)}}, assert: {output.equals: x}}`,
    digits: `- {id: a, input: x, memory: {n: ${'9'.repeat(1_000_000)}}, assert: {output.equals: x}}`,
  };

  test.each([['validate'], ['show'], ['run', '--agent', './agent.mjs']])(
    '%s',
    async (command, ...options) => {
      for (const [name, text] of Object.entries(BOMBS)) {
        mkdirSync(at('bombs'), { recursive: true });
        writeFileSync(at(`bombs/${name}.test.yaml`), text);
      }
      const { exitCode, stdout, stderr } = await run(command, 'bombs', ...options);
      expect(exitCode).toBe(2);
      const defused = Object.keys(BOMBS).filter((name) =>
        new RegExp(`^bombs/${name}\\.test\\.yaml\\S* error `, 'm').test(stdout + stderr),
      );
      expect(defused).toEqual(Object.keys(BOMBS));
      expect(stdout + stderr).not.toContain('defect');
      expect(existsSync(at('pwned'))).toBe(false);
    },
  );
});
