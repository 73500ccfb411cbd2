import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { createProject, runCli, type CliResult, startCli } from '../project.ts';

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

function project(files: Record<string, string>): string {
  const created = createProject(files);
  cleanUps.push(() => created.remove());
  return created.path;
}

const ECHO = 'export function agent(input, memory) { return { output: input, memory }; }';
const SUITE = 'input: hi\nassert: {output.includes: hi}\n';
const FAILING = 'input: hi\nassert: {output.includes: zz}\n';

interface Report {
  readonly exit_code: number;
  readonly results: {
    test: string;
    verdict: string;
    cost_usd?: number;
    error?: { kind: string; message: string };
  }[];
  readonly findings: { code: string; message: string }[];
  readonly summary: Record<string, number>;
}

const report = ({ stdout }: CliResult): Report => JSON.parse(stdout) as Report;
const json = (cwd: string, ...args: string[]): Promise<CliResult> =>
  runCli(['run', '--reporter', 'json', ...args], { cwd });

describe('a function agent', () => {
  test('a late error of a call neither ends the run nor fails a test', async () => {
    const cwd = project({
      'agent.mjs':
        "import { writeFileSync } from 'node:fs';\n" +
        'export function agent(input) {\n' +
        "  setTimeout(() => { writeFileSync('late', ''); throw new Error('late'); }, 20);\n" +
        '  return input;\n}',
      'a.test.yaml': SUITE,
      // It waits for the error, and then long enough for the run to notice it.
      'slow.mjs':
        "import { existsSync } from 'node:fs';\nimport { dirname, join } from 'node:path';\n" +
        "import { setTimeout as wait } from 'node:timers/promises';\n" +
        "while (!existsSync(join(dirname(process.argv[1]), 'late'))) await wait(20);\n" +
        'await wait(300);\nconsole.log(JSON.stringify({ score: 1 }));',
      'b.eval.yaml':
        'evalcases:\n  - id: b\n    input: hi\n    evaluators: [{ type: code_judge, script: [node, ./slow.mjs] }]\n',
    });
    const result = await runCli(['run', '--agent', './agent.mjs', '--allow-scripts'], {
      cwd,
      env: { ASSAY_ISOLATE: 'true' },
    });
    expect(result.exitCode).toBe(0);
    expect(result.stderr).toContain('late');
  });

  test("its output, or a config's, on stdout does not break the JSON report", async () => {
    const cwd = project({
      'assay.config.mjs': "console.log('config'); export default { agent: './agent.mjs' };",
      'agent.mjs':
        "console.log('banner'); export function agent(input) { process.stdout.write('line\\n'); return input; }",
      'a.test.yaml': SUITE,
    });
    const result = await json(cwd);
    expect(report(result)).toMatchObject({ exit_code: 0, summary: { passed: 1 } });
    expect(result.stderr).toContain('banner');
  });
});

describe('the JSON report on exit 2', () => {
  test.each([
    ['a missing agent', ['--agent', './none.mjs']],
    ['an agent without a function', ['--agent', './empty.mjs']],
    ['an unknown target', ['--target', 'nope']],
    ['a run that is not there', ['--agent', './agent.mjs', '--resume=nope']],
  ])('%s', async (_what, args) => {
    const cwd = project({ 'agent.mjs': ECHO, 'empty.mjs': 'export const x = 1;', 'a.test.yaml': SUITE });
    const result = await json(cwd, ...args);
    expect(result.exitCode).toBe(2);
    expect(report(result)).toMatchObject({ exit_code: 2, results: [], findings: [{ code: 'run_stopped' }] });
  });
});

