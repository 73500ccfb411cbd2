import { beforeAll, expect, test } from 'vitest';
import { violations } from './axe.ts';
import { goTo, openPage } from './browser.ts';
import { testSite } from './site.ts';
import { effort } from '../effort.ts';

const site = testSite();
beforeAll(async () => {
  site.server.live.add('failed');
  site.server.live.nowRunning(['one']);
});

/** What depends on no theme and no width is looked at once; and what does, on pages that have all of it. */
const TELLING = new Set([
  'runs',
  'run',
  'test of memory',
  'test with an error',
  'test with a judge',
  'comparison',
  'test in two runs',
  'trends',
  'live run',
  'run of three targets',
  'answers side by side',
]);
const LOOKS = [
  { colorScheme: 'light', width: 1280, rules: undefined },
  {
    colorScheme: 'light',
    width: 400,
    rules: ['color-contrast', 'target-size', 'scrollable-region-focusable'],
  },
  { colorScheme: 'dark', width: 1280, rules: ['color-contrast'] },
] as const;

/** Every page, with every rule. */
const LOOKS_AT_ALL = effort({ short: false, long: true });

test.each(LOOKS)(
  'axe finds nothing wrong with any page: $colorScheme, $width px',
  async (look) => {
    const { colorScheme, width, rules } = look;
    const viewport = { width, height: 900 };
    const { page } = await openPage(site.browser, site.server.url, { colorScheme, viewport });
    const found: string[] = [];
    for (const [name, link] of Object.entries(site.links)) {
      if ((rules !== undefined || !LOOKS_AT_ALL) && !TELLING.has(name)) continue;
      await goTo(page, link);
      await expect.poll(() => page.url()).toContain(link);
      await page.locator('h1').waitFor();
      await page.locator('.loading').waitFor({ state: 'detached' });
      found.push(...(await violations(page, rules)).map((violation) => `${name}: ${violation}`));
    }
    expect(found).toEqual([]);
    await page.context().close();
  },
  120_000,
);

test('axe finds nothing wrong with the help, an active row and an empty list', async () => {
  const { page } = await openPage(site.browser, `${site.server.url}${site.links['run']}`);
  await page.getByRole('grid').waitFor();
  await page.keyboard.press('j');
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByLabel('Search tests').fill('no such words');
  await page.getByText('No test matches.').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.context().close();
});
