import { expect, test } from 'vitest';
import { openPage } from './browser.ts';
import { pagesThatScrollSideways } from './seen-pages.ts';
import { testSite } from './site.ts';

const site = testSite();

test('from the list of runs to a test and back, without a mouse', async () => {
  const { page, problems } = await openPage(site.browser, site.server.url);
  const active = page.locator('[role=row][aria-selected=true]');
  await page.getByRole('grid', { name: 'Runs' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('j');
  expect(await active.textContent()).toContain('tests (3 files)');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'tests (3 files)' }).waitFor();
  expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');

  await page.keyboard.press('/');
  await page.keyboard.type('tokyo');
  await page.keyboard.press('Enter');
  await page.getByRole('row', { name: 'book-berlin' }).waitFor({ state: 'detached' });
  await page.keyboard.press('j');
  await page.keyboard.press('ArrowDown');
  expect(await active.textContent()).toContain('book-tokyo');
  expect(await page.getByRole('grid').getAttribute('aria-activedescendant')).toBe(
    await active.getAttribute('id'),
  );
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'book-tokyo' }).waitFor();
  const first = page.url();
  await page.keyboard.press(']');
  await expect.poll(() => page.url()).not.toBe(first);
  await page.keyboard.press('[');
  await expect.poll(() => page.url()).toBe(first);

  await page.keyboard.press('Escape');
  await page.getByRole('grid', { name: 'Tests' }).waitFor();
  // Coming back, people are where they were.
  await expect.poll(() => active.textContent()).toContain('book-tokyo');
  expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('grid');
  await page.keyboard.press('Escape');
  await page.getByRole('grid', { name: 'Runs' }).waitFor();
  expect(problems).toEqual([]);
  await page.context().close();
});

test('a search loses no letter, however fast it is typed', async () => {
  const { page } = await openPage(site.browser, `${site.server.url}${site.links['run']}`);
  const field = page.getByRole('combobox', { name: 'Search tests' });
  await page.getByRole('grid', { name: 'Tests' }).waitFor();
  for (let round = 0; round < 10; round++) {
    await page.keyboard.press('/');
    await page.keyboard.type('book-tokyo');
    expect(await field.inputValue()).toBe('book-tokyo');
    await expect.poll(() => page.url()).toContain('q=book-tokyo');
    await page.keyboard.press('Escape');
    expect(await field.inputValue()).toBe('');
    await page.keyboard.press('Escape');
  }
  await page.context().close();
});

test('keys go through the tests of a list in its order', async () => {
  const { page } = await openPage(
    site.browser,
    `${site.server.url}${site.links['run']}?verdict=failed&sort=name&group=none`,
  );
  await page.getByRole('link', { name: 'book-berlin' }).click();
  await page.getByRole('heading', { name: 'book-berlin' }).waitFor();
  await page.getByText('1 of 10').waitFor();
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: 'book-tokyo' }).waitFor();
  await page.keyboard.press('k');
  await page.getByRole('heading', { name: 'book-berlin' }).waitFor();
  await page.context().close();
});

test('keys filter by verdict, change the order and go to places', async () => {
  const { page } = await openPage(site.browser, `${site.server.url}${site.links['run']}`);
  await page.getByRole('grid').waitFor();
  await page.keyboard.press('1');
  await expect.poll(() => page.url()).toContain('verdict:failed');
  await page.keyboard.press('f');
  await expect.poll(() => page.url()).toContain('group=file');
  await page.keyboard.press('0');
  await expect.poll(() => page.url()).not.toContain('verdict');
  await page.keyboard.press('c');
  await page.getByRole('heading', { name: 'Comparison' }).waitFor();
  for (const [key, heading] of [
    ['t', 'Trends'],
    ['f', 'Flaky tests'],
    ['r', 'Runs'],
  ] as const) {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
  }
  await page.context().close();
});

test('the help names the keys, and can switch them off', async () => {
  const { page } = await openPage(site.browser, site.server.url);
  await page.getByRole('grid').waitFor();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await dialog.getByText('Next row').waitFor();
  await dialog.getByRole('checkbox').uncheck();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  await page.keyboard.press('j');
  expect(await dialog.count()).toBe(0);
  expect(await page.locator('[aria-selected=true]').count()).toBe(0);
  // What everybody expects works all the same.
  await page.getByRole('grid').focus();
  await page.keyboard.press('ArrowDown');
  expect(await page.locator('[aria-selected=true]').count()).toBe(1);
  await page.context().close();
});

test('Tab reaches every control', async () => {
  const { page } = await openPage(site.browser, `${site.server.url}${site.links['run']}`);
  await page.getByRole('grid').waitFor();
  const seen = new Set<string>();
  for (let count = 0; count < 40; count++) {
    await page.keyboard.press('Tab');
    seen.add(
      String(
        await page.evaluate(
          'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent.trim()',
        ),
      ),
    );
  }
  for (const name of [
    'Runs',
    'Trends',
    'Search tests',
    'Failed 10',
    'Filter and sort',
    'Charts',
    'Details',
    'Tests',
    'Compare with another run',
  ])
    expect([...seen]).toContain(name);
  await page.context().close();
});

test('at 2560 px, no page scrolls sideways', async () => {
  expect(await pagesThatScrollSideways(site, 2560)).toEqual([]);
});