describe('workers and time', () => {
  const SLOW =
    'def agent(input_text, memory):\n    import time\n    time.sleep(0.7)\n    return input_text\n';

  test("waiting for a free session does not count as the agent's time", async () => {
    const tests = Array.from(
      { length: 6 },
      (_, index) => `- {id: t${index}, input: hi, assert: {output.includes: hi}}\n`,
    ).join('');
    const cwd = project({
      'agent.py': SLOW,
      'a.test.yaml': tests,
      'assay.config.yaml':
        'targets:\n  - {name: default, agent: ./agent.py, workers: 1}\n  - {name: other, provider: mock, response: hi}\n',
      'b.eval.yaml':
        'evalcases:\n  - {id: b, execution: {target: other}, input: x, evaluators: [{type: equals, value: hi}]}\n',
    });
    const result = await json(cwd, '--timeout', '3s');
    expect(report(result).results.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
  });

  test('Ctrl-C while waiting for a retry makes no further call', async () => {
    const cwd = project({ 'a.test.yaml': SUITE });
    let calls = 0;
    const server = createServer((_request, response) => {
      calls++;
      response.writeHead(503, { 'retry-after': '2' }).end('no');
    }).listen(0, '127.0.0.1');
    cleanUps.push(() => server.close());
    await sleep(50);
    const { port } = server.address() as { port: number };
    const result = await startCli(['run', '--agent', `http://127.0.0.1:${port}/`], {
      cwd,
      async onStart(child) {
        await once(server, 'request');
        await sleep(200);
        child.kill('SIGINT');
      },
    });
    expect(result.exitCode).toBe(130);
    expect(calls).toBe(1);
  });

  test('a slow batch delays no test beyond its limit', async () => {
    const cwd = project({
      'targets.yaml':
        'targets:\n  - {name: b, provider: cli, provider_batching: true, command_template: "sleep 20; : {OUTPUT_FILE}"}\n',
      'a.eval.yaml': 'evalcases:\n  - {id: a, input: x, evaluators: [{type: equals, value: hi}]}\n',
    });
    expect(report(await json(cwd, '--timeout', '500ms')).results).toMatchObject([
      { verdict: 'error', error: { kind: 'timeout' } },
    ]);
  });
});

describe('grade and merge', () => {
  const runs = (cwd: string) => readdirSync(join(cwd, '.assay', 'runs'));

  test('merge counts the last record of an attempt that ran again', async () => {
    const cwd = project({ 'agent.mjs': ECHO, 'a.test.yaml': FAILING });
    await json(cwd, '--agent', './agent.mjs');
    writeFileSync(join(cwd, 'a.test.yaml'), SUITE);
    expect((await json(cwd, '--agent', './agent.mjs', '--resume')).exitCode).toBe(0);
    const merged = await runCli(['merge', runs(cwd)[0]!, '--reporter', 'json'], { cwd });
    expect(report(merged)).toMatchObject({ exit_code: 0, summary: { tests: 1, passed: 1, flaky: 0 } });
  });

  test('grade judges recorded replies by the current assertions and the threshold of the run', async () => {
    const files = {
      'targets.yaml': 'targets:\n  - {name: default, provider: mock, response: one}\n',
      'a.eval.yaml':
        'evalcases:\n  - id: a\n    input: x\n    evaluators: [{type: contains, value: one}, {type: contains, value: two}]\n',
    };
    const cwd = project(files);
    expect((await json(cwd, '--threshold', '0.5')).exitCode).toBe(0);
    const grade = (...args: string[]) => runCli(['grade', '--reporter', 'json', ...args], { cwd });
    expect(report(await grade())).toMatchObject({ exit_code: 0, summary: { passed: 1 } });
    writeFileSync(join(cwd, 'a.eval.yaml'), files['a.eval.yaml'].replace('value: one', 'value: six'));
    expect(report(await grade())).toMatchObject({ exit_code: 1, summary: { failed: 1 } });
    writeFileSync(join(cwd, 'a.eval.yaml'), files['a.eval.yaml'].replace('id: a', 'id: b'));
    expect(report(await grade())).toMatchObject({ exit_code: 2, findings: [{ code: 'test_gone' }] });
  });

  test('grade finds the tests from another folder of the project', async () => {
    const cwd = project({ 'agent.mjs': ECHO, 'tests/a.test.yaml': SUITE });
    await runCli(['run', '--agent', '../agent.mjs'], { cwd: join(cwd, 'tests') });
    expect(report(await runCli(['grade', '--reporter', 'json'], { cwd }))).toMatchObject({
      exit_code: 0,
      summary: { passed: 1 },
    });
  });

  test('a run killed at its very start, or with a damaged run.json, breaks nothing', async () => {
    const cwd = project({ 'agent.mjs': ECHO, 'a.test.yaml': SUITE });
    await json(cwd, '--agent', './agent.mjs');
    const [run] = runs(cwd);
    rmSync(join(cwd, '.assay', 'runs', run!, 'results.jsonl'));
    expect((await json(cwd, '--agent', './agent.mjs', '--resume')).exitCode).toBe(0);
    writeFileSync(join(cwd, '.assay', 'runs', run!, 'run.json'), '{');
    expect((await json(cwd, '--agent', './agent.mjs', '--resume')).exitCode).toBe(0);
    const grade = await runCli(['grade', run!], { cwd });
    expect(grade.exitCode).toBe(2);
    expect(grade.stderr).not.toContain('defect');
  });
});

describe('resuming', () => {
  test('a target that changed runs again', async () => {
    const target = (response: string) =>
      `targets:\n  - {name: default, provider: mock, response: ${response}}\n`;
    const cwd = project({ 'targets.yaml': target('hi'), 'a.test.yaml': SUITE });
    expect((await json(cwd)).exitCode).toBe(0);
    writeFileSync(join(cwd, 'targets.yaml'), target('no'));
    expect((await json(cwd, '--resume')).exitCode).toBe(1);
  });

  test('reused results are reported', async () => {
    const cwd = project({ 'agent.mjs': ECHO, 'a.test.yaml': SUITE });
    await json(cwd, '--agent', './agent.mjs');
    const { stdout } = await runCli(['run', '--agent', './agent.mjs', '--resume'], { cwd });
    expect(stdout).toContain('1 of 1 results come from the earlier run');
  });

  test('a run without attempts does not forget earlier failures', async () => {
    const cwd = project({ 'agent.mjs': ECHO, 'a.test.yaml': FAILING });
    await json(cwd, '--agent', './agent.mjs');
    await json(cwd, '--agent', './agent.mjs', '-t', 'nothing like this');
    expect(report(await json(cwd, '--agent', './agent.mjs', '--last-failed')).results).toHaveLength(1);
  });
});

describe('output and files', () => {
  test('failed evaluators of a whole test are shown', async () => {
    const cwd = project({
      'targets.yaml': 'targets:\n  - {name: default, provider: mock, response: hi}\n',
      'a.eval.yaml':
        'evalcases:\n  - id: a\n    steps: [{input: x, assert: {output.equals: hi}}, {input: y}]\n    evaluators: [{type: equals, value: bye}]\n',
    });
    const { stdout, exitCode } = await runCli(['run'], { cwd });
    expect(exitCode).toBe(1);
    expect(stdout).toContain('whole test');
    expect(stdout).toContain('bye');
  });

  test('no line of an agent can act as a CI command', async () => {
    const cwd = project({
      'agent.mjs': "export const agent = () => 'a\\n::error::pwned\\n##[error]pwned';",
      'a.test.yaml': 'input: hi\nassert: {output.equals: "x\\ny"}\n',
    });
    const { stdout } = await runCli(['run', '--agent', './agent.mjs'], { cwd });
    expect(stdout).not.toMatch(/^[\s+-]*(?:::|##\[)/m);
  });

  test('the cost of an attempt without an answer is unknown, not 0', async () => {
    const cwd = project({
      'agent.mjs': "export const agent = () => { throw new Error('no'); };",
      'a.test.yaml': SUITE,
    });
    const [record] = report(await json(cwd, '--agent', './agent.mjs')).results;
    expect(record).not.toHaveProperty('cost_usd');
    expect(record).not.toHaveProperty('token_usage');
  });

  test('a closed pipe does not change the exit code', async () => {
    const cwd = project({ 'agent.mjs': ECHO, 'a.test.yaml': FAILING });
    const result = await startCli(['run', '--agent', './agent.mjs'], {
      cwd,
      onStart: (child) => child.stdout!.destroy(),
    });
    expect(result.exitCode).toBe(1);
  });

  test('links out of the project are not followed when suites are read and runs are written', async () => {
    const cwd = project({ 'agent.mjs': ECHO, 'a.test.yaml': SUITE });
    symlinkSync('/etc/passwd', join(cwd, 'pw.test.yaml'));
    const validated = await runCli(['validate'], { cwd });
    expect(validated.exitCode).toBe(2);
    expect(validated.stdout).not.toContain('root:');
    rmSync(join(cwd, 'pw.test.yaml'));
    const elsewhere = project({});
    mkdirSync(join(elsewhere, 'x'));
    symlinkSync(join(elsewhere, 'x'), join(cwd, '.assay'));
    expect((await json(cwd, '--agent', './agent.mjs')).exitCode).toBe(2);
    expect(existsSync(join(elsewhere, 'x', 'runs'))).toBe(false);
  });

  test('--tag may be given more than once', async () => {
    const cwd = project({
      'agent.mjs': ECHO,
      'a.test.yaml': ['x', 'y', 'z']
        .map(
          (tag) => `- {id: ${tag}${tag}, tags: [${tag}${tag}], input: hi, assert: {output.includes: hi}}\n`,
        )
        .join(''),
    });
    expect(
      report(await json(cwd, '--agent', './agent.mjs', '--tag', 'xx', '--tag', 'zz')).results.map(
        ({ test: id }) => id,
      ),
    ).toEqual(['xx', 'zz']);
  });

  test('a deeply nested reply is recorded and read back', async () => {
    const cwd = project({
      'agent.mjs':
        "export const agent = () => { let m = 1; for (let i = 0; i < 900; i++) m = { m }; return { output: 'hi', memory: m }; };",
      'a.test.yaml': FAILING,
    });
    expect((await json(cwd, '--agent', './agent.mjs')).exitCode).toBe(1);
    const [run] = readdirSync(join(cwd, '.assay', 'runs'));
    expect(readFileSync(join(cwd, '.assay', 'runs', run!, 'results.jsonl'), 'utf8').split('\n')).toHaveLength(
      3,
    );
    expect((await runCli(['merge', run!], { cwd })).exitCode).toBe(1);
  });
});
