import { expect, test } from 'vitest';
import { goTo, openPage } from './browser.ts';
import { HOSTILE, HOSTILE_TEXTS } from './fixture/made-runs.ts';
import { testSite } from './site.ts';

const site = testSite();

test('hostile text stays text on every page: nothing runs, nothing is requested, nothing is a link', async () => {
  const { page, problems } = await openPage(site.browser, site.server.url);
  await page.getByRole('grid', { name: 'Runs' }).waitFor();
  await goTo(page, `#/runs/${HOSTILE}`);
  await page.getByRole('grid', { name: 'Tests' }).waitFor();
  await page.getByRole('grid').getByText('<script>window.hacked = 1; alert(1)</script>').first().waitFor();
  for (const [index, text] of HOSTILE_TEXTS.entries()) {
    await goTo(page, `#/runs/${HOSTILE}/results/${index}`);
    await page.locator('details.assertion').first().waitFor();
    await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
    if (index < 5) expect(await page.getByText(text).count()).toBeGreaterThan(4);
    const file = `tests/${text}.yaml`;
    await goTo(page, `#/history?${new URLSearchParams({ file, test: text, target: text })}`);
    await page.getByRole('figure').first().or(page.getByText('No run contains this test.')).waitFor();
  }
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(await page.locator('main :is(script, img, iframe, object, embed, style, form)').count()).toBe(0);
  expect(problems).toEqual([]);
  const foreign = page.locator('a:not([href^="#/"])');
  expect(await foreign.count()).toBe(0);
  await page.context().close();
});

test('invisible characters, and those that change the direction of text, are labelled', async () => {
  const { page } = await openPage(site.browser, `${site.server.url}#/runs/${HOSTILE}/results/5`);
  const heading = page.getByRole('heading', { level: 1 });
  await heading.getByText('RLO').waitFor();
  expect(await page.title()).not.toMatch(/[\u202E\u2066\uFEFF]/);
  // A shell reads them as they are written: by number.
  const command = await page.getByRole('button', { name: /^Copy:/ }).getAttribute('aria-label');
  expect(command).not.toMatch(/[\u202E\u2066\uFEFF]/);
  expect(command).toMatch(/\\u202e|\\xe2\\x80\\xae|\\342\\200\\256/i);
  const body = await page.locator('body').innerText();
  // oxlint-disable-next-line no-control-regex
  expect(body).not.toMatch(/[\u0000-\u0008\u001b\u202A-\u202E\u2066-\u2069\u200b\ufeff]/);
  await goTo(page, `#/runs/${HOSTILE}/results/6`);
  for (const label of ['ESC', 'NUL', 'BEL', 'U+009B', 'U+D800'])
    await heading.getByText(label).first().waitFor();
  await page.context().close();
});

test('hostile text in a link is only shown', async () => {
  const query = new URLSearchParams({ q: HOSTILE_TEXTS[1]!, tag: HOSTILE_TEXTS[0]!, sort: '__proto__' });
  const { page, problems } = await openPage(site.browser, `${site.server.url}${site.links['run']}?${query}`);
  await page.getByText('No test matches.').waitFor();
  const written = await page.getByLabel('Search tests').inputValue();
  expect(written).toContain(HOSTILE_TEXTS[1]);
  expect(written).toContain('tag:"<script>');
  await goTo(page, `#/runs/${encodeURIComponent('../../etc/passwd')}`);
  await page.getByText('This run or result does not exist').waitFor();
  expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  expect(site.server.asked.filter((path) => path.includes('etc/passwd'))).toEqual([]);
  await page.context().close();
});
