import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

/** A project with an `assay.config.*` and a targets file: the targets of both, and the settings of the config. */

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

interface Shown {
  readonly severity: string;
  readonly code: string;
  readonly file: string;
  readonly message: string;
}

function project(files: Record<string, string>) {
  const { path, remove } = createProject(files);
  cleanUps.push(remove);
  const cli = async (args: readonly string[], env: Record<string, string> = {}) => {
    const { stdout, stderr, exitCode } = await runCli(args, { cwd: path, env });
    return { stdout, stderr, exitCode };
  };
  const codesOf = (findings: readonly Shown[]): readonly string[] =>
    findings.map(({ severity, code, file }) => `${severity} ${code} ${file}`);
  return {
    path,
    cli,
    async run(args: readonly string[] = [], env: Record<string, string> = {}) {
      const { stdout, exitCode } = await cli(['run', '--reporter', 'json', ...args], env);
      const report = JSON.parse(stdout) as {
        results: {
          test: string;
          verdict: string;
          error?: { message: string };
          steps: { output?: string }[];
        }[];
        findings: readonly Shown[];
      };
      const outputs = Object.fromEntries(
        report.results.map(({ test: id, verdict, steps, error }) => [
          id,
          verdict === 'passed' ? steps[0]!.output : `${verdict}: ${error?.message ?? ''}`,
        ]),
      );
      return { outputs, exitCode, codes: codesOf(report.findings), findings: report.findings };
    },
    async validate(args: readonly string[] = []) {
      const { stdout, exitCode } = await cli(['validate', '--json', ...args]);
      const { findings } = JSON.parse(stdout) as { findings: readonly Shown[] };
      return { codes: codesOf(findings), findings, exitCode };
    },
  };
}

const mocks = (...names: readonly string[]): string =>
  `targets:\n${names.map((name) => `  - { name: ${name.split('=')[0]}, provider: mock, response: ${name.split('=')[1]} }\n`).join('')}`;
const cases = (...names: readonly string[]): string =>
  `evalcases:\n${names.map((name) => `  - { id: ${name}, input: x, execution: { target: ${name} }, evaluators: [{ type: regex, value: . }] }\n`).join('')}`;
const JUDGED = 'evalcases:\n  - { id: a, input: x, expected_outcome: is polite }\n';
const VERDICT = '{ score: 1, reasoning: fine, hits: [], misses: [] }';

describe('targets', () => {
  test('come from both files: the nearer folder wins, and within one folder the config', async () => {
    const { run, validate } = project({
      'assay.config.yaml': mocks('one=root-config', 'two=root-config', 'both=root-config'),
      'targets.yaml': mocks('both=root-targets', 'three=root-targets'),
      'a.eval.yaml': cases('one', 'both', 'three'),
      'near/.agentv/targets.yml': mocks('two=near-targets', 'four=near-targets'),
      'near/b.eval.yaml': cases('one', 'two', 'four', 'three'),
      'nearest/deep/assay.config.json': JSON.stringify({
        targets: [{ name: 'three', provider: 'mock', response: 'nearest-config' }],
      }),
      'nearest/deep/c.eval.yaml': cases('three', 'both', 'one'),
    });
    expect((await run(['a.eval.yaml'])).outputs).toEqual({
      one: 'root-config',
      both: 'root-config',
      three: 'root-targets',
    });
    const near = (await run(['near'])).outputs;
    expect(near).toMatchObject({ one: 'root-config', two: 'near-targets', four: 'near-targets' });
    // The nearest targets file counts, and no other.
    expect(near['three']).toContain('unknown target "three"');
    const nearest = (await run(['nearest'])).outputs;
    expect(nearest).toMatchObject({ three: 'nearest-config', both: 'root-targets' });
    expect(nearest['one']).toContain('use one of "three", "both"');
    expect((await validate()).codes).toEqual([
      'warning agentv_meaning near/b.eval.yaml',
      'warning unknown_target near/b.eval.yaml',
      'warning unknown_target nearest/deep/c.eval.yaml',
    ]);
  });

  test('belong to their own file, with its folder and findings', async () => {
    const agent = (says: string): string => `export const agent = () => ({ output: '${says}' });\n`;
    const { run, validate } = project({
      'assay.config.yaml': 'agent: ./agent.mjs\n',
      'agent.mjs': agent('root'),
      'near/targets.yaml':
        'targets:\n  - { name: other, agent: ./agent.mjs }\n  - { name: broken, provider: mock, respons: x }\n',
      'near/agent.mjs': agent('near'),
      'near/a.eval.yaml': `${cases('other', 'default', 'broken')}`,
    });
    const { outputs } = await run();
    expect(outputs).toMatchObject({ other: 'near', default: 'root' });
    expect(outputs['broken']).toContain('near/targets.yaml:3:');
    expect((await validate()).codes).toEqual(['error unknown_field near/targets.yaml']);
  });

  test('next to a config, a targets.yaml about something else is ignored and named; one in .agentv is an error', async () => {
    const files = {
      'assay.config.yaml': mocks('default=config'),
      'a.eval.yaml': cases('default'),
    };
    for (const other of [
      'hosts: [a, b]\n',
      '- targets: [a:9100]\n',
      'targets: [{ name: prod, region: eu }]\n',
    ]) {
      const { run, validate } = project({ ...files, 'targets.yaml': other });
      const codes = ['warning config_not_read targets.yaml'];
      expect(await run()).toMatchObject({ outputs: { default: 'config' }, exitCode: 0, codes });
      expect(await validate()).toMatchObject({ exitCode: 0, codes });
    }
    const broken = project({ ...files, '.agentv/targets.yaml': 'hosts: [a, b]\n' });
    expect(await broken.run()).toMatchObject({ outputs: {}, exitCode: 2 });
    const unreadable = project({ ...files, 'targets.yaml': 'targets: [\n' });
    expect(await unreadable.run()).toMatchObject({ outputs: {}, exitCode: 2 });
  });

  test('--config uses that file and no other', async () => {
    const { run } = project({
      'assay.config.yaml': mocks('default=config'),
      '.agentv/targets.yaml': mocks('other=targets'),
      'a.eval.yaml': cases('other'),
    });
    expect((await run(['--config', 'assay.config.yaml'])).exitCode).toBe(2);
    expect((await run(['--config', '.agentv/targets.yaml'])).outputs).toEqual({ other: 'targets' });
    expect((await run()).outputs).toEqual({ other: 'targets' });
  });
});

