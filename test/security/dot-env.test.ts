import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

const PAYLOAD = `require('node:fs').writeFileSync(require('node:path').join(__dirname, 'canary'), 'ran');`;
const PROTECTED = [
  'ASSAY_PYTHON',
  'NODE_OPTIONS',
  'NODE_PATH',
  'PYTHONSTARTUP',
  'PYTHONPATH',
  'LD_PRELOAD',
  'DYLD_INSERT_LIBRARIES',
  'PATH',
  'HOME',
  'BASH_ENV',
  'HTTPS_PROXY',
  'all_proxy',
  'SSL_CERT_FILE',
  'GIT_SSH_COMMAND',
  'JITI_ALIAS',
  'PERL5OPT',
  'RUBYOPT',
];

const project = createProject({
  'payload.cjs': PAYLOAD,
  '.env': [
    ...PROTECTED.map((name) => `${name}=./payload.cjs`),
    'export NODE_OPTIONS="--require ./payload.cjs"',
    'KEPT="two',
    'lines"',
    "SINGLE='a \\n # b'",
    'ESCAPED="a\\tb\\"c"',
    '=no name',
    'not an assignment',
    'PLAIN= some text # a remark',
    'NODE_ENV=staging',
  ].join('\n'),
  'print.test.yaml': '- {id: a, input: x, assert: {output.includes: "{"}}',
  'function.mjs': `
    import { AT_LOAD } from './at-load.mjs';
    export const agent = () => ({
      output: JSON.stringify({
        AT_LOAD,
        set: ${JSON.stringify(PROTECTED)}.filter((name) => process.env[name] === './payload.cjs'),
        KEPT: process.env.KEPT,
        PLAIN: process.env.PLAIN,
        SINGLE: process.env.SINGLE,
      }),
      tools_used: [],
    });`,
  'at-load.mjs': 'export const AT_LOAD = process.env.KEPT;',
  'print.mjs': `
    const { ${PROTECTED.join(', ')}, KEPT, SINGLE, ESCAPED, PLAIN, NODE_ENV } = process.env;
    const set = Object.entries({ ${PROTECTED.join(', ')} }).filter(([, value]) => value === './payload.cjs');
    console.log(JSON.stringify({ output: JSON.stringify({ set, KEPT, SINGLE, ESCAPED, PLAIN, NODE_ENV }), tools_used: [] }));`,
});
afterAll(project.remove);

describe('.env', () => {
  test('sets no variable that decides which code runs or where requests go, and reports it', async () => {
    const env = Object.fromEntries(
      PROTECTED.filter((name) => !['PATH', 'HOME'].includes(name)).map((name) => [name, undefined]),
    );
    const { stdout, exitCode } = await runCli(
      ['run', '--agent', 'cmd: node print.mjs', '--reporter', 'json', '--no-record'],
      { cwd: project.path, env: { ...env, NODE_ENV: undefined } },
    );
    const { findings, results } = JSON.parse(stdout);
    expect(exitCode).toBe(0);
    expect(JSON.parse(results[0].steps[0].output)).toEqual({
      set: [],
      KEPT: 'two\nlines',
      SINGLE: 'a \\n # b',
      ESCAPED: 'a\tb"c',
      PLAIN: 'some text',
      NODE_ENV: 'staging',
    });
    const refused = findings.filter(({ code }: { code: string }) => code === 'protected_variable');
    expect(refused.map(({ path, line }: { path: string; line: number }) => [path, line])).toEqual([
      ...PROTECTED.map((name, index) => [name, index + 1]),
      ['NODE_OPTIONS', PROTECTED.length + 1],
    ]);
    expect(refused[0]).toMatchObject({ severity: 'warning', file: '.env' });
  });
});

