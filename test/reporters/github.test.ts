import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';
import { naughtyProject } from './naughty-suite.ts';

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

/** A project in a folder of a repository, as a monorepo has it. */
function repository(files: Readonly<Record<string, string>>) {
  const inside = Object.fromEntries(Object.entries(files).map(([name, text]) => [`pkg/${name}`, text]));
  const project = createProject({ ...inside, 'pkg/package.json': '{}' });
  cleanUps.push(() => project.remove());
  const cwd = join(project.path, 'pkg');
  const stepSummary = join(project.path, 'summary.md');
  writeFileSync(stepSummary, '');
  const env = {
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKSPACE: project.path,
    GITHUB_STEP_SUMMARY: stepSummary,
  };
  return {
    assay: (args: readonly string[], more: Record<string, string> = {}) =>
      runCli(args, { cwd, env: { ...env, ...more } }),
    summary: () => readFileSync(stepSummary, 'utf8'),
    stepSummary,
  };
}

const AGENT = 'export const agent = (input) => ({ output: input, memory: {} });';
const RUN = ['run', '--agent', './agent.mjs'];
const FAILING = 'input: hello\nassert:\n  output.equals: "a: b, 100%"\n  output.includes: x\n';

/** What GitHub's runner makes of a log: it takes lines that begin with `::` apart, and undoes the escapes. */
function readCommands(log: string) {
  const undo = (text: string, isProperty: boolean) => {
    const data = text.replaceAll('%0D', '\r').replaceAll('%0A', '\n');
    return (isProperty ? data.replaceAll('%3A', ':').replaceAll('%2C', ',') : data).replaceAll('%25', '%');
  };
  return log.split('\n').flatMap((line) => {
    const match = /^\s*::(\w+)(?: ([^:]*))?::(.*)$/.exec(line);
    if (match === null) return [];
    const properties = (match[2] ?? '').split(',').map((pair) => {
      const [name, ...value] = pair.split('=');
      return [name, undo(value.join('='), true)];
    });
    return [{ command: match[1], ...Object.fromEntries(properties), message: undo(match[3]!, false) }];
  });
}

describe('annotations', () => {
  test('are automatic, at the line of the file, below the readable report', async () => {
    const { assay, summary } = repository({ 'agent.mjs': AGENT, 'a.test.yaml': FAILING });
    const { stdout, exitCode } = await assay(RUN);
    expect(exitCode).toBe(1);
    expect(readCommands(stdout)).toEqual([
      {
        command: 'error',
        file: 'pkg/a.test.yaml',
        line: '3',
        col: '18',
        title: 'a failed',
        message:
          'line 3: output.equals: expected "a: b, 100%", got "hello"\nline 4: output.includes: expected "x", got "hello"',
      },
    ]);
    expect(stdout.indexOf('Tests  1 failed')).toBeLessThan(stdout.indexOf('::error'));
    expect(summary()).toContain('## Assay: ❌ 1 of 1 failed');
  });

  test('go to stderr if stdout is read by a program', async () => {
    const { assay } = repository({ 'agent.mjs': AGENT, 'a.test.yaml': FAILING });
    const { stdout, stderr } = await assay([...RUN, '--reporter', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ exit_code: 1 });
    expect(readCommands(stderr)).toMatchObject([{ command: 'error', line: '3' }]);
  });

  test('show findings as errors and warnings, also for problems before the run', async () => {
    const { assay } = repository({
      'agent.mjs': AGENT,
      'a.test.yaml': 'input: hello\nassert:\n  output.contians: hello\n',
      'b.test.yaml': 'input: hello\nassert:\n  memory.a.b: null\n',
    });
    const { stdout } = await assay(RUN);
    expect(readCommands(stdout)).toMatchObject([
      { command: 'error', file: 'pkg/a.test.yaml', line: '3', title: 'Assay: unknown_assertion' },
      { command: 'warning', file: 'pkg/b.test.yaml', line: '3', title: 'Assay: absent_path' },
    ]);
    const stopped = await assay(['run', '--agent', './nothing.mjs']);
    expect(readCommands(stopped.stdout)).toMatchObject([{ command: 'error', title: 'Assay: run_stopped' }]);
  });

  test('are limited to ten per kind, as GitHub shows, and the others are counted', async () => {
    const tests = Array.from(
      { length: 23 },
      (_, index) => `- {id: t${index}, input: x, assert: {output.equals: y${index}}}\n`,
    );
    const { assay } = repository({ 'agent.mjs': AGENT, 'a.test.yaml': tests.join('') });
    const commands = readCommands((await assay(RUN)).stdout);
    expect(commands.map(({ command }) => command)).toEqual([...Array<string>(10).fill('error'), 'notice']);
    expect(commands.at(-1)!.message).toContain('13 more errors');
  });

  test('are merged for tests that fail for the same reason, with their names', async () => {
    const tests = [
      ...Array.from(
        { length: 14 },
        (_, index) => `- {id: t${index}, input: x, assert: {output.equals: y}}\n`,
      ),
      '- {id: other, input: x, assert: {output.equals: z}}\n',
    ];
    const { assay, summary } = repository({ 'agent.mjs': AGENT, 'a.test.yaml': tests.join('') });
    const commands = readCommands((await assay(RUN)).stdout);
    expect(commands).toMatchObject([
      { command: 'error', line: '1', title: 't0 and 13 more tests failed' },
      { command: 'error', line: '15', title: 'other failed' },
    ]);
    expect(commands[0]!.message).toMatch(/same problem in:\nt1 \(a\.test\.yaml:2\)\n[^]*\nand 3 more$/);
    expect(summary().match(/<details>/g)).toHaveLength(2);
    for (let index = 0; index < 14; index++) expect(summary()).toContain(`| \`t${index}\` |`);
  });

  test('merge writes only the summary, since the runs had annotations; report writes nothing unless requested', async () => {
    const { assay, summary, stepSummary } = repository({ 'agent.mjs': AGENT, 'a.test.yaml': FAILING });
    await assay(RUN);
    writeFileSync(stepSummary, '');
    const merged = await assay(['merge', 'latest']);
    expect(readCommands(merged.stdout + merged.stderr)).toEqual([]);
    expect(summary()).toContain('1 of 1 failed');
    expect(readCommands((await assay(['merge', 'latest', '--reporter', 'github'])).stdout)).toHaveLength(1);
    writeFileSync(stepSummary, '');
    expect(readCommands((await assay(['report'])).stdout)).toEqual([]);
    expect(summary()).toBe('');
    expect(readCommands((await assay(['report', '--github', '-'])).stdout)).toHaveLength(1);
  });
});