describe('the judge', () => {
  test('may be in either file, whichever names it', async () => {
    const grader = `  - { name: grader, provider: mock, response: ${VERDICT} }\n`;
    const { run, validate } = project({
      'assay.config.yaml': 'judge: grader\n',
      '.agentv/targets.yaml': `${mocks('default=hello')}${grader}`,
      'a.eval.yaml': JUDGED,
      'near/assay.config.yaml': `targets:\n${grader}`,
      'near/.agentv/targets.yaml':
        'targets:\n  - { name: default, provider: mock, response: hello, judge_target: grader }\n',
      'near/b.eval.yaml': JUDGED,
      'beside/.agentv/targets.yaml': `judge: grader\n${mocks('default=hello')}${grader}`,
      'beside/c.eval.yaml': JUDGED,
    });
    for (const path of ['a.eval.yaml', 'near', 'beside'])
      expect(await run([path])).toMatchObject({ outputs: { a: 'hello' }, exitCode: 0 });
    expect((await validate()).codes).toEqual([]);
  });

  test('that is missing gets a hint for the file that the project has, and the hint works', async () => {
    const own = project({ 'assay.config.yaml': mocks('default=hello'), 'a.eval.yaml': JUDGED });
    expect((await own.run()).outputs['a']).toContain(
      'set `judge: { provider: openai, model: ... }` in assay.config.yaml',
    );
    const code = project({
      'assay.config.mjs':
        "export default { targets: [{ name: 'default', provider: 'mock', response: 'hi' }] };\n",
      'a.eval.yaml': JUDGED,
    });
    // An assay.config.yaml beside it would not be read.
    expect((await code.run()).outputs['a']).toContain('in assay.config.mjs');
    const files = {
      '.agentv/targets.yaml': `${mocks('default=hello')}  - { name: azure_base, provider: azure, endpoint: shop, api_key: k, model: m }\n`,
      'evals/a.eval.yaml': JUDGED,
    };
    const existing = project(files);
    const hint =
      'in .agentv/targets.yaml, set `judge: azure_base` next to `targets`, or `judge_target: azure_base` in the target';
    expect((await existing.run()).outputs['a']).toContain(hint);
    expect((await existing.validate()).findings).toMatchObject([
      { severity: 'warning', code: 'no_judge', message: expect.stringContaining(hint) },
    ]);
    const targets = `judge: strict\n${mocks('default=hello')}  - { name: strict, provider: mock, response: ${VERDICT} }\n`;
    writeFileSync(join(existing.path, '.agentv/targets.yaml'), targets);
    expect(await existing.run()).toMatchObject({ outputs: { a: 'hello' }, exitCode: 0 });
  });
});

