import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { effort } from '../effort.ts';
import { createProject, runCli } from '../project.ts';
import { call, closeClients, connect } from './client.ts';

afterEach(closeClients);

const SUITE = 'id: one\ninput: hello\nassert: { output.includes: hello }\n';
const ECHO = `process.stdin.on('data', () => {}).on('end', () => console.log('hello'));\n`;
const EVIL = `require('fs').writeFileSync(process.env.PWNED ?? 'pwned', 'x'); console.log('hello');\n`;
const CONFIG = `targets:
  - name: default
    command: [node, echo.cjs]
mcp:
  paths: [tests]
  targets: [default]
`;
const EVIL_MODULE = `import { writeFileSync } from 'node:fs'; writeFileSync('pwned', 'x'); export default {};\n`;
const WITH_EVALUATORS = `export default { agent: 'cmd: node echo.cjs', evaluators: './evil.cjs' };\n`;
const FILES = {
  'assay.config.yaml': CONFIG,
  'echo.cjs': ECHO,
  'evil.cjs': EVIL,
  'tests/a.test.yaml': SUITE,
  'tests/deep/b.test.yaml': SUITE,
};

type Write = (name: string, text: string) => void;

describe('a client that can write files', () => {
  const changes: [string, (write: Write, path: string) => void, RegExp?][] = [
    [
      'changes the command of an allowed target',
      (write) => write('assay.config.yaml', CONFIG.replace('echo', 'evil')),
    ],
    [
      'allows scripts',
      (write) => {
        write('assay.config.yaml', `${CONFIG}scripts: { allow: true }\n`);
        write(
          'tests/a.test.yaml',
          'evalcases:\n  - id: x\n    input_messages: [{role: user, content: hi}]\n    evaluators: [{name: s, type: code_judge, script: node evil.cjs}]\n',
        );
      },
    ],
    [
      'adds a config that is code',
      (write) =>
        write(
          'assay.config.mjs',
          `import { writeFileSync } from 'node:fs'; writeFileSync('pwned', 'x'); export default { agent: 'cmd: node evil.cjs' };\n`,
        ),
    ],
    [
      'adds a config below the root',
      (write) =>
        write('tests/assay.config.yaml', 'targets: [{ name: default, command: [node, ../evil.cjs] }]\n'),
      /below the project root/,
    ],
    [
      'adds a targets file below the root',
      (write) =>
        write('tests/deep/.agentv/targets.yaml', 'targets: [{ name: default, command: [node, evil.cjs] }]\n'),
      /below the project root/,
    ],
    [
      'adds a targets file next to the config',
      (write) => write('targets.yaml', 'targets: [{ name: other, command: [node, evil.cjs] }]\n'),
    ],
    [
      'replaces the config by a targets file',
      (write, path) => {
        rmSync(join(path, 'assay.config.yaml'));
        write('targets.yaml', 'targets: [{ name: default, command: [node, evil.cjs] }]\n');
      },
    ],
    [
      'renames the config to one that comes first',
      (write, path) => {
        renameSync(join(path, 'assay.config.yaml'), join(path, 'assay.config.json'));
        write('assay.config.json', '{"targets":[{"name":"default","command":["node","evil.cjs"]}]}');
      },
    ],
    ['adds an .env', (write) => write('.env', 'NODE_ENV=x\nOPENAI_BASE_URL=http://127.0.0.1:1\n')],
  ];

  test.each(changes)('and %s gets nothing executed', async (title, change, reason = /restart the server/) => {
    const project = createProject(FILES);
    const client = await connect({ cwd: project.path });
    // What a server keeps from a run must not be used after the change either.
    if (title === changes[0]![0]) expect((await call(client, 'run')).text).toContain('2 passed');
    change((name, text) => {
      mkdirSync(dirname(join(project.path, name)), { recursive: true });
      writeFileSync(join(project.path, name), text);
    }, project.path);
    const { text } = await call(client, 'run');
    expect(text).toMatch(reason);
    expect(text).not.toContain('2 passed');
    expect(filesBelow(project.path).filter((name) => name.includes('pwned'))).toEqual([]);
    project.remove();
  });

  test.each<[string, Record<string, string>]>([
    ['changes a config that is code', { 'assay.config.mjs': EVIL_MODULE }],
    ['adds a config that is code', { 'assay.config.ts': EVIL_MODULE }],
    ['names a file with evaluators in the config', { 'assay.config.mjs': WITH_EVALUATORS }],
  ])('with --trust-config, and %s gets nothing executed by tools that only read', async (_name, files) => {
    const project = createProject({
      ...FILES,
      'assay.config.yaml': '{}',
      'assay.config.mjs': `export default { agent: 'cmd: node echo.cjs', mcp: { paths: ['tests'] } };\n`,
    });
    const client = await connect({ cwd: project.path, args: ['--trust-config'] });
    expect((await call(client, 'list')).text).toContain('2 tests');
    for (const [name, text] of Object.entries(files)) writeFileSync(join(project.path, name), text);
    expect((await call(client, 'list')).text).toContain('2 tests');
    expect((await call(client, 'show', { test: 'tests/a.test.yaml' })).text).toContain('hello');
    for (const tool of ['validate', 'run'])
      expect((await call(client, tool)).text).toContain('restart the server');
    expect(filesBelow(project.path).filter((name) => name.includes('pwned'))).toEqual([]);
    project.remove();
  });

  test('and edits the agent and its tests, which is its job, can run them', async () => {
    const project = createProject(FILES);
    const client = await connect({ cwd: project.path });
    writeFileSync(join(project.path, 'echo.cjs'), ECHO.replace('hello', 'hello again'));
    writeFileSync(
      join(project.path, 'tests/c.test.yaml'),
      SUITE.replace('includes: hello', 'includes: again'),
    );
    expect((await call(client, 'run', { paths: ['tests/c.test.yaml'] })).text).toContain('1 passed');
    project.remove();
  });

  test.each(['.agentv/targets.yaml', 'targets.yaml'])(
    'and writes %s before the server starts does not allow itself anything',
    async (name) => {
      const project = createProject({
        ...FILES,
        'assay.config.yaml': 'targets: [{ name: default, command: [node, echo.cjs] }]\n',
        [name]: 'targets: [{ name: x, command: [node, evil.cjs] }]\nmcp: { paths: [tests] }\n',
      });
      expect(await call(await connect({ cwd: project.path }), 'run')).toMatchObject({ isError: true });
      rmSync(join(project.path, 'assay.config.yaml'));
      expect(await call(await connect({ cwd: project.path }), 'run')).toMatchObject({ isError: true });
      expect(existsSync(join(project.path, 'pwned'))).toBe(false);
      project.remove();
    },
  );

  test('and the config below the root was there before: the suites it governs do not run', async () => {
    const project = createProject({
      ...FILES,
      'tests/deep/assay.config.yaml': 'targets: [{ name: default, command: [node, ../../evil.cjs] }]\n',
    });
    const client = await connect({ cwd: project.path });
    expect((await call(client, 'run', { paths: ['tests/deep'] })).text).toMatch(/below the project root/);
    expect((await call(client, 'run', { paths: ['tests/a.test.yaml'] })).text).toContain('1 passed');
    expect(filesBelow(project.path).filter((file) => file.includes('pwned'))).toEqual([]);
    project.remove();
  });
});

