import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { choose, goTo, openPage, type WatchedPage } from './browser.ts';
import { pagesThatScrollSideways, SEEN } from './seen-pages.ts';
import { testSite } from './site.ts';

const site = testSite();
/** Goes from page to page: a window for each takes longer than the page. */
let walker: WatchedPage;
beforeAll(async () => {
  walker = await openPage(site.browser, site.server.url);
});

async function load(link: string): Promise<Page> {
  const { page } = walker;
  // Without it, only the hash would change, and the page would not be loaded again.
  await page.goto('about:blank');
  await page.goto(`${site.server.url}${link}`);
  return page;
}

test.each(Object.keys(SEEN))('%s: its link alone shows the right content, without errors', async (name) => {
  const { problems } = walker;
  const before = problems.length;
  const page = await load(site.links[name]!);
  for (const text of SEEN[name]!) await page.getByText(text).filter({ visible: true }).first().waitFor();
  expect(await page.locator('h1').count()).toBe(1);
  expect(await page.title()).toMatch(/ · Assay$/);
  expect(problems.slice(before)).toEqual([]);
});

test('a judge that cost nothing is not named beside the cost, as in the terminal', async () => {
  const page = await load(site.links['test with a judge']!);
  await page.getByText('does not say when the money arrives').first().waitFor();
  expect(await page.locator('.result-facts').textContent()).toMatch(/\$0\.\d+/);
  expect(await page.getByText('for judges').count()).toBe(0);
});

test('at 400 px, no page scrolls sideways', async () => {
  expect(await pagesThatScrollSideways(site, 400)).toEqual([]);
});

test('filters, order and search are part of the link, and going back skips them', async () => {
  const { page } = await openPage(site.browser, site.server.url);
  await goTo(page, site.links['run']!);
  await page.getByRole('button', { name: /^Failed/ }).click();
  await page.getByRole('button', { name: /^Error/ }).click();
  const search = page.getByLabel('Search tests');
  expect(await search.inputValue()).toBe('verdict:failed,error');
  await search.fill('verdict:failed,error refund');
  await page.getByRole('button', { name: 'Filter and sort' }).click();
  await choose(page, 'Sort', 'Cost, high first');
  await choose(page, 'Tag', 'refunds');
  await page.keyboard.press('Escape');
  await choose(page, 'File', 'tests/refunds.eval.yaml');
  await page.keyboard.press('Escape');
  await choose(page, 'Group', 'Not grouped');
  await expect.poll(() => new URL(page.url()).hash).toContain('group=none');
  expect(new URLSearchParams(new URL(page.url()).hash.split('?')[1]).toString()).toBe(
    new URLSearchParams({
      q: 'verdict:failed,error refund tag:refunds file:tests/refunds.eval.yaml',
      sort: 'cost',
      group: 'none',
    }).toString(),
  );
  const shown = await page.getByRole('grid').getByRole('link').allTextContents();
  expect(shown.toSorted()).toEqual(['ledger', 'no-booking', 'partial-refund', 'tone']);
  const again = await openPage(site.browser, page.url());
  await again.page.getByText('4 of 21 tests').waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Runs' }).waitFor();
  await page.context().close();
  await again.page.context().close();
});

test('grouped by file, two keys open the first failure', async () => {
  const page = await load(`${site.links['run']}?group=file`);
  await page.getByRole('link', { name: 'book-tokyo' }).waitFor();
  await page.keyboard.press('j');
  await page.locator('.grid-body [aria-selected=true]').waitFor();
  await page.keyboard.press('o');
  await expect.poll(() => page.url()).toContain('/results/');
});

test('a file can be collapsed and expanded', async () => {
  const page = await load(`${site.links['run']}?group=file`);
  const heading = page.getByRole('row').filter({ hasText: /^(Open|Closed)?tests\/booking\.test\.yaml/ });
  await page.getByRole('link', { name: 'book-tokyo' }).waitFor();
  await heading.click();
  await page.getByRole('link', { name: 'book-tokyo' }).waitFor({ state: 'detached' });
  await heading.click();
  await page.getByRole('link', { name: 'book-tokyo' }).waitFor();
});

test('two selected runs are compared, the older one first', async () => {
  const page = await load('');
  for (const run of [site.after, site.before])
    await page
      .getByRole('row')
      .filter({ hasText: run.row.git_revision!.slice(0, 7) })
      .getByRole('checkbox')
      .check();
  await page.getByRole('button', { name: 'Compare the chosen runs' }).click();
  await page.getByRole('heading', { name: 'Comparison' }).waitFor();
  expect(page.url()).toContain(`#/compare/${site.before.row.run_id}/${site.after.row.run_id}`);
});

test.each([
  [401, 'Open the address that assay view printed in the terminal'],
  [404, 'It may have been deleted'],
  [500, 'The server answered with 500'],
])('a response of %i says what to do', async (status, words) => {
  site.server.failWith = status;
  const page = await load(site.links['run']!);
  await page.getByText(words).waitFor();
  site.server.failWith = undefined;
});

test('the theme follows the system, can be switched, and is remembered', async () => {
  const { page } = await openPage(site.browser, site.server.url, { colorScheme: 'dark' });
  const background = (): Promise<unknown> =>
    page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
  expect(await background()).toBe('rgb(13, 14, 17)');
  await page.getByRole('button', { name: 'Use the light theme' }).click();
  expect(await background()).toBe('rgb(250, 250, 249)');
  await page.reload();
  expect(await background()).toBe('rgb(250, 250, 249)');
  await page.context().close();
});