describe('settings', () => {
  test('of a targets file are ignored next to a config, with a warning', async () => {
    const script =
      'evalcases:\n  - { id: a, input: x, evaluators: [{ type: code_judge, script: [sh, judge.sh] }] }\n';
    const JUDGE = `touch ran; echo '{"score":1}'\n`;
    const files = {
      'assay.config.yaml': 'workers: 2\n',
      'near/targets.yaml': `scripts: { allow: true, env: [WORD] }\ntimeout: 5\n${mocks('default=hello')}`,
      'near/a.eval.yaml': script,
      'near/judge.sh': JUDGE,
    };
    const { run, validate, path } = project(files);
    const { outputs, codes } = await run();
    expect(outputs['a']).toContain('--allow-scripts');
    expect(existsSync(join(path, 'near/ran'))).toBe(false);
    expect(codes).toContain('warning other_config near/targets.yaml');
    expect((await validate()).codes).toEqual(['warning other_config near/targets.yaml']);
    const alone = project({
      'targets.yaml': files['near/targets.yaml'],
      'a.eval.yaml': script,
      'judge.sh': JUDGE,
    });
    expect((await alone.run()).outputs).toEqual({ a: 'hello' });
  });

  test('gates that would be ignored are an error', async () => {
    const { run, validate } = project({
      'assay.config.yaml': 'workers: 2\n',
      'targets.yaml': `gates: { min_pass_rate: 1 }\n${mocks('default=hello')}`,
      'a.eval.yaml': cases('default'),
    });
    expect(await run()).toMatchObject({ exitCode: 2 });
    expect(await validate()).toMatchObject({ codes: ['error other_config targets.yaml'], exitCode: 2 });
  });

  test('the secrets of both files are redacted', async () => {
    const { cli } = project({
      'assay.config.yaml': 'secrets: [CUSTOMER]\n',
      'targets.yaml': `secrets: [ORDER]\ntargets:\n  - { name: default, provider: mock, response: "\${{ CUSTOMER }} \${{ ORDER }}" }\n`,
      'a.eval.yaml': cases('default'),
    });
    const env = { CUSTOMER: 'customer-4711-x', ORDER: 'order-0815-y' };
    const { stdout } = await cli(['run', '--reporter', 'json'], env);
    expect(stdout).toContain('[redacted] [redacted]');
    const report = await cli(['report', 'latest', '--json', '-'], env);
    expect(report.stdout).not.toMatch(/4711|0815/);
  });
});

describe('a targets file grants no extra rights', () => {
  const CODE = `import { writeFileSync } from 'node:fs';\nwriteFileSync(new URL('./ran', import.meta.url), '');\nexport default { targets: [{ name: default, provider: 'mock', response: 'code' }] };\n`;
  const code = CODE.replace('name: default', "name: 'default'");

  test('code below the root is not executed and its suites do not run, despite targets above it', async () => {
    const { run, path } = project({
      '.agentv/targets.yaml': mocks('default=root-targets'),
      'below/assay.config.mjs': code,
      'below/a.eval.yaml': cases('default'),
      'below/with/targets.yaml': mocks('default=near-targets'),
      'below/with/b.eval.yaml': cases('default'),
    });
    const { exitCode, codes, outputs } = await run();
    expect([exitCode, outputs]).toEqual([2, {}]);
    expect(codes).toContain('error config_below_root below/assay.config.mjs');
    expect(existsSync(join(path, 'below/ran'))).toBe(false);
  });

  test('only run executes code in the root; reading commands still check the targets file', async () => {
    const { run, validate, cli, path } = project({
      'assay.config.mjs': code,
      'near/targets.yaml': `${mocks('mine=near-targets')}  - { name: wrong, provider: mock, respons: x, response: y }\n`,
      'near/a.eval.yaml': `${cases('mine', 'default')}  - { id: judged, input: x, expected_outcome: y }\n`,
    });
    expect((await validate()).codes).toEqual([
      'warning config_not_read assay.config.mjs',
      'error unknown_field near/targets.yaml',
      'warning judge_unknown near/a.eval.yaml',
    ]);
    await cli(['run', '--list']);
    await cli(['show']);
    expect(existsSync(join(path, 'ran'))).toBe(false);
    expect((await run()).outputs).toMatchObject({ mine: 'near-targets', default: 'code' });
    expect(existsSync(join(path, 'ran'))).toBe(true);
  });

  test('a link out of the project is not followed, even next to a config', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'assay-elsewhere-'));
    cleanUps.push(() => rmSync(elsewhere, { recursive: true, force: true }));
    writeFileSync(join(elsewhere, 'targets.yaml'), mocks('other=elsewhere'));
    const { run, path } = project({
      'assay.config.yaml': mocks('default=config'),
      'a.eval.yaml': cases('other'),
    });
    mkdirSync(join(path, '.agentv'));
    symlinkSync(join(elsewhere, 'targets.yaml'), join(path, '.agentv/targets.yaml'));
    const { exitCode, codes, outputs } = await run();
    expect([exitCode, outputs]).toEqual([2, {}]);
    expect(codes).toContain('error outside_project .agentv/targets.yaml');
  });
});
