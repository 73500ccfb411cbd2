import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { closePages, sharedBrowser } from './browser.ts';
import { makeComparison } from './fixture/comparison.ts';
import { startFixtureServer, type FixtureServer } from './fixture/fixture-server.ts';
import type { FixtureRun } from './fixture/fixture-run.ts';
import { LIVE } from './fixture/live-run.ts';
import { HOSTILE, HUGE, LONG, makeHostileRun, makeHugeRun, makeLongRun } from './fixture/made-runs.ts';
import { recordRuns } from './fixture/recorded-runs.ts';
import { makeTargetsRun, TARGETS_RUN } from './fixture/targets-run.ts';

export interface Site {
  readonly server: FixtureServer;
  readonly browser: Browser;
  /** Two runs of the fixture's tests: the agent got worse between them. */
  readonly before: FixtureRun;
  readonly after: FixtureRun;
  /** A link to each page, and to the ways it can look. */
  readonly links: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

interface SiteOptions {
  /** How many tests the huge run has. */
  readonly hugeCount?: number;
}

/** A server with every kind of run in it, and a browser, for the tests of a file. */
export function testSite(options: SiteOptions = {}): Site {
  const site = {} as Site;
  beforeAll(async () => void Object.assign(site, await startSite(options)));
  afterAll(() => site.close?.());
  return site;
}

async function startSite({ hugeCount = 300 }: SiteOptions): Promise<Site> {
  const [before, after] = (await recordRuns([1, 2])) as [FixtureRun, FixtureRun];
  const server = await startFixtureServer({
    runs: [makeLongRun(), makeHostileRun(), makeHugeRun(hugeCount), makeTargetsRun(), before, after],
    comparison: makeComparison(before, after),
  });
  const browser = await sharedBrowser();
  return {
    server,
    browser,
    before,
    after,
    links: linksOf(before, after),
    close: async () => {
      await closePages(browser);
      await server.close();
    },
  };
}

function linksOf(before: FixtureRun, after: FixtureRun): Readonly<Record<string, string>> {
  const newest = after.row.run_id;
  const pair = `${before.row.run_id}/${newest}`;
  const name = 'file=tests%2Frefunds.eval.yaml&test=partial-refund&target=default';
  const result = (test: string, verdict: string): string =>
    `#/runs/${newest}/results/${after.rows.findIndex((row) => row.test === test && row.verdict === verdict)}`;
  return {
    runs: '#/',
    run: `#/runs/${newest}`,
    'run, filtered': `#/runs/${newest}?verdict=failed&sort=time&group=none`,
    'test of memory': result('book-berlin', 'failed'),
    'test of tools': result('partial-refund', 'failed'),
    'test of structured data': result('ledger', 'failed'),
    'test with an error': result('no-booking', 'error'),
    'test with a judge': result('tone', 'failed'),
    'test that was skipped': result('group-booking', 'skipped'),
    'test that passed': result('full-refund', 'passed'),
    comparison: `#/compare/${pair}`,
    'test in two runs': `#/compare/${pair}/test?${name}`,
    trends: '#/trends',
    history: `#/history?${name}`,
    flaky: '#/flaky',
    'live run': `#/runs/${LIVE}`,
    'huge run': `#/runs/${HUGE}`,
    'long test': `#/runs/${LONG}/results/0`,
    'hostile run': `#/runs/${HOSTILE}`,
    'hostile test': `#/runs/${HOSTILE}/results/5`,
    'run of three targets': `#/runs/${TARGETS_RUN}`,
    'run of three targets, as a list': `#/runs/${TARGETS_RUN}?view=list`,
    'answers side by side': `#/runs/${TARGETS_RUN}/tests/tests%2Frefunds.eval.yaml/refund-after-a-week`,
    nowhere: '#/nowhere',
  };
}
