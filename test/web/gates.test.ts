import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { ResultRow, RunRow } from '../../src/base/model/page-data.ts';
import { runCli } from '../project.ts';
import { createViewProject } from '../view/view-project.ts';
import { openPage } from './browser.ts';
import { viewSite } from './view-site.ts';

const project = createViewProject({
  'all.test.yaml': `- id: wavers
  input: flaky hello
  repeats: 2
  pass_at_least: 1/2
  assert:
    output.includes: hello
`,
  'two.test.yaml': `- id: good
  input: hello
  assert: { output.includes: hello }
- id: bad
  input: hello
  assert: { output.includes: goodbye }
- id: worse
  input: hello
  assert: { output.includes: goodbye }
- id: last
  input: hello
  assert: { output.includes: hello }
`,
});
let id: string;

beforeAll(async () => {
  id = await project.run('all.test.yaml', '--max-flaky', '0', '--workers', '1');
});
const site = viewSite(project);

test('a run with a broken gate is marked as failed and names the gate, even if its test passed often enough', async () => {
  const { page, problems } = await openPage(site.browser, site.view.address);
  await page.getByText('all.test.yaml').first().waitFor();
  expect(await page.locator('[role=row] .mark-failed').count()).toBe(1);
  await page.evaluate(`location.hash = '#/runs/${id}'`);
  await page.getByText('1 of 1 tests are flaky, at most 0 allowed').waitFor();
  const head = page.getByRole('region', { name: 'Summary' });
  expect(await head.locator('.headline > .mark').getAttribute('class')).toContain('mark-failed');
  await page.getByRole('link', { name: 'wavers' }).waitFor();
  await page.getByRole('button', { name: 'Passed' }).click();
  await expect.poll(() => page.url()).toContain('verdict:passed');
  await page.getByRole('link', { name: 'wavers' }).waitFor();
  expect(problems).toEqual([]);
});

test('a green run with failed tests names the gate that allows it; the sentence has new failures and the baseline', async () => {
  const first = await project.run('two.test.yaml', '--min-pass-rate', '0.5');
  const suite = readFileSync(join(project.path, 'two.test.yaml'), 'utf8');
  writeFileSync(join(project.path, 'two.test.yaml'), suite.replace('input: hello\n', 'input: hi\n'));
  const second = await project.run('two.test.yaml', '--min-pass-rate', '0.5', '--baseline', first);
  const { page, problems } = await openPage(site.browser, site.view.address);
  await page.evaluate(`location.hash = '#/runs/${first}'`);
  const head = page.getByRole('region', { name: 'Summary' });
  await head.getByText('Passed, although 2 of 4 tests failed; the gate of 50% passed').waitFor();
  await head.getByRole('button', { name: 'Details' }).click();
  await head.getByText('Pass rate passed: 50% of attempts passed (2 of 4)').waitFor();
  expect(await head.locator('.headline > .mark').getAttribute('class')).toContain('mark-passed');
  await head.getByText('assay run two.test.yaml --agent ./agent.mjs --last-failed').waitFor();

  await page.evaluate(`location.hash = '#/runs/${second}'`);
  await head
    .getByText(
      /^Failed: 3 of 4 tests, 1 new since (?:\d\d:\d\d|yesterday); mostly output\.includes: expected "goodbye", got "You said hello"; the gate of 50% failed; worse than the baseline$/,
    )
    .waitFor();
  await head.getByText('Pass rate failed').waitFor();
  await head.getByText(/^Baseline .* failed/).waitFor();
  await head.getByRole('link', { name: 'See 1 new failure' }).click();
  const { stdout } = await runCli(['compare', first, second], { cwd: project.path });
  const sentence = stdout.slice(0, stdout.indexOf('\n'));
  expect(sentence).toMatch(/^1 new failure among 4 paired attempts/);
  await page.getByText(sentence).waitFor();
  expect(await page.locator('.headline > .mark').getAttribute('class')).toContain('mark-failed');
  // The same for one test.
  await page.getByRole('link', { name: 'good' }).click();
  await page.getByText('New failure: passed → failed').waitFor();
  expect(stdout).toContain('passed → failed');
  await page.evaluate(`location.hash = '#/runs/${second}?verdict=failed'`);
  await page.getByRole('link', { name: 'good' }).click();
  await page
    .getByText(/^Failed, new since (?:\d\d:\d\d|yesterday): output\.includes: expected "hello"/)
    .waitFor();
  expect(problems).toEqual([]);
  await page.context().close();
});

test('rows say how often a test must pass, and a run that broke off is counted by that', async () => {
  const rows = (await (await site.view.get(`/api/runs/${id}/results`)).text()).trim().split('\n');
  expect(rows.map((row) => (JSON.parse(row) as ResultRow).pass_at_least)).toEqual(['1/2', '1/2']);
  expect(rows.map((row) => (JSON.parse(row) as ResultRow).answer).toSorted()).toEqual([
    'You said flaky hello',
    'no',
  ]);
  rmSync(join(project.path, '.assay/runs', id, 'summary.json'));
  const { run } = await site.view.json<{ run: RunRow }>(`/api/runs/${id}`);
  expect(run).toMatchObject({ state: 'broken_off', summary: { passed: 1, failed: 0, flaky: 1 } });
  expect(run.gates).toBeUndefined();
  const { page } = await openPage(site.browser, `${site.view.address}#/runs/${id}`);
  await page.locator('.headline > .mark-error').waitFor();
});
