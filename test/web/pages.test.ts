import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { choose, goTo, openPage, type WatchedPage } from './browser.ts';
import { startSite, type Site } from './site.ts';

let site: Site;
/** Goes from page to page: a window for each takes longer than the page. */
let walker: WatchedPage;
beforeAll(async () => {
  site = await startSite();
  walker = await openPage(site.browser, site.server.url);
});
afterAll(() => site?.close());

/** What must be seen on each page. */
const SEEN: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  runs: ['Runs', 'Pass rate', 'Choose 2 to compare'],
  run: ['tests (3 files)', 'book-berlin', /memory\.last_booking\.price: expected 74, got \d+/],
  'run, filtered': ['book-berlin', /of 21 tests/],
  'test of memory': [
    'search_flights',
    '"week": "2026-W47"',
    'last_booking',
    /expected 74, got \d+/,
    'memory.last_booking.price: 74',
  ],
  'test of tools': ['refund was called with other arguments', 'different arguments', '"amount": 120'],
  'test of structured data': ['"status": "pending"', '− Expected', '+ Actual'],
  'test with an error': ['agent error', 'BookingClient: 502 from ledger.internal'],
  'test with a judge': ['does not say when the money arrives', 'names the sum that is paid back'],
  'test that was skipped': ['the booking system has no groups yet'],
  'test that passed': ['find_booking', 'tool_trajectory'],
  comparison: [
    'A regression.',
    'New failures',
    'Fixed',
    'p = 0.021',
    'would be detected 8 times out of 10: 8.1 points',
  ],
  'test in two runs': ['Before', 'After', 'We have refunded 90 GBP', 'We have refunded 120 GBP'],
  trends: ['Latency', 'Cost', '2 runs of tests (3 files)'],
  history: ['partial-refund', 'Pass rate'],
  flaky: ['partial-refund', '1 of 2 runs'],
  'live run': ['Running: 0 of 12 attempts done'],
  'huge run': ['300 tests'],
  'long test': ['The quick brown fox', 'Show more'],
  'hostile run': ['12 results'],
  'hostile test': ['RLO'],
  'run of three targets': [
    'the gate of 70% is broken for mini and mini/short-prompt',
    'Only where they differ',
  ],
  'run of three targets, as a list': ['30 results'],
  'answers side by side': ['flagship passes', 'Differences from flagship', 'find_booking → refund'],
  nowhere: ['There is no page at this address.'],
};

test.each(Object.keys(SEEN))('%s: its link alone shows the right content, without errors', async (name) => {
  const { page, problems } = walker;
  const before = problems.length;
  // Without it, only the hash would change, and the page would not be loaded again.
  await page.goto('about:blank');
  await page.goto(`${site.server.url}${site.links[name]}`);
  for (const text of SEEN[name]!) await page.getByText(text).filter({ visible: true }).first().waitFor();
  expect(await page.locator('h1').count()).toBe(1);
  expect(await page.title()).toMatch(/ · Assay$/);
  expect(problems.slice(before)).toEqual([]);
});

describe.each([400, 2560])('at %i px', (width) => {
  test('no page scrolls sideways', async () => {
    const { page } = await openPage(site.browser, site.server.url, { viewport: { width, height: 900 } });
    const wide: string[] = [];
    for (const [name, link] of Object.entries(site.links)) {
      await goTo(page, link);
      for (const text of SEEN[name]!.slice(0, 1))
        await page.getByText(text).first().waitFor({ state: 'attached' });
      await page.locator('.loading').waitFor({ state: 'detached' });
      const content = await page.evaluate('document.documentElement.scrollWidth');
      if (Number(content) > width) wide.push(`${name}: ${String(content)}`);
    }
    expect(wide).toEqual([]);
    await page.context().close();
  });
});

test('filters, order and search are part of the link, and going back skips them', async () => {
  const { page } = await openPage(site.browser, site.server.url);
  await goTo(page, site.links['run']!);
  await page.getByRole('button', { name: /^Failed/ }).click();
  await page.getByRole('button', { name: /^Error/ }).click();
  const search = page.getByLabel('Search tests');
  expect(await search.inputValue()).toBe('verdict:failed,error');
  await search.fill('verdict:failed,error refund');
  await choose(page, 'Sort', 'Cost, high first');
  await choose(page, 'Tag', 'refunds');
  await page.keyboard.press('Escape');
  await choose(page, 'File', 'tests/refunds.eval.yaml');
  await page.keyboard.press('Escape');
  await page.getByText('By file').click();
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

test('a file can be collapsed and expanded', async () => {
  const { page } = await openPage(site.browser, `${site.server.url}${site.links['run']}`);
  const heading = page.getByRole('row').filter({ hasText: 'tests/booking.test.yaml' });
  await page.getByRole('link', { name: 'book-tokyo' }).waitFor();
  await heading.click();
  await page.getByRole('link', { name: 'book-tokyo' }).waitFor({ state: 'detached' });
  await heading.click();
  await page.getByRole('link', { name: 'book-tokyo' }).waitFor();
  await page.context().close();
});

test('two selected runs are compared, the older one first', async () => {
  const { page } = await openPage(site.browser, site.server.url);
  for (const run of [site.after, site.before])
    await page
      .getByRole('row')
      .filter({ hasText: run.row.git_revision!.slice(0, 7) })
      .getByRole('checkbox')
      .check();
  await page.getByRole('button', { name: 'Compare the chosen runs' }).click();
  await page.getByRole('heading', { name: 'Comparison' }).waitFor();
  expect(page.url()).toContain(`#/compare/${site.before.row.run_id}/${site.after.row.run_id}`);
  await page.context().close();
});

test.each([
  [401, 'Open the address that assay view printed in the terminal'],
  [404, 'It may have been deleted'],
  [500, 'The server answered with 500'],
])('a response of %i says what to do', async (status, words) => {
  site.server.failWith = status;
  const { page } = await openPage(site.browser, `${site.server.url}${site.links['run']}`);
  await page.getByText(words).waitFor();
  site.server.failWith = undefined;
  await page.context().close();
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
