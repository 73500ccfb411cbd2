import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { printJson } from '../../src/base/model/print-json.ts';
import { inertJson } from '../../src/show/view/inert-json.ts';
import { inlinePage } from '../../src/show/view/inline-page.ts';
import { packedJson } from '../../src/show/view/packed-json.ts';
import type { ReadReport } from '../view/read-report.ts';
import { openPage } from './browser.ts';
import { PAGE_FOLDER } from './fixture/fixture-server.ts';
import { makeTargetsRun } from './fixture/targets-run.ts';
import { testSite } from './site.ts';

const site = testSite();
const folder = mkdtempSync(join(tmpdir(), 'assay-report-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a report opens from disk with list, test, keys, links and theme, and makes no request', async () => {
  const { row, rows, detail } = site.after;
  const details = Object.fromEntries(rows.map(({ index }) => [index, detail(index)!]));
  const url = writeReport({ run: row, rows, details });
  const { page, problems } = await openPage(site.browser, url);
  await page.getByText('21 tests', { exact: true }).waitFor();
  expect(await page.getByRole('link', { name: 'Trends' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Failed' }).click();
  await expect.poll(() => page.url()).toContain('verdict:failed');
  await page.getByRole('link', { name: 'book-berlin' }).click();
  await page.getByRole('heading', { name: 'book-berlin' }).waitFor();
  await page
    .getByText(/^expected 74, got \d+/)
    .first()
    .waitFor();
  await page.keyboard.press('t');
  const deep = await openPage(site.browser, page.url());
  await deep.page
    .getByText(/^expected 74, got \d+/)
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('10 of 21 tests', { exact: true }).waitFor();
  expect([...problems, ...deep.problems]).toEqual([]);
});

test('omitted parts are reported at the top and in their place', async () => {
  const { row, rows } = site.after;
  const url = writeReport({ run: row, rows, details: {}, cut: '105 conversations were left out.' });
  const { page } = await openPage(site.browser, url);
  await page.getByText('105 conversations were left out.').waitFor();
  await page.getByRole('link', { name: 'book-berlin' }).click();
  await page.getByText('was left out of the report').waitFor();
});

test('integers beyond 2^53 and hostile text in the file are shown unchanged', async () => {
  const { row, rows, detail } = site.after;
  const whole = detail(0)!;
  const memory = { id: 12345678901234567890n, text: '</script><script>window.hacked = 1</script><!--' };
  const steps = whole.record.steps.map((step) => ({ ...step, memory }));
  const record = { ...whole.record, steps };
  const url = writeReport({ run: row, rows, details: { 0: { ...whole, record } } });
  const { page, problems } = await openPage(site.browser, `${url}#/runs/${row.run_id}/results/0`);
  await page.getByText('12345678901234567890').filter({ visible: true }).first().waitFor();
  await page.getByText('</script><script>window.hacked = 1').filter({ visible: true }).first().waitFor();
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(problems).toEqual([]);
});

test('the reason for unknown tool calls is shown next to the conversation', async () => {
  const { row, rows, detail } = site.after;
  const { record, ...others } = detail(0)!;
  const gaps = {
    'the agent did not report them': { kind: 'missing' },
    '`tool_calls` and `output_messages` disagree': {
      kind: 'contradictory',
      at: '`tool_calls` and `output_messages`',
    },
    'parts[0] holds a call in a form that Assay does not read (tool_use)': {
      kind: 'unreadable',
      at: 'parts[0]',
      form: 'tool_use',
    },
  } as const;
  const steps = Object.values(gaps).map((trace_gap) => ({ ...record.steps[0]!, trace_gap }));
  const url = writeReport({ run: row, rows, details: { 0: { ...others, record: { ...record, steps } } } });
  const { page, problems } = await openPage(site.browser, `${url}#/runs/${row.run_id}/results/0`);
  for (const text of Object.keys(gaps)) await page.getByText(`Tool calls unknown: ${text}`).waitFor();
  expect(problems).toEqual([]);
});

test('where the evidence came from is shown, and what the agent did not report', async () => {
  const { row, rows, detail } = site.after;
  const { record, ...others } = detail(0)!;
  const step = {
    ...record.steps[0]!,
    evidence: { output: 'reported', tool_calls: 'observed', token_usage: 'observed', cost_usd: 'prices' },
    models: ['gpt-4.1'],
    model_calls: 2,
    usage_complete: false,
    unreported_calls: [{ tool: 'delete_account' }],
  } as const;
  const url = writeReport({
    run: row,
    rows,
    details: { 0: { ...others, record: { ...record, steps: [step] } } },
  });
  const { page, problems } = await openPage(site.browser, `${url}#/runs/${row.run_id}/results/0`);
  await page
    .getByText('Evidence: tools, tokens observed; cost from prices · 2 model calls · gpt-4.1 · some calls')
    .waitFor();
  await page.getByText('Not reported by the agent: delete_account').waitFor();
  expect(problems).toEqual([]);
});

test('the grid of targets and their answers are in a report too', async () => {
  const { row, rows, detail } = makeTargetsRun();
  const left = rows.find(
    ({ test: name, target }) => name === 'refund-after-a-week' && target === 'mini',
  )!.index;
  const kept = rows.filter(({ index }) => index !== left);
  const details = Object.fromEntries(kept.map(({ index }) => [index, detail(index)!]));
  const { page, problems } = await openPage(site.browser, writeReport({ run: row, rows, details }));
  await page.getByRole('grid').getByText('to Berlin on 17 November').click();
  await page.getByText('flagship and mini pass').waitFor();
  await page.locator('.side-answer ins').first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('grid').getByText('I have refunded 120 GBP for BA0982').click();
  await page.getByText('was left out of the report').waitFor();
  expect(problems).toEqual([]);
});

/** As a report is made: script, style and data in one file, with its policy. */
function writeReport({ rows, details, cut, ...head }: Omit<ReadReport, 'cut'> & { cut?: string }): string {
  const { before, after } = inlinePage(PAGE_FOLDER);
  const element = (id: string, value: object | string): string =>
    `<script type="application/json" id="${id}">${inertJson(printJson(value))}</script>`;
  const data = [
    element('assay-data', head),
    packedJson('rows', printJson(rows)),
    ...Object.entries(details).map(([index, detail]) =>
      packedJson('details', printJson({ [index]: detail }), [index]),
    ),
    cut === undefined ? '' : element('assay-cut', cut),
  ];
  const path = join(folder, `report-${String(Math.random()).slice(2)}.html`);
  writeFileSync(path, [before, ...data, after].join(''));
  return pathToFileURL(path).href;
}

test('the page has only one script and one style sheet, both small', () => {
  expect(readdirSync(join(PAGE_FOLDER, 'assets')).toSorted()).toEqual(['page.css', 'page.js']);
  expect(gzipSync(readFileSync(join(PAGE_FOLDER, 'assets/page.js'))).length).toBeLessThan(120_000);
});