describe('.env', () => {
  test('is visible to a function agent and a config in code, and overrides nothing', async () => {
    writeFileSync(
      join(project.path, 'assay.config.mjs'),
      `export default { agent: './function.mjs', threshold: process.env.PLAIN === 'from the shell' && process.env.KEPT ? 0.5 : 'none' };`,
    );
    const { stdout, exitCode } = await runCli(['run', '--reporter', 'json', '--no-record'], {
      cwd: project.path,
      env: { PLAIN: 'from the shell', SINGLE: '' },
    });
    rmSync(join(project.path, 'assay.config.mjs'));
    expect(exitCode, stdout).toBe(0);
    expect(JSON.parse(JSON.parse(stdout).results[0].steps[0].output)).toEqual({
      AT_LOAD: 'two\nlines',
      set: [],
      KEPT: 'two\nlines',
      PLAIN: 'from the shell',
      SINGLE: '',
    });
  });

  test('is in the environment of an API user only while runs last, even if they overlap', async () => {
    const script = `
      import { run } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)};
      const seen = [];
      const agent = (ms) => async () => {
        await new Promise((done) => setTimeout(done, ms));
        seen.push(process.env.KEPT);
        return '{';
      };
      const go = (ms) => run({ paths: ['print.test.yaml'], agent: agent(ms), record: false });
      const long = go(300);
      await go(1);
      await long;
      console.log(JSON.stringify({ seen, after: 'KEPT' in process.env }));`;
    writeFileSync(join(project.path, 'twice.mjs'), script);
    const { stdout, stderr } = spawnSync(process.execPath, ['twice.mjs'], {
      cwd: project.path,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({ seen: ['two\nlines', 'two\nlines'], after: false });
  });

  test('that links out of the project is not read and reported; one that stays inside is read', async () => {
    const outside = createProject({ 'shared.env': 'FROM_OUTSIDE=1\n' });
    const linked = createProject({
      'inside.env': 'FROM_INSIDE=1\n',
      'print.test.yaml': '- {id: a, input: x, assert: {output.includes: "INSIDE=1 OUTSIDE=undefined"}}',
      'print.mjs': `
        process.stdin.resume();
        const { FROM_INSIDE, FROM_OUTSIDE } = process.env;
        console.log('INSIDE=' + FROM_INSIDE + ' OUTSIDE=' + FROM_OUTSIDE);`,
    });
    const run = () =>
      runCli(['run', '--agent', 'cmd: node print.mjs', '--reporter', 'json', '--no-record'], {
        cwd: linked.path,
        env: { FROM_INSIDE: undefined, FROM_OUTSIDE: undefined },
      });
    symlinkSync(join(outside.path, 'shared.env'), join(linked.path, '.env'));
    const refused = JSON.parse((await run()).stdout);
    expect(refused.findings).toMatchObject([{ code: 'outside_project', severity: 'warning', file: '.env' }]);
    expect(refused.results[0].steps[0].output).toContain('INSIDE=undefined OUTSIDE=undefined');
    const { stdout, exitCode } = await runCli(['validate', '--json'], { cwd: linked.path });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).findings).toMatchObject([{ code: 'outside_project' }]);
    rmSync(join(linked.path, '.env'));
    symlinkSync('inside.env', join(linked.path, '.env'));
    expect(await run()).toMatchObject({ exitCode: 0 });
    linked.remove();
    outside.remove();
  });
});

/** Only root can give files away. */
const STRANGER = 65_533;
describe.skipIf(process.getuid?.() !== 0)('files of another user', () => {
  test('above the current folder form no project and are neither executed nor read', async () => {
    const shared = createProject({
      'assay.config.mjs': `${PAYLOAD.replaceAll(/require\('([^']+)'\)/g, "(await import('$1'))").replaceAll('__dirname', 'import.meta.dirname')} export default { agent: './agent.mjs' };`,
      '.env': 'STRANGE=1\n',
      'agent.mjs': 'export const agent = () => "hello";',
    });
    for (const name of ['assay.config.mjs', '.env', 'package.json'])
      chownSync(join(shared.path, name), STRANGER, STRANGER);
    const mine = join(shared.path, 'mine');
    mkdirSync(mine);
    writeFileSync(join(mine, 'a.test.yaml'), '- {id: a, input: x, assert: {output.equals: hello}}');
    const { exitCode, stderr } = await runCli(['run'], { cwd: mine });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('which agent should run a.test.yaml?');
    expect(existsSync(join(shared.path, 'canary'))).toBe(false);
    // A checkout that belongs to another user as a whole, as in a container, is trusted.
    chownSync(mine, STRANGER, STRANGER);
    expect((await runCli(['run', '--no-record'], { cwd: mine })).exitCode).toBe(0);
    expect(existsSync(join(shared.path, 'canary'))).toBe(true);
    shared.remove();
  });
});
