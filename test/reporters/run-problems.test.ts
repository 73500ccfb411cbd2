import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

/** Says "hi" every second time it is asked for something that is flaky; costs a dollar. */
const AGENT = `let calls = 0;
export const agent = (input) => ({ output: input === 'flaky' && calls++ % 2 ? 'no' : 'hi', cost_usd: 1 });`;
const GOOD = '- {id: good, input: a, assert: {output.equals: hi}}\n';
const BAD = '- {id: bad, input: a, assert: {output.equals: ho}}\n';
const FLAKY = '- {id: wavers, input: flaky, repeats: 2, pass_at_least: 1/2, assert: {output.equals: hi}}\n';
const REPORTS = ['markdown', 'junit', 'tap', 'github'] as const;

const projects: ReturnType<typeof createProject>[] = [];
afterAll(() => projects.forEach((project) => project.remove()));

interface Reports {
  readonly exitCode: number | null;
  readonly headline: string;
  readonly markdown: string;
  readonly junit: string;
  readonly tap: string;
  readonly github: string;
  /** What a consumer that counts for itself reads in the suite `run`. */
  readonly runCases: readonly { readonly name: string; readonly outcome: string; readonly message: string }[];
  readonly path: string;
}

async function run(suite: string, ...args: readonly string[]): Promise<Reports> {
  const project = createProject({ 'agent.mjs': AGENT, 'a.test.yaml': suite });
  projects.push(project);
  const asked = REPORTS.flatMap((name) => ['--reporter', `${name}=out/${name}`]);
  const all = ['run', '--agent', './agent.mjs', '--workers', '1', ...asked, ...args];
  const { exitCode } = await runCli(all, { cwd: project.path });
  return read(project.path, exitCode);
}

function read(path: string, exitCode: number | null): Reports {
  const text = (name: string): string => readFileSync(join(path, 'out', name), 'utf8');
  const [markdown, junit, tap, github] = REPORTS.map(text) as [string, string, string, string];
  const consumer = fileURLToPath(new URL('read-junit.py', import.meta.url));
  const suites = JSON.parse(
    execFileSync('python3', [consumer, join(path, 'out/junit')], { encoding: 'utf8' }),
  ) as { readonly name: string; readonly cases: Reports['runCases'] }[];
  const runCases = suites.find(({ name }) => name === 'run')?.cases ?? [];
  return { exitCode, headline: markdown.split('\n')[0]!, markdown, junit, tap, github, runCases, path };
}

test('a broken gate is green in no report, even if all tests pass', async () => {
  const { exitCode, headline, ...reports } = await run(GOOD + FLAKY, '--max-flaky', '0');
  expect({ exitCode, headline }).toEqual({
    exitCode: 1,
    headline: '## Assay: ❌ gate max_flaky failed, 2 of 2 passed',
  });
  const message = '1 of 1 tests are flaky, at most 0 allowed';
  expect(reports.markdown).toContain(`| ❌ | gate max_flaky failed: \`${message}\` |`);
  expect(reports.runCases).toMatchObject([{ name: 'max_flaky', outcome: 'failure', message }]);
  expect(reports.tap).toContain('\n1..3\n');
  expect(reports.tap).toContain(
    `not ok 3 - run: gate max_flaky failed\n  ---\n  message: "${message}"\n  severity: fail\n`,
  );
  expect(reports.github).toBe(`::error title=Assay%3A gate max_flaky failed::${message}\n`);
});

test('tests that fail while the gates hold are shown, and the run succeeds', async () => {
  const { exitCode, headline, runCases } = await run(GOOD + FLAKY + BAD, '--min-pass-rate', '50%');
  expect({ exitCode, headline, runCases }).toEqual({
    exitCode: 0,
    headline: '## Assay: ✅ gates passed, 1 of 3 failed',
    runCases: [],
  });
});

test('attempts that did not start, and gates they leave undecided, are not green', async () => {
  const often = '- {id: often, input: a, repeats: 3, assert: {output.equals: hi}}\n';
  const { exitCode, headline, ...reports } = await run(often, '--max-cost', '1');
  expect({ exitCode, headline }).toEqual({
    exitCode: 3,
    headline: '## Assay: ⚠️ 1 of 1 could not be measured, gate max_cost inconclusive',
  });
  expect(reports.runCases).toMatchObject([{ name: 'max_cost', outcome: 'error' }]);
  const why = /not started: only \d of 3 attempts were started/;
  expect(reports.markdown.split('\n').find((line) => line.includes('`often`'))).toMatch(why);
  expect(reports.junit).toMatch(new RegExp(`<error message="${why.source}"`));
  expect(reports.tap).toMatch(new RegExp(`message: "${why.source}"\n  severity: error`));
  expect(reports.github).toMatch(new RegExp(`often could not be measured::line 1: ${why.source}`));
});

test('a test with an undecided gate says so, even if none of its attempts failed', async () => {
  const { exitCode, ...reports } = await run(GOOD, '--repeats', 'auto', '--max-repeats', '2');
  expect(exitCode).toBe(3);
  const why = 'pass_at_least: passed 1 of 1: it takes 14 attempts to see that it passes 80% of the time';
  expect(reports.markdown).toContain(`| \`a.test.yaml:1\` | \`${why}\` |`);
  expect(reports.junit).toContain(`<error message="${why}"`);
  expect(reports.tap).toContain(`message: "${why}"`);
  expect(reports.runCases).toEqual([]);
});

test('an interrupted run is marked in each report', async () => {
  const { path } = await run(GOOD);
  const [id = ''] = readdirSync(join(path, '.assay/runs'));
  rmSync(join(path, '.assay/runs', id, 'summary.json'));
  const asked = REPORTS.flatMap((name) => [`--${name}`, `out/${name}`]);
  await runCli(['report', ...asked], { cwd: path });
  const reports = read(path, null);
  expect(reports.headline).toBe('## Assay: ⚠️ interrupted, 1 of 1 passed');
  expect(reports.runCases).toMatchObject([{ name: 'interrupted', outcome: 'error' }]);
  expect(reports.tap).toContain('not ok 2 - run: interrupted\n');
  expect(reports.github).toContain('::error title=Assay%3A interrupted::the run was interrupted');
});

test('a baseline comparison that decides the exit code is in each report, live and later', async () => {
  const { path } = await run(GOOD);
  await runCli(['baseline', 'update'], { cwd: path });
  writeFileSync(join(path, 'a.test.yaml'), GOOD.replace('good', 'another'));
  const asked = REPORTS.flatMap((name) => ['--reporter', `${name}=out/${name}`]);
  const args = ['run', '--agent', './agent.mjs', '--baseline', 'assay-baseline.json', ...asked];
  const live = read(path, (await runCli(args, { cwd: path })).exitCode);
  expect(live.exitCode).toBe(3);
  expect(live.runCases).toMatchObject([
    {
      name: 'baseline',
      outcome: 'error',
      message: expect.stringContaining('Inconclusive: 1 test could be measured before') as string,
    },
  ]);
  await runCli(['report', ...REPORTS.flatMap((name) => [`--${name}`, `out/${name}`])], { cwd: path });
  const later = read(path, null);
  expect(later.runCases).toEqual(live.runCases);
  for (const { headline, tap, github } of [live, later]) {
    expect(headline).toBe('## Assay: ⚠️ comparison inconclusive, 1 of 1 passed');
    expect(tap).toContain('not ok 2 - run: comparison inconclusive\n');
    expect(github).toContain('::error title=Assay%3A comparison inconclusive::');
  }
});
