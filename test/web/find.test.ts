import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { assertionRecord, attemptRecord, stepRecord } from '../attempt-record.ts';
import { createViewProject } from '../view/view-project.ts';
import { writeRun } from '../view/write-run.ts';
import { runCli } from '../project.ts';
import { violations } from './axe.ts';
import { choose, openPage, type WatchedPage } from './browser.ts';
import { viewSite } from './view-site.ts';

const project = createViewProject();
const RUN = '20260101T000000-000-0000000a';
const LARGE = '20260101T000000-000-0000000b';

const CITIES = ['Berlin', 'Zürich', 'Tokyo', 'Kraków'];

function recordOf(index: number, city = CITIES[index % 4]!) {
  const tone = ((index * 37) % 100) / 100;
  const passed = tone >= 0.5;
  return attemptRecord({
    file: `tests/${index % 2 === 0 ? 'booking' : 'refunds'}.eval.yaml`,
    test: `case-${index}`,
    target: index % 3 === 0 ? 'fast' : 'careful',
    tags: index % 2 === 0 ? ['billing'] : ['travel', 'slow'],
    verdict: passed ? 'passed' : 'failed',
    score: tone,
    metadata: { team: index % 2 === 0 ? 'payments' : 'search' },
    cost_usd: index / 1000,
    token_usage: { input: 100, output: 10 },
    duration_ms: 100 * index,
    steps: [
      stepRecord({
        input: `A flight to ${city} for ${index}`,
        output: `Booked.\nThe "gate" in ${city} is G${index}.`,
        tool_calls: [{ tool: 'book', input: { to: city, seat: `${index}A` }, output: 'ok' }],
      }),
    ],
    assertions: [
      assertionRecord({
        form: 'evaluator',
        kind: 'llm_judge',
        name: 'tone',
        score: tone,
        passed,
        judge_calls: 1,
        message: `THE-JUDGE-SAYS ${tone}`,
      }),
    ],
  });
}

function* manyRecords(count: number) {
  for (let index = 0; index < count; index++) yield recordOf(index);
}

beforeAll(async () => {
  writeRun(project.path, { run_id: RUN, records: manyRecords(24) });
  writeRun(project.path, { run_id: LARGE, records: manyRecords(20_000) });
});
const site = viewSite(project, ['--labels']);

async function open(run: string, query = ''): Promise<WatchedPage> {
  const opened = await openPage(
    site.browser,
    `${site.view.address}#/runs/${run}?q=${encodeURIComponent(query)}`,
  );
  await opened.page.getByRole('grid', { name: 'Tests' }).waitFor();
  return opened;
}

/** The machine may be busy. */
const SOON = { timeout: 20_000 };

const shownIn = (page: Page): Promise<readonly string[]> =>
  page.getByRole('grid', { name: 'Tests' }).getByRole('link').allTextContents();
const countIn = (page: Page): Promise<string | null> => page.locator('.shown-count').textContent();

