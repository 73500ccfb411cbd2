import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import type { ResultRow, RunRow } from '../../src/model/page-data.ts';
import { createViewProject, killStarted, startView, type RunningView } from '../view/view-project.ts';
import { launchBrowser, openPage } from './browser.ts';

const project = createViewProject({
  'all.test.yaml': `- id: wavers
  input: flaky hello
  repeats: 2
  pass_at_least: 1/2
  assert:
    output.includes: hello
`,
});
let browser: Browser;
let view: RunningView;
let id: string;

beforeAll(async () => {
  id = await project.run('--max-flaky', '0', '--workers', '1');
  [browser, view] = await Promise.all([launchBrowser(), startView(project.path)]);
});
afterAll(killStarted);
afterAll(async () => {
  await browser?.close();
  await view?.stop();
  project.remove();
});

test('a run whose gate is broken is marked as failed and says which; its test passed as often as it must', async () => {
  const { page, problems } = await openPage(browser, view.address);
  await page.getByText('all.test.yaml').first().waitFor();
  expect(await page.locator('[role=row] .mark-failed').count()).toBe(1);
  await page.evaluate(`location.hash = '#/runs/${id}'`);
  await page.getByText('1 of 1 tests are flaky, at most 0 allowed').waitFor();
  const head = page.getByRole('region', { name: 'Summary' });
  expect(await head.locator('.run-result > .mark').getAttribute('class')).toContain('mark-failed');
  await page.getByRole('link', { name: 'wavers' }).waitFor();
  await page.getByRole('button', { name: 'Passed' }).click();
  await expect.poll(() => page.url()).toContain('verdict:passed');
  await page.getByRole('link', { name: 'wavers' }).waitFor();
  expect(problems).toEqual([]);
});

test('rows say how often a test must pass, and a run that broke off counts by it', async () => {
  const rows = (await (await view.get(`/api/runs/${id}/results`)).text()).trim().split('\n');
  expect(rows.map((row) => (JSON.parse(row) as ResultRow).pass_at_least)).toEqual(['1/2', '1/2']);
  rmSync(join(project.path, '.assay/runs', id, 'summary.json'));
  const { run } = await view.json<{ run: RunRow }>(`/api/runs/${id}`);
  expect(run).toMatchObject({ state: 'broken_off', summary: { passed: 1, failed: 0, flaky: 1 } });
  expect(run.gates).toBeUndefined();
  const { page } = await openPage(browser, `${view.address}#/runs/${id}`);
  await page.locator('.run-result > .mark-error').waitFor();
});
