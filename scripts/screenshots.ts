// Pictures of every page in both themes, narrow, usual and wide: `npm run screenshots [FOLDER]`.
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser, openPage } from '../test/web/browser.ts';
import { makeComparison } from '../test/web/fixture/comparison.ts';
import { startFixtureServer } from '../test/web/fixture/fixture-server.ts';
import { LIVE } from '../test/web/fixture/live-run.ts';
import { HOSTILE, makeHostileRun, makeHugeRun, makeLongRun } from '../test/web/fixture/made-runs.ts';
import { recordRuns } from '../test/web/fixture/recorded-runs.ts';
import { makeTargetsRun, TARGETS_RUN } from '../test/web/fixture/targets-run.ts';

const SIZES = {
  narrow: { width: 390, height: 844 },
  tablet: { width: 1024, height: 900 },
  usual: { width: 1440, height: 900 },
  wide: { width: 2560, height: 1300 },
};

const folder = process.argv[2] ?? mkdtempSync(join(tmpdir(), 'assay-screenshots-'));
mkdirSync(folder, { recursive: true });
const recorded = await recordRuns([2, 2, 1, 1, 4, 3, 1, 5, 1, 2]);
const [before, after] = [recorded.at(-2)!, recorded.at(-1)!];
const server = await startFixtureServer({
  runs: [makeLongRun(), makeHostileRun(), makeHugeRun(100_000), makeTargetsRun(), ...recorded],
  comparison: makeComparison(before, after),
});
for (let count = 0; count < 6; count++) server.live.add(count === 4 ? 'failed' : 'passed');
server.live.nowRunning(['live-7', 'live-8', 'live-9']);

const newest = after.row.run_id;
const indexOf = (test: string, verdict: string): number =>
  after.rows.find((row) => row.test === test && row.verdict === verdict)?.index ?? 0;
const name = 'file=tests%2Frefunds.eval.yaml&test=partial-refund&target=default';
const pages: Readonly<Record<string, string>> = {
  runs: '#/',
  run: `#/runs/${newest}`,
  'run-failed': `#/runs/${newest}?verdict=failed&sort=time&group=none`,
  test: `#/runs/${newest}/results/${indexOf('book-berlin', 'failed')}`,
  'test-trajectory': `#/runs/${newest}/results/${indexOf('partial-refund', 'failed')}`,
  'test-diff': `#/runs/${newest}/results/${indexOf('ledger', 'failed')}`,
  'test-error': `#/runs/${newest}/results/${indexOf('no-booking', 'error')}`,
  'test-judge': `#/runs/${newest}/results/${indexOf('tone', 'failed')}`,
  targets: `#/runs/${TARGETS_RUN}`,
  'targets-list': `#/runs/${TARGETS_RUN}?view=list`,
  'side-by-side': `#/runs/${TARGETS_RUN}/tests/tests%2Frefunds.eval.yaml/refund-after-a-week`,
  compare: `#/compare/${before.row.run_id}/${newest}`,
  pair: `#/compare/${before.row.run_id}/${newest}/test?${name}`,
  trends: '#/trends',
  history: `#/history?${name}`,
  flaky: '#/flaky',
  live: `#/runs/${LIVE}`,
  hostile: `#/runs/${HOSTILE}`,
  'hostile-test': `#/runs/${HOSTILE}/results/5`,
};

const browser = await launchBrowser();
const selected = process.argv.slice(3);
try {
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const [title, link] of Object.entries(pages)) {
        if (selected.length > 0 && !selected.includes(`${title}-${size}-${colorScheme}`)) continue;
        const { page } = await openPage(browser, `${server.url}${link}`, { viewport, colorScheme });
        await settle(page);
        await page.screenshot({ path: join(folder, `${title}-${size}-${colorScheme}.png`) });
        await page.context().close();
      }
    }
  }
} finally {
  await browser.close();
  await server.close();
}
console.log(folder);

async function settle(page: Page): Promise<void> {
  await page.locator('.loading').waitFor({ state: 'detached' });
  await page.waitForTimeout(150);
}
