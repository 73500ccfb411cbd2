import { expect, test } from 'vitest';
import { openPage } from './browser.ts';
import { LONG } from './fixture/made-runs.ts';
import { testSite } from './site.ts';

const COUNT = 100_000;
const site = testSite({ hugeCount: COUNT });

test('100,000 tests: the document stays small wherever the list is scrolled to, and every row can be reached', async () => {
  const { page, problems } = await openPage(
    site.browser,
    `${site.server.url}${site.links['huge run']}?sort=order&group=none`,
  );
  await page.getByText('100,000 tests', { exact: true }).waitFor();
  const grid = page.getByRole('grid');
  expect(await grid.getAttribute('aria-rowcount')).toBe(String(COUNT + 1));
  for (const share of [0.25, 0.5, 0.75, 1]) {
    await page.evaluate(`scrollTo(0, document.documentElement.scrollHeight * ${share})`);
    const name = `case-${String(Math.floor((COUNT - 1) * share)).padStart(6, '0')}`;
    if (share === 1) await page.getByText(name).waitFor();
    else await expect.poll(() => lowestShown(page)).toBeGreaterThan(COUNT * share * 0.9);
    expect(await page.locator('*').count()).toBeLessThan(2500);
  }
  await grid.focus();
  await page.keyboard.press('Home');
  await page.getByText('case-000000').waitFor();
  await page.keyboard.press('End');
  await page.getByText('case-099999').waitFor();
  expect(await page.locator('[aria-selected=true]').getAttribute('aria-rowindex')).toBe(String(COUNT + 1));
  expect(problems).toEqual([]);
  await page.context().close();
});

test('a search through 100,000 tests answers at once', async () => {
  const { page } = await openPage(site.browser, `${site.server.url}${site.links['huge run']}`);
  await page.getByText('100,000 tests', { exact: true }).waitFor();
  const search = page.getByLabel('Search tests');
  await search.fill('case-0999');
  await page.getByText('100 of 100,000 tests').waitFor();
  await search.fill('refunds pram');
  await page.getByText(/^\d+,\d+ of 100,000 tests$|^\d+ of 100,000 tests$/).waitFor();
  await search.fill('no such words');
  await page.getByText('No test matches.').waitFor();
  await page.context().close();
});

test('5 MB of output is shown in pieces', async () => {
  const { page, problems } = await openPage(site.browser, `${site.server.url}#/runs/${LONG}/results/0`);
  const more = page.getByRole('button', { name: /Show more/ });
  await more.waitFor();
  expect(String(await page.evaluate('document.body.textContent.length')).length).toBeLessThan(5);
  await more.click();
  await more.click();
  await more.click();
  await expect.poll(() => page.evaluate('document.body.textContent.length')).toBeGreaterThan(1_000_000);
  await more.click();
  await more.waitFor({ state: 'detached' });
  expect(Number(await page.evaluate('document.body.textContent.length'))).toBeGreaterThan(4_900_000);
  expect(problems).toEqual([]);
  await page.context().close();
});

test('5,000 messages are shown in pieces', async () => {
  const { page } = await openPage(site.browser, `${site.server.url}#/runs/${LONG}/results/1`);
  await page.getByRole('button', { name: /messages left/ }).waitFor();
  expect(await page.locator('.entry').count()).toBe(40);
  await page.getByRole('button', { name: /messages left/ }).click();
  expect(await page.locator('.entry').count()).toBe(120);
  await page.context().close();
});

async function lowestShown(page: Awaited<ReturnType<typeof openPage>>['page']): Promise<number> {
  const indexes = await page
    .locator('.grid-body [role=row]')
    .evaluateAll((rows) =>
      rows.map((row) =>
        Number((row as unknown as { getAttribute(name: string): string }).getAttribute('aria-rowindex')),
      ),
    );
  return Math.min(...indexes);
}
