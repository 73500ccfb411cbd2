import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { ListedComparison } from '../../src/base/model/comparison.ts';
import { CLI, runCli } from '../project.ts';
import { createViewProject, killLater } from '../view/view-project.ts';
import { goTo, openPage } from './browser.ts';
import { viewSite } from './view-site.ts';

/** Costs a quarter for each step; the second step of `breaks` does not come back. */
const AGENT = `
export const agent = async (input) => {
  if (input === 'boom') throw new Error('away');
  if (input === 'slow') await new Promise((resolve) => setTimeout(resolve, 60_000));
  return { output: 'You said ' + input, cost_usd: 0.25 };
};
`;
const SUITE = `- id: same
  input: hello
  assert:
    output.includes: hello
- id: worse
  input: bye
  assert:
    output.includes: said
- id: breaks
  steps:
    - input: hello
      assert:
        output.includes: hello
    - input: boom
      assert:
        output.includes: hello
`;
const project = createViewProject({
  'agent.mjs': AGENT,
  'all.test.yaml': SUITE,
  'slow.test.yaml': SUITE.replaceAll('input: hello', 'input: slow'),
  'other.mjs': AGENT.replace("'You said ' + input", "input === 'bye' ? 'No.' : 'Hello, you said ' + input"),
});
let before: string;
let after: string;

beforeAll(async () => {
  before = await project.run('all.test.yaml');
  await runCli(['run', 'all.test.yaml', '--agent', './other.mjs'], { cwd: project.path });
  after = project.runIds().at(-1)!;
});
const site = viewSite(project);