test('no pattern leads out of the project', async () => {
  const outer = createProject({
    'project/assay.config.yaml': CONFIG,
    'project/tests/a.test.yaml': SUITE,
    'other/secret.test.yaml': SUITE.replace('one', 'stolen'),
    'other/dataset.jsonl': '{"id":"stolen","input":"x"}\n',
  });
  const project = join(outer.path, 'project');
  const client = await connect({ cwd: project });
  const ways = [
    '.\\./other/*.yaml',
    '\\../other/*.yaml',
    '\\.\\./other/**',
    'tests/\\.\\./\\.\\./other/*',
    '[.][.]/other/*.yaml',
    '[.]./other/*.yaml',
    '.[.]/other/*.yaml',
    '@(..)/other/*.yaml',
    '@(.)./other/*.yaml',
    '?(.)?(.)/other/*',
    '.{.,x}/other/*.yaml',
    '{.,x}{.,x}/other/*.yaml',
    '{.}./other/*.yaml',
    '+(.)/other/*.yaml',
    '..\\other\\*.yaml',
    'tests/{..,}/../../other/*',
    '(.|x)(.|x)/other/*.yaml',
    '!(x)/../other/*.yaml',
    `${outer.path}\\/other/*`,
    `{${outer.path},x}/other/*`,
    '?'.repeat(2) + '/other/*.yaml',
    '*/../../other/*.yaml',
  ];
  for (const [index, way] of ways.entries()) {
    const calls: readonly (readonly [tool: string, input: Record<string, unknown>])[] = [
      ['list', { paths: [way] }],
      ['validate', { paths: [way] }],
      ['show', { test: way }],
      ['run', { paths: [way] }],
    ];
    for (const [name, input] of effort({ short: [calls[index % 4]!], long: calls })) {
      const { text } = await call(client, name, input);
      expect(text, `${name} ${way}`).not.toContain('stolen');
      expect(text, `${name} ${way}`).not.toMatch(/[1-9] passed|^[1-9] tests|: [1-9]\d* tests/m);
    }
  }
  outer.remove();
}, 120_000);

