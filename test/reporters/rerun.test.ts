import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { CLI, createProject, runCli } from '../project.ts';

const AGENT = `export const agent = () => ({ output: 'no', tools_used: [] });\n`;
const SUITE = `- id: good
  input: hi
  assert: {output.equals: "no"}
- id: bad
  input: hi
  assert: {output.equals: "yes"}
`;
const projects: { remove(): void }[] = [];
afterAll(() => projects.forEach((made) => made.remove()));

function project(files: Readonly<Record<string, string>>): string {
  const made = createProject({ 'agent.mjs': AGENT, ...files });
  projects.push(made);
  return made.path;
}

/** Runs what the program printed, as somebody who copies it into a shell. */
function inShell(
  line: string,
  cwd: string,
): Promise<{ readonly stdout: string; readonly code: number | null }> {
  const command = line.replace(/^assay/, `'${process.execPath}' '${CLI}'`);
  const child = spawn('bash', ['-c', command], { cwd, env: { ...process.env, CI: 'false', NO_COLOR: '1' } });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  return new Promise((resolve) => child.on('close', (code) => resolve({ stdout, code })));
}

function rerunLines(stdout: string): readonly string[] {
  return [...stdout.matchAll(/^ {2}rerun: (.*)$/gm)].map(([, line]) => line!);
}

function newestOptions(cwd: string): object {
  const runs = join(cwd, '.assay', 'runs');
  const newest = readdirSync(runs).toSorted().at(-1)!;
  return (JSON.parse(readFileSync(join(runs, newest, 'run.json'), 'utf8')) as { options: object }).options;
}

test('the printed command runs the one test, whatever its file is called', async () => {
  const names = [
    'my tests/a b.test.yaml',
    "it's $HOME `x` (1).test.yaml",
    '-dash.test.yaml',
    'a*b?[c].test.yaml',
    'line\nbreak.test.yaml',
    '"quoted" & ;.test.yaml',
    '#hash ##[error].test.yaml',
    'é 日本.test.yaml',
  ];
  const cwd = project(Object.fromEntries(names.map((name) => [name, SUITE])));
  const { stdout } = await runCli(['run', '.', '--agent', './agent.mjs', '--reporter', 'junit'], { cwd });
  const lines = [...stdout.matchAll(/rerun: (.*)/g)].map(([, line]) =>
    line!.replaceAll('&quot;', '"').replaceAll('&apos;', "'").replaceAll('&amp;', '&'),
  );
  expect(lines).toHaveLength(names.length);
  const again = await Promise.all(lines.map((line) => inShell(`${line} --reporter json`, cwd)));
  const files = again.map(({ stdout: printed, code }) => {
    const { results } = JSON.parse(printed) as {
      readonly results: readonly { readonly test: string; readonly file: string }[];
    };
    expect([code, ...results.map((result) => result.test)]).toEqual([1, 'bad']);
    return results[0]!.file;
  });
  expect(files.toSorted()).toEqual(names.toSorted());
});

test('the printed command keeps every option that decides the verdict', async () => {
  const cwd = project({
    'suite.test.yaml': SUITE,
    'other.yaml':
      'targets:\n  - { name: "one,two", agent: ./agent.mjs }\n  - { name: -x, agent: ./agent.mjs }\n',
  });
  const options =
    String.raw`--config other.yaml --target one\,two --repeats 2 --timeout 7500ms --retry 0 --threshold 0.65 --allow-scripts --observe --strict --no-cache --cassettes off`.split(
      ' ',
    );
  const first = await runCli(['run', 'suite.test.yaml', ...options], { cwd });
  const before = newestOptions(cwd);
  const [line] = rerunLines(first.stdout);
  const again = await inShell(line!, cwd);
  expect(rerunLines(again.stdout)).toEqual([line]);
  expect(newestOptions(cwd)).toEqual({ ...before, paths: ['suite.test.yaml:4'] });

  const both = await runCli(
    [
      'run',
      'suite.test.yaml',
      '--config',
      'other.yaml',
      '--target',
      String.raw`one\,two`,
      '--target=-x',
      '--no-observe',
    ],
    { cwd },
  );
  const lines = rerunLines(both.stdout);
  expect(lines).toHaveLength(1);
  const one = await inShell(lines[0]!, cwd);
  expect(one.code).toBe(1);
  expect(newestOptions(cwd)).toMatchObject({ target: expect.any(String) as string, observe: false });
});
