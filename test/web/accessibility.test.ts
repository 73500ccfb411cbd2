import { source as AXE } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goTo, openPage } from './browser.ts';
import { startSite, type Site } from './site.ts';
import { effort } from '../effort.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
  site.server.live.add('failed');
  site.server.live.nowRunning(['one']);
});
afterAll(() => site?.close());

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

const ALL_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

async function violations(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  // By the tools of the developer: the policy of the page stays as it is.
  await page.evaluate(`window.axe ?? (() => { ${AXE} })()`);
  const only = rules === undefined ? { type: 'tag', values: ALL_RULES } : { type: 'rule', values: rules };
  const options = JSON.stringify({ runOnly: only, resultTypes: ['violations'], iframes: false });
  const found = (await page.evaluate(
    `axe.run(document, ${options}).then(({ violations }) => violations)`,
  )) as readonly Violation[];
  return found.map(
    ({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0]!.html.slice(0, 200)} ${nodes[0]!.failureSummary}`,
  );
}
