import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { Report } from '../../src/base/model/report.ts';
import { inTerminal } from '../in-terminal.ts';
import { CLI, createProject, runCli, type CliResult } from '../project.ts';

let remove = (): void => {};
afterEach(() => remove());

function project(files: Readonly<Record<string, string>>): {
  readonly path: string;
  cli(...args: readonly string[]): Promise<CliResult>;
} {
  const created = createProject(files);
  remove = () => created.remove();
  return { path: created.path, cli: (...args) => runCli(args, { cwd: created.path }) };
}

const AGENT = `export const agent = (input) => ({ output: 'said ' + input, tools_used: ['search'], memory: { n: 3 } });`;

test('what must not be is shown in words, also where the author wrote no matcher', async () => {
  const { cli } = project({
    'agent.mjs': AGENT,
    'a.test.yaml': `id: one
input: hi
assert:
  output.not_includes: said
  output.not_matches: ^s
  tools_used.excludes: [search, pay]
  memory.n: {$not: {$gte: 2}}
`,
    'b.eval.yaml': `evalcases:
  - {id: two, input: hi, evaluators: [{type: contains, value: said, negate: true}]}
`,
  });
  const { stdout } = await cli('run', '--agent', './agent.mjs');
  expect(stdout).toContain(`  output.not_includes: expected not containing "said", got "said hi"
  output.not_matches: expected not matching the pattern "^s", got "said hi"
  tools_used.excludes: expected not containing one of "search", "pay", got ["search"]
  memory.n: expected not at least 2, got 3
`);
  expect(stdout).toContain('contains: expected not "said", got "said hi"\n');
});

test('tests that used the same wrong tools fail for one reason, although their answers differ', async () => {
  const { cli } = project({
    'agent.mjs': AGENT,
    'a.test.yaml': `- {id: one, input: hi, assert: {tools_used: [pay]}}
- {id: two, input: bye, assert: {tools_used: [pay]}}
- {id: others, input: bye, assert: {tools_used: [book]}}
- {id: answer too, input: hi, assert: {tools_used: [pay], output.equals: hi}}
- {id: another answer too, input: bye, assert: {tools_used: [pay], output.equals: hi}}
`,
  });
  const { stdout } = await cli('run', '--agent', './agent.mjs');
  expect(stdout.match(/^FAIL .*/gm)).toEqual([
    'FAIL one and 1 more test, for the same reason',
    'FAIL others',
    'FAIL answer too',
    'FAIL another answer too',
  ]);
});

test('a target whose name has a comma can be chosen, and the command that reruns its test does so', async () => {
  const { cli } = project({
    'assay.config.yaml': `targets:
  - {name: 'fast, v2', provider: mock, response: no}
  - {name: slow, provider: mock, response: ok}
`,
    'a.eval.yaml': `targets: ['fast, v2', slow]
evalcases: [{id: one, input: hi, evaluators: [{type: contains, value: ok}]}]
`,
  });
  const { stdout } = await cli('run');
  const [, words] = /rerun: assay (.*)\n/.exec(stdout) ?? [];
  expect(words).toBe(String.raw`run a.eval.yaml:2 --target 'fast\, v2'`);
  const rerun = await cli(...words!.replaceAll("'", '').split(/(?<!,) /), '--reporter', 'json');
  const { results } = JSON.parse(rerun.stdout) as Report;
  expect(results.map(({ target }) => target)).toEqual(['fast, v2']);
});

test('an absolute path of an agent is shown by its place in the project; filters that leave out nothing are not shown', async () => {
  const { path, cli } = project({
    'agent.mjs': AGENT,
    'a.test.yaml': 'id: one\ninput: hi\nassert: {output.includes: said}\n',
  });
  const { stdout } = await cli('run', '--agent', join(path, 'agent.mjs'), '--reporter', 'json');
  expect((JSON.parse(stdout) as Report).results[0]!.id).toBe('a.test.yaml::one::./agent.mjs::1');
  const all = await cli('run', 'a.test.yaml:1', '--agent', './agent.mjs');
  expect(all.stdout).toContain('1 passed (1)');
  expect(all.stdout).not.toContain('left out');
});

test('an attempt that waits for others of its agent does not take longer', async () => {
  const { cli } = project({
    'agent.mjs':
      "export const agent = async () => { await new Promise((done) => setTimeout(done, 120)); return 'ok'; };",
    'assay.config.yaml':
      'targets: [{name: a, agent: ./agent.mjs}, {name: b, provider: mock, response: ok}]\n',
    'a.eval.yaml': `targets: [a, b]
evalcases:
${[1, 2, 3].map((id) => `  - {id: t${id}, input: hi, evaluators: [{type: contains, value: ok}]}\n`).join('')}`,
  });
  const { stdout } = await cli('run', '--reporter', 'json');
  const spans = (JSON.parse(stdout) as Report).results
    .filter(({ target }) => target === 'a')
    .map(({ started_at, duration_ms }) => ({ from: Date.parse(started_at), duration_ms: duration_ms! }))
    .toSorted((one, other) => one.from - other.from);
  expect(spans).toHaveLength(3);
  // The agent does one thing at a time, so no two of them overlap. Times are rounded to milliseconds.
  for (const [index, { from }] of spans.slice(1).entries())
    expect(from + 3).toBeGreaterThanOrEqual(spans[index]!.from + spans[index]!.duration_ms);
});

