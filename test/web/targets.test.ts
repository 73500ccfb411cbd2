import { formatPercent } from '../../src/base/model/percent.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ResultRow } from '../../src/base/model/page-data.ts';
import { wilsonInterval } from '../../src/base/stats/wilson-interval.ts';
import { choose, goTo, launchBrowser, openPage } from './browser.ts';
import { runRowOf, type FixtureRun } from './fixture/fixture-run.ts';
import { startFixtureServer, type FixtureServer } from './fixture/fixture-server.ts';
import {
  HUGE_TARGETS,
  makeHugeTargetsRun,
  makeTargetsRun,
  TARGETS,
  TARGETS_RUN,
} from './fixture/targets-run.ts';

const COUNT = 20_000;
const run = makeTargetsRun();
const six = renamed(makeTargetsRun(['a', 'b', 'c', 'd', 'e', 'f']), '20261107T070000-000-00006666');
/** Each test names a target of its own. */
const names = [...new Set(run.rows.map(({ test: name }) => name))];
const apart = withRows(run.rows.filter((row) => TARGETS[names.indexOf(row.test) % 3] === row.target));
let server: FixtureServer;
let browser: Browser;
beforeAll(async () => {
  server = await startFixtureServer({ runs: [makeHugeTargetsRun(COUNT), apart, six, run] });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const linkOf = (runId: string, rest = ''): string => `${server.url}#/runs/${runId}${rest}`;

test('a run of three targets is a grid whose totals match its rows and whose cells show what happened', async () => {
  const { page, problems } = await openPage(browser, linkOf(TARGETS_RUN));
  const grid = page.getByRole('grid', { name: 'Tests by target' });
  await grid.waitFor();
  for (const target of TARGETS) {
    const own = run.rows.filter((row) => row.target === target);
    const passed = own.filter(({ verdict }) => verdict === 'passed').length;
    const measured = own.filter(({ verdict }) => verdict === 'passed' || verdict === 'failed').length;
    const { share, low, high } = wilsonInterval(passed, measured);
    const percent = (value: number | undefined): string => formatPercent(value!);
    const head = grid.getByRole('columnheader').filter({ has: page.getByText(target, { exact: true }) });
    expect(await head.textContent()).toContain(percent(share));
    expect(await head.locator('.range').getAttribute('aria-label')).toBe(
      `between ${percent(low)} to ${percent(high)}`,
    );
  }
  // A grid is not grouped, so nothing says that it is.
  await page.getByRole('button', { name: 'Filter and sort' }).click();
  await page.getByText('Problems first').first().waitFor();
  expect(await page.getByText('By reason').count()).toBe(0);
  await page.keyboard.press('Escape');
  const row = grid.getByRole('row').filter({ hasText: 'refund-after-a-week' });
  const cells = row.locator('.target-cell');
  expect(await cells.count()).toBe(3);
  const mini = (await cells.nth(1).textContent())!;
  for (const part of ['0.50', '$0.0069', '1.24 s', 'llm_judge: the fee', 'I have refunded 120 GBP'])
    expect(mini).toContain(part);
  expect(await cells.nth(1).locator('.tick-failed').count()).toBe(3);
  expect(await cells.nth(0).locator('.mark-passed').count()).toBe(1);
  // A target that broke says so, and is no failure.
  expect(
    await grid.getByRole('row').filter({ hasText: 'lost-bag' }).locator('.is-error').textContent(),
  ).toContain('ECONNREFUSED');
  expect(problems).toEqual([]);
  await page.context().close();
});

test('"only where they differ", the list and filters are each part of the link', async () => {
  const { page } = await openPage(browser, linkOf(TARGETS_RUN));
  const shown = (): Promise<readonly string[]> => page.getByRole('grid').getByRole('link').allTextContents();
  await page.getByRole('grid').waitFor();
  expect(await shown()).toHaveLength(10);
  await page.getByRole('button', { name: 'Differing 7' }).click();
  await expect.poll(shown).toHaveLength(7);
  expect(await shown()).not.toContain('pram');
  expect(page.url()).toContain('differ=yes');
  await page.getByRole('button', { name: 'Error' }).click();
  await expect.poll(shown).toEqual(['lost-bag']);
  // The whole row, not only the cell that the filter found.
  expect(await page.locator('.target-cell').count()).toBe(3);
  await page.getByRole('button', { name: 'List' }).click();
  await page.getByRole('grid', { name: 'Tests', exact: true }).waitFor();
  expect(page.url()).toContain('view=list');
  const again = await openPage(browser, page.url());
  await again.page.getByRole('grid', { name: 'Tests', exact: true }).waitFor();
  await again.page.context().close();
  await page.context().close();
});

test('tests that each name their own target are a list, without a switch', async () => {
  const { page } = await openPage(browser, linkOf(apart.row.run_id));
  await page.getByRole('grid', { name: 'Tests', exact: true }).waitFor();
  expect(apart.row.targets.length).toBeGreaterThan(1);
  expect(await page.getByRole('button', { name: 'Grid' }).count()).toBe(0);
  await page.context().close();
});

test('arrow keys move the cell, Enter opens its answers, and Escape returns to it', async () => {
  const { page, problems } = await openPage(browser, linkOf(TARGETS_RUN));
  const grid = page.getByRole('grid', { name: 'Tests by target' });
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  const active = page.locator('.target-cell[aria-selected=true]');
  expect(await active.textContent()).toContain('I have refunded 10 GBP for ZZ0000.');
  expect(await grid.getAttribute('aria-activedescendant')).toBe(await active.getAttribute('id'));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'refund-of-nothing' }).waitFor();
  await page.getByText('Differences from mini', { exact: true }).waitFor();
  await page.keyboard.press('b');
  await page.getByText('Differences from mini/short-prompt').waitFor();
  await page.keyboard.press(']');
  await expect.poll(() => page.url()).toContain('repeat=2');
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: 'book-berlin' }).waitFor();
  await page.keyboard.press('k');
  await page.keyboard.press('Escape');
  await grid.waitFor();
  await expect.poll(() => active.textContent()).toContain('I have refunded 10 GBP for ZZ0000.');
  await page.keyboard.press('d');
  await expect.poll(() => page.url()).toContain('differ=yes');
  await page.keyboard.press('v');
  await expect.poll(() => page.url()).toContain('view=list');
  expect(problems).toEqual([]);
  await page.context().close();
});

