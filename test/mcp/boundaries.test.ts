import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createProject } from '../project.ts';
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

  test.each(changes)('and %s gets nothing executed', async (_name, change, reason = /restart the server/) => {
    const project = createProject(FILES);
    const client = await connect({ cwd: project.path });
    expect((await call(client, 'run')).text).toContain('2 passed');
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
  for (const way of ways)
    for (const [name, input] of [
      ['list', { paths: [way] }],
      ['validate', { paths: [way] }],
      ['show', { test: way }],
      ['run', { paths: [way] }],
    ] as const) {
      const { text } = await call(client, name, input);
      expect(text, `${name} ${way}`).not.toContain('stolen');
      expect(text, `${name} ${way}`).not.toMatch(/[1-9] passed|^[1-9] tests|: [1-9]\d* tests/m);
    }
  outer.remove();
}, 120_000);

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
  const answers = await Promise.all(Array.from({ length: 20 }, () => call(client, 'list')));
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