test('with --changed, a result from before points at the line where its test stands now', async () => {
  const { path, cli } = project({
    'agent.mjs': AGENT,
    'a.test.yaml': `- {id: bad, input: hi, assert: {output.includes: never}}
- {id: good, input: hi, assert: {output.includes: said}}
`,
  });
  const run = () => cli('run', '--agent', './agent.mjs', '--changed');
  expect((await run()).stdout).toContain('a.test.yaml:1:50\n');
  const text = readFileSync(join(path, 'a.test.yaml'), 'utf8');
  writeFileSync(join(path, 'a.test.yaml'), `# about these tests\n\n${text}`);
  const { stdout } = await run();
  expect(stdout).toContain('2 of 2 results come from the earlier run');
  expect(stdout).toContain('a.test.yaml:3:50\n');
  expect(stdout).toContain('> 3 | - {id: bad');
  expect(stdout).toContain('rerun: assay run a.test.yaml:3');
  // A filter that matches nothing leaves no run behind.
  const runs = (): number => readdirSync(join(path, '.assay', 'runs')).length;
  const before = runs();
  expect((await cli('run', '--agent', './agent.mjs', '--changed', '-t', 'nothing')).exitCode).toBe(2);
  expect(runs()).toBe(before);
  // So do reports that are made from the journal later.
  expect((await cli('report', '--reporter', 'terminal')).stdout).toContain('a.test.yaml:3:50\n');
});

test('two runs of what changed at the same time both finish', async () => {
  const { path, cli } = project({
    'agent.mjs': `import { appendFileSync, existsSync } from 'node:fs';
export const agent = async (input) => {
  appendFileSync('asked.log', input + '\\n');
  while (existsSync('wait')) await new Promise((done) => setTimeout(done, 20));
  return 'said ' + input;
};`,
    'a.test.yaml': 'id: one\ninput: hi\nassert: {output.includes: said}\n',
  });
  const run = () => cli('run', '--agent', './agent.mjs', '--changed');
  const asked = (): number => readFileSync(join(path, 'asked.log'), 'utf8').split('\n').length - 1;
  await run();
  writeFileSync(join(path, 'wait'), '');
  writeFileSync(join(path, 'a.test.yaml'), 'id: one\ninput: hello\nassert: {output.includes: said}\n');
  const first = run();
  while (asked() < 2) await sleep(20);
  const second = run();
  while (asked() < 3) await sleep(20);
  rmSync(join(path, 'wait'));
  for (const { exitCode, stdout } of await Promise.all([first, second])) {
    expect(exitCode).toBe(0);
    expect(stdout).toContain('1 passed (1)');
  }
});

test('a current folder that is gone is a clear error, and a dumb terminal gets no control sequences', async () => {
  const { path } = project({
    'agent.mjs': `export const agent = async (input) => { await new Promise((done) => setTimeout(done, 400)); return input; };`,
    'a.test.yaml': 'id: one\ninput: hi\nassert: {output.includes: hi}\n',
    'gone/x': '',
  });
  const gone = await outputOf(
    ['sh', '-c', `cd gone && rm -r ../gone && exec "${process.execPath}" "${CLI}" run`],
    path,
  );
  expect(gone).toBe('assay: the current folder no longer exists\n  hint: `cd` to a folder that does\n');
  expect(existsSync(join(path, 'gone'))).toBe(false);
  const words = [process.execPath, CLI, 'run', '--agent', './agent.mjs'];
  expect(await outputOf(inTerminal(words), path)).toContain('\u001B[');
  const dumb = await outputOf(inTerminal(words), path, { TERM: 'dumb' });
  expect(dumb).toContain('1 passed');
  expect(dumb).not.toContain('\u001B');
});

test('a terminal without a size is not erased line by line', async () => {
  const { path } = project({
    'agent.mjs': `export const agent = async () => { await new Promise((done) => setTimeout(done, 700)); return 'x'; };`,
    'a.test.yaml': '- {id: slow test with a long name, input: hi, assert: {output.equals: x}}\n',
  });
  const command = `stty cols 0; exec '${process.execPath}' '${CLI}' run --agent ./agent.mjs`;
  const shown = await outputOf(inTerminal(['/bin/sh', '-c', command]), path);
  const rows = [...shown.replaceAll('\u001B', 'ESC').matchAll(/ESC\[(\d+)F/g)].map(([, count]) =>
    Number(count),
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(Math.max(...rows)).toBeLessThan(4);
  expect(shown).toContain('slow test with a long name');
});

function outputOf(
  [program, ...args]: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawn(program!, args, {
    cwd,
    env: {
      ...process.env,
      CI: 'false',
      GITHUB_ACTIONS: undefined,
      NO_COLOR: undefined,
      TERM: 'xterm',
      ...env,
    },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => (text += more));
  return new Promise((resolve) => child.once('close', () => resolve(text)));
}
