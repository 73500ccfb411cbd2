// The pictures of the README: `npm run pictures`. Build first.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchBrowser, openPage } from '../test/web/browser.ts';
import { startFixtureServer } from '../test/web/fixture/fixture-server.ts';
import { recordRuns } from '../test/web/fixture/recorded-runs.ts';
import { makeTargetsRun, TARGETS_RUN } from '../test/web/fixture/targets-run.ts';

const FOLDER = fileURLToPath(new URL('../docs/images', import.meta.url));
const [recorded] = await recordRuns([2]);
const failed = recorded!.rows.find(({ test, verdict }) => test === 'book-berlin' && verdict === 'failed')!;
const PICTURES: Readonly<Record<string, string>> = {
  run: `#/runs/${TARGETS_RUN}`,
  targets: `#/runs/${TARGETS_RUN}/tests/tests%2Frefunds.eval.yaml/refund-after-a-week`,
  test: `#/runs/${recorded!.row.run_id}/results/${failed.index}`,
};

const server = await startFixtureServer({ runs: [recorded!, makeTargetsRun()] });
const browser = await launchBrowser();
try {
  for (const [name, link] of Object.entries(PICTURES)) {
    const { page } = await openPage(browser, `${server.url}${link}`, {
      viewport: { width: 1360, height: name === 'targets' ? 720 : 960 },
      deviceScaleFactor: 1.5,
      colorScheme: 'light',
    });
    await page.locator('.loading').waitFor({ state: 'detached' });
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(FOLDER, `${name}.png`) });
    await page.context().close();
  }
} finally {
  await browser.close();
  await server.close();
}
