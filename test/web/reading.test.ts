import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violations } from './axe.ts';
import { choose, goTo, launchBrowser, openPage, type WatchedPage } from './browser.ts';
import { startFixtureServer, type FixtureServer } from './fixture/fixture-server.ts';
import { ARABIC, makeReadingRun, PIXEL, READING } from './fixture/reading-run.ts';

const EDITOR = {
  editor: 'vscode',
  paths: { 'tests/reading.test.yaml': '/home/me/my tests/reading.test.yaml' },
};
let server: FixtureServer;
let browser: Browser;
let watched: WatchedPage;
let page: Page;
beforeAll(async () => {
  server = await startFixtureServer({ runs: [makeReadingRun(EDITOR)] });
  browser = await launchBrowser();
  watched = await openPage(browser, server.url, { permissions: ['clipboard-read', 'clipboard-write'] });
  ({ page } = watched);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const TESTS = ['markdown', 'judged', 'crashed', 'long-talk', 'diffs'];

async function open(name: string): Promise<void> {
  await goTo(page, `#/runs/${READING}/results/${TESTS.indexOf(name)}`);
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.locator('.step').first().waitFor();
}

test('a long text without line breaks shows its start, and so does JSON in one line', async () => {
  await open('markdown');
  await page.getByText('x'.repeat(2900)).waitFor();
  await page.getByRole('button', { name: 'Show more: 889 characters left of 3889 characters' }).click();
  await page.getByText('x'.repeat(3889)).waitFor();
  await page.keyboard.press('m');
  await page.getByText('{"list":[1,1,1,1').waitFor();
  await page.getByRole('button', { name: /^Show more: 8\d\d characters left/ }).waitFor();
  await page.keyboard.press('m');
});

test('Markdown is formatted, nothing in it runs or loads, and the choice of raw text is remembered', async () => {
  await open('markdown');
  const answer = page.locator('.markdown').first();
  await answer.locator('strong').getByText('refunded 120 GBP').waitFor();
  expect(await answer.locator('table td').allTextContents()).toEqual(['0', '120', '30', '90']);
  expect(await answer.locator('ol > li').count()).toBe(2);
  expect(await answer.locator('.hljs-keyword').first().textContent()).toBe('def');
  await answer.getByText('<b>ask</b>. [Click](javascript:alert(1))').waitFor();
  const links = answer.locator('a');
  expect(await links.count()).toBe(1);
  expect(await links.getAttribute('href')).toBe('https://example.com/policy');
  expect(await links.getAttribute('rel')).toContain('noopener noreferrer');
  await answer.getByText('(https://example.com/policy)').waitFor();
  // Every picture is in the page already, and those of elsewhere are not asked for.
  const sources = await page.locator('img').evaluateAll((all) => all.map((one) => one.getAttribute('src')));
  expect(new Set(sources)).toEqual(new Set([PIXEL]));
  expect(sources).toHaveLength(4);
  await page.getByText('Image https://example.com/cat.png').waitFor();
  await page.getByText('Image data:image/svg+xml;base64').waitFor();

  await page.getByRole('button', { name: 'Raw' }).click();
  await page.getByText('We have **refunded 120 GBP** to your card.').waitFor();
  expect(await page.locator('.markdown, img, [role=tree]').count()).toBe(0);
  await page.reload();
  await page.getByText('We have **refunded 120 GBP** to your card.').waitFor();
  await page.getByRole('button', { name: 'Formatted' }).click();
  await page.locator('.markdown').first().waitFor();
  expect(watched.problems).toEqual([]);
});

test('JSON is a tree with exact numbers, every key and folds with counts, works by keyboard, and can be copied by path', async () => {
  await open('markdown');
  await page.getByText('"__proto__": "kept"').waitFor();
  await page.getByText('12345678901234567890').waitFor();
  const tree = page.getByRole('tree', { name: 'Result' }).first();
  const offers = tree.getByRole('treeitem').first();
  await offers.getByText('[ 10,000 items ]').waitFor();
  expect(await offers.getAttribute('aria-expanded')).toBe('false');
  await offers.focus();
  await page.keyboard.press('ArrowRight');
  await tree.getByText('9,900 more').waitFor();
  expect(await page.locator('*').count()).toBeLessThan(3000);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.locator('.json-bar').getByText('offers[0].price').waitFor();
  await page.getByRole('button', { name: 'Copy path' }).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('offers[0].price');
  await page.getByRole('button', { name: 'Copy value' }).click();
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('74');
  await offers.locator('.json-line').first().click();
  await tree.getByText('9,900 more').waitFor({ state: 'detached' });
});

test('right-to-left text runs from right to left, line by line; code does not', async () => {
  await open('markdown');
  const piece = page
    .locator('.piece')
    .filter({ hasText: ARABIC.slice(0, 5) })
    .first();
  expect(await piece.getAttribute('dir')).toBe('auto');
  const sides = await page.evaluate(`(() => {
    const element = [...document.querySelectorAll('.piece')].find((one) => one.textContent.startsWith(${JSON.stringify(ARABIC.slice(0, 5))}));
    const text = element.firstChild;
    const box = element.getBoundingClientRect();
    const at = (start, end) => {
      const range = document.createRange();
      range.setStart(text, start);
      range.setEnd(text, end);
      return range.getBoundingClientRect();
    };
    const lineFeed = text.textContent.indexOf('\\n');
    return {
      arabicEndsRight: Math.abs(at(0, lineFeed).right - box.right) < 2,
      firstIsRightOfLast: at(0, 1).left > at(lineFeed - 2, lineFeed - 1).left,
      englishStartsLeft: Math.abs(at(lineFeed + 1, lineFeed + 3).left - box.left) < 2,
    };
  })()`);
  expect(sides).toEqual({ arabicEndsRight: true, firstIsRightOfLast: true, englishStartsLeft: true });
  expect(await page.locator('.code-block').first().getAttribute('dir')).toBe('ltr');
});

test('a step that broke off before its claims differs from a step without claims', async () => {
  await open('crashed');
  const [first, second] = [page.locator('.step').nth(0), page.locator('.step').nth(1)];
  await first.getByText('No assertions.').waitFor();
  await second.getByText('Not checked: the step ended before its assertions.').waitFor();
  await second.getByText('BookingClient: 502').waitFor();
});

test("a judge's card has its score and threshold, rubrics, model, reference, and quotes that lead to their place", async () => {
  await open('judged');
  const card = page.locator('.judge-card');
  await card.getByText('needs 0.70').waitFor();
  await card.getByRole('img', { name: '0 of 1, needs 0.70' }).waitFor();
  await card.getByText('Judged by claude-opus-4').waitFor();
  const rubrics = card.locator('.rubric');
  expect(await rubrics.locator('.rubric-line').allTextContents()).toEqual([
    'Names the sum that is paid back sum× 21',
    'Says when the money arrives whenrequired0',
    'tonerequired0.80',
  ]);
  await rubrics.nth(2).getByRole('img', { name: '0.80 of 1, needs 0.60' }).waitFor();
  await card.getByText('within 5 days').waitFor();
  await card.getByText('not in the transcript').waitFor();
  expect(await card.getByRole('button').count()).toBe(2);
  // The quote goes over bold text in the answer.
  const marks = page.locator('.transcript mark[data-quote="We have refunded 120 GBP"]');
  expect((await marks.allTextContents()).join('')).toBe('We have refunded 120 GBP');
  await card.getByRole('button', { name: /We have refunded 120 GBP/ }).click();
  expect(await page.evaluate('document.activeElement.tagName')).toBe('MARK');
  expect(await marks.first().getAttribute('class')).toContain('is-shown');
  expect(await page.locator('.claims mark').count()).toBe(0);
});

test('a quote is found in a transcript of more than 40 entries, and axe finds nothing wrong with its list', async () => {
  await open('long-talk');
  await page.getByRole('button', { name: /hidden +sentence/ }).click();
  expect(await page.evaluate('document.activeElement.textContent')).toBe('hidden sentence');
  await page.getByRole('button', { name: /^Show more: \d+ messages left/ }).waitFor();
  expect(await page.locator('.transcript > :not(li)').count()).toBe(0);
  expect(await violations(page)).toEqual([]);
});

test('the timeline has bars for known times, parallel calls next to each other, failed ones in red, and faults', async () => {
  await open('judged');
  const table = page.locator('.waterfall table');
  const rows = table.locator('tbody tr');
  const headings = (await rows.locator('th').allTextContents()).map((text) =>
    text.replaceAll(/\s+/g, ' ').trim(),
  );
  expect(headings).toEqual([
    'Step 1',
    'model gpt-4.1',
    'tool find_booking',
    'tool check_policy',
    'model gpt-4.1fault: error 503',
    'model gpt-4.1',
    'tool refundfault: replaced by { "status": "down" }',
    'model gpt-4.1',
    'Step 2',
    'tool log_out',
  ]);
  const starts = await rows
    .locator('rect')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
  expect(Math.abs(starts[2]! - starts[3]!)).toBeLessThan(1);
  expect(starts[5]!).toBeGreaterThan(starts[4]!);
  expect(await rows.nth(4).getByRole('img', { name: 'failed' }).count()).toBe(1);
  const colour = (row: number): Promise<unknown> =>
    page.evaluate(
      `getComputedStyle(document.querySelectorAll('.waterfall tbody tr')[${row}].querySelector('rect')).fill`,
    );
  expect(await colour(4)).not.toBe(await colour(5));
  expect(await colour(6)).toBe(await colour(4));
  await rows.nth(2).getByText('≤ 210 ms').waitFor();
  await rows.nth(1).getByText('$0.0021').waitFor();
  await rows.nth(1).getByText('observed').waitFor();
  await rows.nth(9).getByText('order only').waitFor();
  expect(await rows.nth(9).locator('rect').count()).toBe(0);
  await page.getByText('model call 2: error 503').waitFor();
  await page.locator('.transcript').getByText('fault: replaced by').waitFor();
  await table.getByRole('button', { name: 'Step 2' }).press('Enter');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Step 2');
});

test('JSON is compared by path, with matchers, and the whole values can be shown', async () => {
  await open('diffs');
  const claim = page.locator('details.assertion');
  expect(await claim.locator('.change .path').allTextContents()).toEqual([
    'amount',
    'legs[0].from',
    'reviewed_by',
  ]);
  await claim.getByText('{ "$gte": 100 }').waitFor();
  await claim.getByText('3 paths differ').waitFor();
  await claim.getByRole('button', { name: 'Show full values' }).click();
  await claim.getByText('"line 17"').first().waitFor();
  await claim.getByRole('button', { name: 'Changed paths only' }).click();
  expect(await claim.locator('.change').count()).toBe(3);
});

test('a failure is copied as Markdown, and its place opens in the editor of the reader', async () => {
  await open('diffs');
  await page.getByRole('button', { name: 'Copy as Markdown' }).click();
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toContain('## Failed: diffs');
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
    'assay run tests/reading.test.yaml:2',
  );
  const link = page.locator('details.assertion').getByRole('link', { name: 'tests/reading.test.yaml:2' });
  expect(await link.getAttribute('href')).toBe('vscode://file/home/me/my%20tests/reading.test.yaml:2:1');
  await page.keyboard.press('?');
  await choose(page, 'Open files with', 'an address of your own');
  await page.getByLabel(/^Address/).fill('javascript://{path}');
  await page.getByLabel(/^Address/).press('Tab');
  await page.keyboard.press('Escape');
  await open('judged');
  expect(await page.locator('.place-link').count()).toBe(0);
  await page.keyboard.press('?');
  await choose(page, 'Open files with', 'Zed');
  await page.keyboard.press('Escape');
  await open('diffs');
  expect(await link.getAttribute('href')).toBe('zed://file/home/me/my%20tests/reading.test.yaml:2:1');
  await page.evaluate('localStorage.clear()');
});

test('axe finds nothing wrong with any of it, in light and dark, and nothing is too wide for 390 px', async () => {
  const found: string[] = [];
  for (const name of ['markdown', 'judged', 'diffs']) {
    await open(name);
    await page.emulateMedia({ colorScheme: 'light' });
    found.push(...(await violations(page)).map((violation) => `${name}: ${violation}`));
    await page.emulateMedia({ colorScheme: 'dark' });
    found.push(...(await violations(page, ['color-contrast'])).map((one) => `${name}, dark: ${one}`));
    await page.setViewportSize({ width: 390, height: 800 });
    const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
    if (width > 390) found.push(`${name} is ${width} px wide`);
    found.push(...(await violations(page, ['target-size'])).map((one) => `${name}, narrow: ${one}`));
    await page.setViewportSize({ width: 1280, height: 800 });
  }
  expect(found).toEqual([]);
  expect(watched.problems).toEqual([]);
}, 60_000);