test('answers side by side show what differs from the reference, and which assertions each target meets', async () => {
  const { page, problems } = await openPage(browser, linkOf(TARGETS_RUN));
  await page.getByRole('grid').getByText('I have refunded 120 GBP for BA0982').click();
  await page.getByText('flagship passes').waitFor();
  const answers = page.locator('.side-answer');
  await expect.poll(() => answers.count()).toBe(3);
  // The cell that was opened is the reference.
  expect(await answers.nth(1).locator('ins, del').count()).toBe(0);
  expect(await answers.nth(0).locator('ins').allTextContents()).toContain('90');
  expect(await answers.nth(0).locator('del').allTextContents()).toContain('120');
  await choose(page, 'Compare with', 'Differences from flagship');
  await expect.poll(() => answers.nth(0).locator('ins, del').count()).toBe(0);
  expect(await answers.nth(1).locator('del').allTextContents()).toContain('90');
  const judge = page.getByRole('row', { name: /^llm_judge/ });
  expect(await judge.locator('.mark-passed').count()).toBe(2);
  expect(await judge.locator('.mark-failed').count()).toBe(1);
  await goTo(page, `#/runs/${TARGETS_RUN}/tests/tests%2Fbooking.eval.yaml/cancel-twice?base=mini`);
  await page.getByText('The same answer').waitFor();
  await goTo(page, `#/runs/${TARGETS_RUN}/tests/tests%2Ffaq.eval.yaml/lost-bag`);
  await page.getByText('mini/short-prompt could not be measured').waitFor();
  await page.getByText('No answer').waitFor();
  await goTo(page, `#/runs/${TARGETS_RUN}/tests/tests%2Ffaq.eval.yaml/gone`);
  await page.getByText('This run does not contain the test.').waitFor();
  expect(problems).toEqual([]);
  await page.context().close();
});

test.each([1280, 390])(
  'with six targets at %i px, nothing is hidden, and the page does not scroll sideways',
  async (width) => {
    const { page } = await openPage(browser, linkOf(six.row.run_id), { viewport: { width, height: 900 } });
    await page.getByRole('grid', { name: 'Tests by target' }).waitFor();
    const first = page.getByRole('row').filter({ hasText: 'refund-after-a-week' });
    expect(await first.locator('.target-cell').count()).toBe(6);
    await expectFits(page, width);
    // Without columns, each cell has the name of its target.
    if (width < 700) expect(await first.getByText('f', { exact: true }).isVisible()).toBe(true);
    await first.locator('.target-cell').last().click();
    await page.getByText('Differences from f').waitFor();
    expect(await page.locator('.side-answer').count()).toBe(6);
    await expectFits(page, width);
    await page.context().close();
  },
);

test('at 390 px every list shows the agent', async () => {
  const { page } = await openPage(browser, server.url, { viewport: { width: 390, height: 900 } });
  await page.getByText('flagship, mini, mini/short-prompt').filter({ visible: true }).first().waitFor();
  await goTo(page, `#/runs/${TARGETS_RUN}?view=list`);
  await page.getByRole('grid', { name: 'Tests', exact: true }).waitFor();
  expect(await page.locator('.grid-tests .grid-body .cell-agent').first().isVisible()).toBe(true);
  await goTo(page, '#/flaky');
  await page.getByRole('grid', { name: 'Flaky tests' }).waitFor();
  expect(await page.locator('.grid-flaky .cell-agent').last().isVisible()).toBe(true);
  await page.context().close();
});

test('with 20,000 tests of three targets, the document stays small, and every row can be reached', async () => {
  const { page, problems } = await openPage(browser, linkOf(HUGE_TARGETS, '?sort=order'));
  const grid = page.getByRole('grid', { name: 'Tests by target' });
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe(String(COUNT + 1));
  await grid.focus();
  await page.keyboard.press('End');
  await page.getByText(`case-${COUNT - 1}`, { exact: true }).waitFor();
  expect(await page.locator('*').count()).toBeLessThan(2500);
  await page.getByRole('button', { name: /Differing/ }).click();
  await expect.poll(async () => Number(await grid.getAttribute('aria-rowcount'))).toBeLessThan(1000);
  expect(problems).toEqual([]);
  await page.context().close();
});

async function expectFits(page: Page, width: number): Promise<void> {
  expect(Number(await page.evaluate('document.documentElement.scrollWidth'))).toBeLessThanOrEqual(width);
}

function renamed(made: FixtureRun, run_id: string): FixtureRun {
  return {
    ...made,
    row: { ...made.row, run_id, comparable: undefined, started_at: '2026-11-07T07:00:00.000Z' },
  };
}

function withRows(rows: readonly ResultRow[]): FixtureRun {
  const row = runRowOf({
    run_id: '20261106T070000-000-00000a0a',
    started_at: '2026-11-06T07:00:00.000Z',
    rows,
  });
  return { row: { ...row, comparable: undefined }, description: {}, rows, detail: () => undefined };
}
