import { goTo, openPage } from './browser.ts';
import type { Site } from './site.ts';

/** What must be seen on each page. */
export const SEEN: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  runs: ['Runs', 'Pass rate', 'Choose 2 to compare'],
  run: ['tests (3 files)', 'book-berlin', /memory\.last_booking\.price: expected 74, got \d+/],
  'run, filtered': ['book-berlin', /of 21 tests/],
  'test of memory': [
    'search_flights',
    '"week": "2026-W47"',
    'last_booking',
    /expected 74, got \d+/,
    'memory.last_booking.price: 74',
  ],
  'test of tools': ['refund was called with other arguments', 'different arguments', '"amount": 120'],
  'test of structured data': ['"status": "pending"', '− Expected', '+ Actual'],
  'test with an error': ['agent error', 'BookingClient: 502 from ledger.internal'],
  'test with a judge': ['does not say when the money arrives', 'names the sum that is paid back'],
  'test that was skipped': ['the booking system has no groups yet'],
  'test that passed': ['find_booking', 'tool_trajectory'],
  comparison: [
    'Regression: the overall pass rate dropped',
    'New failures',
    'Fixed',
    'p = 0.0213',
    'would be detected 8 times out of 10: 8.1 points',
  ],
  'test in two runs': ['Before', 'After', 'We have refunded 90 GBP', 'We have refunded 120 GBP'],
  trends: ['Latency', 'Cost', '2 runs of tests (3 files)'],
  history: ['partial-refund', 'Pass rate'],
  flaky: ['partial-refund', '1 of 2 runs'],
  'live run': ['Running: 0 of 12 attempts done'],
  'huge run': ['300 tests'],
  'long test': ['The quick brown fox', 'Show more'],
  'hostile run': ['12 results'],
  'hostile test': ['RLO'],
  'run of three targets': ['the gate of 70% failed for mini and mini/short-prompt', 'Differing'],
  'run of three targets, as a list': ['30 results'],
  'answers side by side': ['flagship passes', 'Differences from flagship', 'find_booking → refund'],
  nowhere: ['There is no page at this address.'],
};

/** Those that are wider than a window of this width. */
export async function pagesThatScrollSideways(site: Site, width: number): Promise<readonly string[]> {
  const { page } = await openPage(site.browser, site.server.url, { viewport: { width, height: 900 } });
  const wide: string[] = [];
  for (const [name, link] of Object.entries(site.links)) {
    await goTo(page, link);
    for (const text of SEEN[name]!.slice(0, 1))
      await page.getByText(text).first().waitFor({ state: 'attached' });
    await page.locator('.loading').waitFor({ state: 'detached' });
    const content = await page.evaluate('document.documentElement.scrollWidth');
    if (Number(content) > width) wide.push(`${name}: ${String(content)}`);
  }
  await page.context().close();
  return wide;
}