test('a run whose files are links to another project is not read', async () => {
  const outer = createProject({
    'project/assay.config.yaml': CONFIG,
    'project/tests/a.test.yaml': SUITE,
    'other/assay.config.yaml': 'agent: "cmd: echo stolen"\n',
    'other/tests/a.test.yaml': SUITE,
  });
  const [project, other] = [join(outer.path, 'project'), join(outer.path, 'other')];
  await runCli(['run', 'tests'], { cwd: other });
  const runs = join(other, '.assay/runs');
  const from = join(runs, readdirSync(runs)[0]!);
  const [id, folder] = ['20260101T000000-000-00000000', 'run.json'];
  for (const to of [join(project, '.assay/runs', id), join(project, folder)]) {
    mkdirSync(to, { recursive: true });
    for (const name of readdirSync(from)) symlinkSync(join(from, name), join(to, name));
  }
  const client = await connect({ cwd: project });
  for (const [name, input] of [
    ['failures', { run: id }],
    ['failures', {}],
    ['failures', { run: folder }],
    ['show', { test: 'tests/a.test.yaml', run: id }],
    ['show', { test: 'tests/a.test.yaml' }],
    ['compare', { before: id, after: id }],
    ['compare', { before: folder, after: id }],
    ['compare', { before: folder, after: folder }],
  ] as const) {
    const { text } = await call(client, name, input);
    expect(text, `${name} ${JSON.stringify(input)}`).not.toContain('stolen');
    expect(text, `${name} ${JSON.stringify(input)}`).toMatch(
      /outside the project|is a folder|has not run yet/,
    );
  }
  outer.remove();
});

test('many calls at once are answered by a few processes', async () => {
  const project = createProject(FILES);
  const client = await connect({ cwd: project.path });
  let most = 0;
  const watching = new AbortController();
  const watch = (async () => {
    while (!watching.signal.aborted) {
      most = Math.max(most, childrenIn(project.path));
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  const answers = await Promise.all(Array.from({ length: 10 }, () => call(client, 'list')));
  watching.abort();
  await watch;
  expect(answers.every(({ text }) => text.startsWith('2 tests'))).toBe(true);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(4);
  project.remove();
}, 60_000);

/** The processes that list tests in a folder. */
function childrenIn(folder: string): number {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      return command.includes('--list') && readFileSync(`/proc/${name}/environ`, 'utf8').includes(folder);
    } catch {
      return false;
    }
  }).length;
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true }).map(String);
}