test('a query can be typed with suggestions, by keyboard alone, and is part of the link', async () => {
  const { page, problems } = await open(RUN);
  const box = page.getByRole('combobox', { name: 'Search tests' });
  await page.keyboard.press('/');
  await page.keyboard.type('ver');
  await page.getByRole('option', { name: /^verdict:/ }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  expect(await box.inputValue()).toBe('verdict:');
  await page.getByRole('option', { name: 'failed' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.type('metadata.t');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.type('pay');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await box.inputValue()).toBe('verdict:failed metadata.team:payments ');
  await page.keyboard.type('-tag:slow score:<0.3');
  await expect.poll(() => shownIn(page), SOON).toEqual(['case-0', 'case-6', 'case-14', 'case-22']);
  expect(decodeURIComponent(new URL(page.url()).hash)).toContain('verdict:failed+metadata.team:payments');
  const again = await openPage(site.browser, `${site.view.address}${new URL(page.url()).hash}`);
  await expect.poll(() => countIn(again.page), SOON).toBe('4 of 24 tests');
  await again.page.context().close();

  // What is not a query says where it is wrong, and the list stays.
  await page.keyboard.type(' scroe:1');
  await page.getByText('There is no filter "scroe:". Did you mean "score:"?').waitFor();
  expect(await page.locator('.query-problem mark').textContent()).toBe('scroe:');
  expect(await box.getAttribute('aria-invalid')).toBe('true');
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect.poll(() => countIn(page), SOON).toBe('24 tests');
  expect(problems).toEqual([]);
  await page.context().close();
});

test('menus, histogram and bars edit the query, by keyboard', async () => {
  const { page, problems } = await open(RUN);
  const box = page.getByRole('combobox', { name: 'Search tests' });
  await page.getByRole('button', { name: 'Filter and sort' }).press('Enter');
  await page.getByRole('combobox', { name: 'Tag' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('listbox', { name: 'Tag' }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('t');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Home');
  await page.keyboard.press(' ');
  await page.keyboard.press('Escape');
  expect(await box.inputValue()).toBe('tag:travel,billing');
  expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toContain('Tag');
  await box.fill('');

  await page.getByRole('button', { name: 'Charts' }).click();
  const scores = page.getByRole('toolbar', { name: 'Scores' });
  const bar = scores.getByRole('button').nth(3);
  const said = (await bar.getAttribute('aria-label'))!;
  await scores.getByRole('button').first().focus();
  for (let count = 0; count < 3; count++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  expect(await box.inputValue()).toBe('score:>=0.3 score:<0.4');
  const [, count] = /: (\d+) tests?/.exec(said)!;
  await expect.poll(() => countIn(page), SOON).toBe(`${count} of 24 tests`);
  await page.keyboard.press('Enter');
  expect(await box.inputValue()).toBe('');
  await page.getByRole('toolbar', { name: 'Cost by agent' }).getByRole('button', { name: 'fast' }).click();
  expect(await box.inputValue()).toBe('target:fast');
  await choose(page, 'Usage', 'Tokens by tag');
  await page.getByRole('toolbar', { name: 'Tokens by tag' }).getByRole('button', { name: 'slow' }).click();
  await expect.poll(() => countIn(page), SOON).toBe('4 of 24 tests');
  expect(problems).toEqual([]);
  await page.context().close();
});

test('20,000 conversations are searched, with the words marked in the list and in the test', async () => {
  const { page, problems } = await open(LARGE);
  await page.getByText('20,000 tests').waitFor();
  await page.getByLabel('Search tests').fill('"the \\"GATE\\" in kraków is g19999"');
  await expect.poll(() => countIn(page), SOON).toBe('1 of 20,000 tests');
  const row = page.getByRole('row').filter({ hasText: 'case-19999' });
  await expect
    .poll(() => row.locator('mark').allTextContents(), SOON)
    .toEqual(['The "gate" in Kraków is G19999']);
  expect(await violations(page)).toEqual([]);
  await row.getByRole('link').click();
  await page.getByRole('heading', { name: 'case-19999' }).waitFor();
  await expect
    .poll(() => page.locator('mark').allTextContents(), SOON)
    .toContain('The "gate" in Kraków is G19999');
  await page.keyboard.press('Escape');
  await page.getByLabel('Search tests').fill('seat 19A');
  await page.getByText('No test matches.').waitFor({ state: 'detached' });
  await expect.poll(() => countIn(page), SOON).toMatch(/^[\d,]+ of 20,000 tests$/);
  expect(problems).toEqual([]);
  await page.context().close();
});

test('results can be labelled by keyboard, blind first, and the list, the report and judge-check use the labels', async () => {
  const { page, problems } = await open(RUN, 'case-3');
  const words = (): Promise<unknown> => page.evaluate('document.body.innerText');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'case-3' }).waitFor();
  await page.getByText('Not labelled by you').waitFor();
  expect(await words()).toContain('THE-JUDGE-SAYS');
  await page.keyboard.press('b');
  await page.getByText('are hidden until you mark this answer').waitFor();
  expect(await words()).not.toMatch(/THE-JUDGE-SAYS|Passed|Failed|0\.11/);
  expect(await words()).toContain('Kraków is G3');
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('w');
  await page.getByText('Marked as wrong').waitFor();
  expect(await words()).toContain('THE-JUDGE-SAYS');
  await page.keyboard.press('n');
  await page.keyboard.type('rude, r and w');
  await page.keyboard.press('Enter');
  const file = join(project.path, '.assay/runs', RUN, 'labels.jsonl');
  await expect.poll(() => readFileSync(file, 'utf8'), SOON).toContain('"note":"rude, r and w"');
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2);
  await page.keyboard.press('Escape');
  await page.getByText('Verdicts are hidden while you label.').waitFor();
  expect(await page.getByRole('grid').count()).toBe(0);
  await page.keyboard.press('b');
  await page.getByRole('grid').waitFor();
  await page.getByLabel('Search tests').fill('label:wrong');
  await expect.poll(() => shownIn(page), SOON).toEqual(['case-3']);
  expect(await page.getByRole('row').filter({ hasText: 'case-3' }).innerText()).toContain('Wrong');
  await page.getByLabel('Search tests').fill('label:none');
  await expect.poll(() => countIn(page), SOON).toBe('23 of 24 tests');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  // The next one without a label; and what was said can be taken back.
  await page.getByRole('grid').focus();
  await page.keyboard.press('l');
  await page.getByText('Not labelled by you').waitFor();
  await page.keyboard.press('r');
  await page.getByText('Marked as right').waitFor();
  await page.keyboard.press('u');
  await page.getByText('Not labelled by you').waitFor();
  expect(problems).toEqual([]);
  await page.context().close();

  const report = join(project.path, 'report.html');
  expect(await runCli(['report', RUN, '--html', report], { cwd: project.path })).toMatchObject({
    exitCode: 0,
  });
  const saved = await openPage(site.browser, `file://${report}#/runs/${RUN}?q=label:wrong`);
  await saved.page.getByText('1 of 24 tests').waitFor();
  await saved.page.getByLabel('Search tests').fill('KRAKO\u0301W "is g7"');
  await saved.page.getByText('1 of 24 tests').waitFor();
  await expect.poll(() => saved.page.locator('.snippet mark').allTextContents(), SOON).toContain('Kraków');
  expect(saved.problems).toEqual([]);
  await saved.page.context().close();
  const { stdout } = await runCli(['judge-check', RUN], { cwd: project.path });
  expect(stdout).toContain('tone on 1 example');
});
