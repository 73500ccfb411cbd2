import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { needProgram } from '../need-program.ts';

const FLAGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** Without windows: each page of a whole browser has one, also when nobody sees it, which takes half a second of CPU time. */
const WITHOUT_WINDOWS = 'chromium-headless-shell';

/** Debian's, or the one that CHROME_PATH names. */
export function launchBrowser(): Promise<Browser> {
  const names = [WITHOUT_WINDOWS, 'chromium', 'chromium-browser', 'google-chrome'];
  const executablePath = process.env['CHROME_PATH'] ?? needProgram(names, WITHOUT_WINDOWS);
  return chromium.launch({ executablePath, args: FLAGS });
}

let shared: Promise<Browser> | undefined;

/** One for all test files of a process: a start takes longer than most tests. It ends with the process. */
export function sharedBrowser(): Promise<Browser> {
  return (shared ??= launchBrowser());
}

export async function closePages(browser: Browser | undefined): Promise<void> {
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
}

const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('policy violated: ' + event.violatedDirective + ' ' + event.blockedURI));`;

export interface WatchedPage {
  readonly page: Page;
  /** Everything that must not happen: errors, dialogs, violations of the policy, requests to elsewhere. */
  readonly problems: readonly string[];
}

export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const problems: string[] = [];
  const origin = new URL(url).origin;
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const to = new URL(request.url());
    if (to.origin !== origin && to.protocol !== 'data:') problems.push(`request to ${request.url()}`);
  });
  await page.addInitScript({ content: REPORT_VIOLATIONS });
  await page.goto(url);
  return { page, problems };
}

/** Another place of the same page. */
export async function goTo(page: Page, link: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(link)}`);
}

/** Picks an entry of a menu. */
export async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option }).click();
}