/** The texts of the rows with a link, without the head. */
async function rowTexts(page: Page): Promise<readonly string[]> {
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
  await rows.first().waitFor();
  return (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
}

test('the table pairs runs of two targets as the banner does', async () => {
  const comparison = await site.view.json<ListedComparison>(`/api/compare?a=${before}&b=${after}`);
  expect(comparison.test_pairs).toEqual([
    {
      file: 'all.test.yaml',
      test: 'same',
      target: './other.mjs',
      before_target: './agent.mjs',
      kind: 'same',
    },
    {
      file: 'all.test.yaml',
      test: 'worse',
      target: './other.mjs',
      before_target: './agent.mjs',
      kind: 'new_failure',
    },
    {
      file: 'all.test.yaml',
      test: 'breaks',
      target: './other.mjs',
      before_target: './agent.mjs',
      kind: 'unmeasured',
    },
  ]);
  const { page, problems } = await openPage(site.browser, `${site.view.address}#/compare/${before}/${after}`);
  await page.getByText(/^1 new failure among 2 paired attempts/).waitFor();
  expect(await rowTexts(page)).toEqual([
    expect.stringMatching(/^New failure worse all.test.yaml .\/agent.mjs → .\/other.mjs/),
    expect.stringMatching(/^Not measured breaks/),
  ]);
  expect(await page.getByText(/Only in the/).count()).toBe(0);
  await page.getByRole('link', { name: 'worse' }).click();
  await page.getByRole('heading', { name: 'Output' }).waitFor();
  expect(await page.getByText('Not in this run.').count()).toBe(0);
  expect(problems).toEqual([]);
  await page.close();
});

test('the cost of finished steps counts everywhere, as in the terminal', async () => {
  const { stdout } = await runCli(['report', before], { cwd: project.path });
  expect(stdout).toContain('Cost   $0.75');
  const { page } = await openPage(site.browser, `${site.view.address}#/runs/${before}`);
  const cost = (name: string) => page.getByRole('row').filter({ hasText: name }).locator('.cell-cost');
  await cost('breaks').waitFor();
  expect(await cost('breaks').innerText()).toBe('$0.25');
  const fact = page.locator('.run-head').getByText('$0.75');
  await fact.waitFor();
  await page.getByRole('link', { name: 'breaks' }).click();
  await page.locator('.result-head').getByText('$0.25').waitFor();
  await goTo(page, '#/');
  const row = page.getByRole('row').filter({ hasText: './agent.mjs' });
  expect((await row.innerText()).includes('$0.75')).toBe(true);
  await page.close();
});

test('twenty quick changes of the URL are all followed, from the start', async () => {
  const { page, problems } = await openPage(site.browser, site.view.address);
  const headings: Record<string, string> = { '#/': 'Runs', '#/trends': 'Trends', '#/flaky': 'Flaky tests' };
  for (let round = 0; round < 20; round++) {
    const [link, heading] = Object.entries(headings)[round % 3]!;
    const from = Object.keys(headings)[(round + 1) % 3]!;
    // Before the page has started, while it draws for the first time, and right after.
    await page.goto('about:blank');
    await page.goto(`${site.view.origin}/${from}`, { waitUntil: 'commit' });
    await page.evaluate(
      `new Promise((done) => {
        const change = () => { location.hash = ${JSON.stringify(link)}; done(); };
        const look = () => document.querySelector('h1') ? (${round % 2} ? queueMicrotask(change) : change()) : setTimeout(look);
        ${round} % 4 === 3 ? change() : look();
      })`,
    );
    await page.getByRole('heading', { name: heading, exact: true }).waitFor({ timeout: 5000 });
  }
  expect(problems).toEqual([]);
  await page.close();
});

test('every view says that a run does not exist any more if it is removed while it is shown', async () => {
  const doomed = await project.run('all.test.yaml');
  const { page, problems } = await openPage(site.browser, `${site.view.address}#/runs/${doomed}`);
  await page.getByRole('link', { name: 'worse' }).waitFor();
  await goTo(page, `#/compare/${before}/${doomed}`);
  await page.getByText('No regression.').waitFor();
  rmSync(join(project.path, '.assay/runs', doomed), { recursive: true });
  for (const link of [
    `#/runs/${doomed}`,
    `#/runs/${doomed}/results/1`,
    `#/compare/${before}/${doomed}`,
    `#/compare/${doomed}/${before}/test?file=all.test.yaml&test=worse&target=.%2Fagent.mjs`,
  ]) {
    await goTo(page, link);
    await page.getByText('This run or result does not exist.').first().waitFor();
    expect(await page.getByText(/1970|no files|500/).count()).toBe(0);
    await page.getByRole('link', { name: 'Go to all runs' }).first().click();
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    expect(await page.locator(`a[href="#/runs/${doomed}"]`).count()).toBe(0);
  }
  expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  for (const path of ['', '/results', '/results/0', '/events'])
    expect((await site.view.get(`/api/runs/${doomed}${path}`)).status).toBe(404);
  for (const path of ['history?file=all.test.yaml&test=worse&target=x', 'flaky', 'runs'])
    expect((await site.view.get(`/api/${path}`)).status).toBe(200);
  expect(site.view.printed.stderr).toBe('');
  await page.close();
});

test('the page says that a run does not exist any more if it is removed while it is running', async () => {
  const known = new Set(project.runIds());
  const args = [CLI, 'run', 'slow.test.yaml', '--agent', './agent.mjs'];
  const running = killLater(spawn(process.execPath, args, { cwd: project.path, stdio: 'ignore' }));
  let doomed: string | undefined;
  await expect
    .poll(() => (doomed = project.runIds().find((id) => !known.has(id))), { timeout: 10_000 })
    .toBeDefined();
  const { page } = await openPage(site.browser, `${site.view.address}#/runs/${doomed}`);
  await page.getByText(/^Running: /).waitFor();
  rmSync(join(project.path, '.assay/runs', doomed!), { recursive: true, maxRetries: 10 });
  await page.getByText('This run or result does not exist.').waitFor();
  expect(await page.getByText(/1970|no files|Running: /).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Go to all runs' }).count()).toBe(1);
  running.kill('SIGKILL');
  await page.close();
});

/** How many pages a PDF has. */
function pageCount(pdf: Buffer): number {
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

test('a report prints what did not pass and says what is left out; a test is printed whole', async () => {
  const tests = Array.from(
    { length: 800 },
    (_, at) => `- id: t${at}\n  input: hello\n  assert:\n    output.includes: ${at < 30 ? 'bye' : 'hello'}\n`,
  );
  tests.push(
    `- id: long\n  input: ${'word '.repeat(8000)}last-word\n  assert:\n    output.includes: nothing\n`,
  );
  writeFileSync(join(project.path, 'many.test.yaml'), tests.join(''));
  await runCli(['run', 'many.test.yaml', '--agent', './agent.mjs', '--reporter', 'html=many.html'], {
    cwd: project.path,
  });
  const { page, problems } = await openPage(site.browser, `file://${join(project.path, 'many.html')}`);
  await page.getByRole('link', { name: 't0', exact: true }).waitFor();
  const pages = pageCount(await page.pdf());
  expect(pages).toBeGreaterThan(0);
  expect(pages).toBeLessThan(8);
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  await page.getByText('Printed: 31 tests that did not pass or are flaky. 770 tests that passed').waitFor();
  expect(await page.locator('.table tr').count()).toBe(32);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.setViewportSize({ width: 720, height: 900 });
  const broken = await page.evaluate(`[...document.querySelectorAll('.table thead th, .table .is-number')]
    .map((cell) => {
      const text = document.createRange();
      text.selectNodeContents(cell);
      return [cell.textContent, text.getBoundingClientRect().height];
    })
    .filter(([, height]) => height > 30)`);
  expect(broken).toEqual([]);
  expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('light');
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate("dispatchEvent(new Event('afterprint'))");
  await page.getByRole('link', { name: 'long' }).click();
  await page.getByRole('heading', { name: 'long' }).waitFor();
  await page
    .getByText(/Show more/)
    .first()
    .waitFor();
  expect(await page.getByText('last-word').count()).toBe(0);
  expect(pageCount(await page.pdf())).toBeGreaterThan(5);
  expect(await page.getByText(/Show more/).count()).toBe(0);
  expect(await page.getByText('last-word').count()).toBeGreaterThan(0);
  expect(problems).toEqual([]);
  await page.close();
});

test('a report is much smaller than its journal, and a browser that cannot decompress it gets a message', async () => {
  const journal = join(project.path, '.assay/runs', project.runIds().at(-1)!, 'results.jsonl');
  const html = readFileSync(join(project.path, 'many.html'), 'utf8');
  const packed = html.match(/<script type="application\/gzip"[^]*?<\/script>/g)!.join('').length;
  expect(packed).toBeLessThan(statSync(journal).size / 4);
  const context = await site.browser.newContext();
  const page = await context.newPage();
  await page.addInitScript('delete globalThis.DecompressionStream');
  await page.goto(`file://${join(project.path, 'many.html')}`);
  await page.getByText('This browser cannot unpack the report.').waitFor();
  await context.close();
});

test('the page shows the same commands as the terminal, and a run has its name, branch and commit', async () => {
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], { cwd: project.path });
  git('init', '-q', '-b', 'feature/x');
  git('commit', '-q', '--allow-empty', '-m', 'Make it better');
  writeFileSync(
    join(project.path, 'my.config.yaml'),
    'targets:\n  - { name: one, agent: ./agent.mjs }\n  - { name: two, agent: ./other.mjs }\n',
  );
  const config = ['--config', 'my.config.yaml', '--target'];
  const { stdout } = await runCli(['run', 'all.test.yaml', ...config, 'two', '--name', 'nightly <1>'], {
    cwd: project.path,
  });
  const id = /^Run +(\S+) {2}nightly <1>$/m.exec(stdout)![1]!;
  expect(project.runIds()).toContain(id);
  const { page } = await openPage(site.browser, `${site.view.address}#/runs/${id}`);
  for (const text of ['nightly <1>', 'feature/x', 'Make it better'])
    await page.getByText(text).first().waitFor();
  await page.getByRole('link', { name: 'worse' }).click();
  const line = /rerun: (.*all.test.yaml:5.*)/.exec(stdout)![1]!;
  await page.getByText(line, { exact: true }).waitFor();
  expect(line).toContain('--target two --config my.config.yaml');
  // A merged run has results of both targets.
  await runCli(['run', 'all.test.yaml', ...config, 'one'], { cwd: project.path });
  const other = project.runIds().at(-1)!;
  await runCli(['merge', other, id], { cwd: project.path });
  const merged = project.runIds().at(-1)!;
  await goTo(page, `#/runs/${merged}?agent=two`);
  await page.getByRole('link', { name: 'worse' }).click();
  await page.getByText(line, { exact: true }).waitFor();
  await goTo(page, '#/');
  expect((await rowTexts(page)).some((text) => /nightly <1>\s*[\d-]+ \d\d:\d\d:\d\d/.test(text))).toBe(true);
  await page.close();
});
