import { expect, test } from 'vitest';
import { openPage } from './browser.ts';
import { testSite } from './site.ts';

const site = testSite();

test('a running run is followed: progress, running tests, failures as they come, and its end', async () => {
  const { live } = site.server;
  live.add('passed');
  const { page, problems } = await openPage(site.browser, `${site.server.url}${site.links['live run']}`);
  await page.getByText('Running: 1 of 12 attempts done').waitFor();
  live.nowRunning(['slow-one', 'slow-two']);
  const running = page.getByRole('region', { name: 'Running now' });
  await running.getByText('slow-one').waitFor();
  live.add('failed');
  await page.getByText('2 of 12 attempts done, 1 test failed').waitFor();
  expect(await running.getByRole('status').textContent()).toBe('10% done, 1 test failed');
  // What failed comes first, although it came last.
  await page.getByRole('grid').getByText('output.includes').waitFor();
  expect(await page.getByRole('grid').getByRole('link').allTextContents()).toEqual(['live-2', 'live-1']);
  await running.getByText('Time left not known yet').waitFor();
  live.add('passed');
  await page.getByText('3 tests').waitFor();
  await running.getByText('About 2 minutes left').waitFor();
  live.end();
  await running.waitFor({ state: 'detached' });
  await page.getByText(/^Failed: 1 of 3 tests/).waitFor();
  expect(problems).toEqual([]);
  await page.context().close();
});