test('text of a test or an agent never becomes a command', async () => {
  const { assay } = repository(naughtyProject());
  const { stdout, stderr } = await assay(['run', 'suites', '--agent', './agent.mjs']);
  const commands = readCommands(stdout + stderr);
  expect(commands.length).toBe(13);
  for (const { command, title, file } of commands) {
    expect(['error', 'warning', 'notice']).toContain(command);
    expect(title).toMatch(/^Assay|failed$|could not be measured$/);
    if (file !== undefined) expect(file).toMatch(/^pkg\/suites\/\w+\.test\.(?:json|yaml)$/);
  }
  // oxlint-disable-next-line no-control-regex
  expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  expect(stdout).not.toMatch(/##\[/);
});

describe('the step summary', () => {
  test("is appended, and the file never exceeds GitHub's limit of one megabyte", async () => {
    const long = 'x'.repeat(280);
    const tests = Array.from({ length: 1500 }, (_, index) => ({
      id: `t${index} ${long}`,
      input: Array.from({ length: 12 }, () => long).join('\n'),
      assert: { 'output.equals': `y${index}` },
    }));
    const { assay, summary, stepSummary } = repository({
      'agent.mjs': AGENT,
      'a.test.json': JSON.stringify(tests),
    });
    writeFileSync(stepSummary, `before ${'b'.repeat(500_000)}\n`);
    await assay(RUN);
    expect(summary()).toMatch(/^before b+\n## Assay: ❌ 1500 of 1500 failed/);
    const bytes = Buffer.byteLength(summary());
    expect(bytes).toBeLessThanOrEqual(1024 * 1024);
    expect(bytes).toBeGreaterThan(900_000);
    expect(summary()).toMatch(/_The details of \d+ of them are left out/);
  });

  test('that cannot be written is reported without changing the exit code', async () => {
    const { assay, stepSummary } = repository({
      'agent.mjs': AGENT,
      'a.test.yaml': 'input: x\nassert: {output.equals: x}\n',
    });
    const { stderr, exitCode } = await assay(RUN, { GITHUB_STEP_SUMMARY: `${stepSummary}/no/such` });
    expect(stderr).toContain('assay: the step summary cannot be written');
    expect(exitCode).toBe(0);
  });
});
