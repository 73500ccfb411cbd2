import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RunDirectory } from '../../src/runs/journal/run-directory.ts';
import { createRedactor } from '../../src/base/match/redact-secrets.ts';
import { createHtmlReport, type HtmlReportOptions } from '../../src/show/view/html-report.ts';
import { PageError } from '../../src/show/view/inline-page.ts';
import { ViewServer } from '../../src/show/view/view-server.ts';
import { launchBrowser } from '../web/browser.ts';
import { readReport, type ReadReport } from './read-report.ts';
import { createViewProject } from './view-project.ts';

const HOSTILE = '</script><script>document.title="owned"</script><!--\u2028<img src=x onerror=alert(1)>';

/** As Vite writes it: what is asked for has fixed names, and the script holds what could end its element. */
const PAGE = {
  'index.html': `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Stub</title>
    <link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E" />
    <script type="module" crossorigin src="./assets/page.js"></script>
    <link rel="stylesheet" crossorigin href="./assets/page.css">
  </head>
  <body>
    <div id="page"></div>
  </body>
</html>
`,
  'assets/page.js': `
const data = document.querySelector('#assay-data');
const shown = data === null ? await (await fetch('/api/runs')).text() : data.textContent;
document.querySelector('#page').textContent = shown;
globalThis.tricks = ['</script>', '<!--', '$&'];
`,
  'assets/page.css': `#page { color: rgb(1, 2, 3); } #page::after { content: '</style>'; }`,
};

const project = createViewProject({
  'hostile.test.json': JSON.stringify([
    { id: HOSTILE, description: HOSTILE, input: HOSTILE, assert: { 'output.includes': 'nothing' } },
    { id: 'fine', input: 'hello', assert: { 'output.includes': 'hello' } },
  ]),
});
const webFolder = join(project.path, 'web');
const options: HtmlReportOptions = { projectRoot: project.path, redactor: createRedactor({}), webFolder };
let run: RunDirectory;
let browser: Browser;

beforeAll(async () => {
  mkdirSync(join(webFolder, 'assets'), { recursive: true });
  for (const [name, text] of Object.entries(PAGE)) writeFileSync(join(webFolder, name), text);
  run = new RunDirectory(join(project.path, '.assay/runs', await project.run()));
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  project.remove();
});

test('one file has the run, its rows and its details', async () => {
  const { html, embedded } = await report();
  expect(embedded.run).toMatchObject({ run_id: run.runId, state: 'ended', summary: { tests: 7 } });
  expect(embedded.rows.map(({ test: name }) => name)).toEqual([
    'good',
    'bad',
    'sometimes',
    'broken',
    'later',
    HOSTILE,
    'fine',
  ]);
  expect(Object.keys(embedded.details)).toHaveLength(7);
  expect(embedded.details[1]).toMatchObject({
    record: { test: 'bad', verdict: 'failed' },
    sources: [{ file: 'all.test.yaml', has_changed: false }],
  });
  expect(embedded.cut).toBeUndefined();
  expect(html).not.toMatch(/\b(?:src|href)="(?!data:)/);
  // Whoever gets the file does not learn where the files are on this machine.
  expect(Object.values(embedded.details).filter(({ editor }) => editor !== undefined)).toEqual([]);
});

test('its content security policy allows exactly its own script and style', async () => {
  const { html } = await report();
  const [, policy] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)!;
  const [, script] = /<script type="module">([\s\S]*?)<\/script>/.exec(html)!;
  const [, style] = /<style>([\s\S]*?)<\/style>/.exec(html)!;
  const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  expect(policy).toBe(
    `default-src 'none'; script-src ${hash(script!)}; style-src ${hash(style!)}; img-src data:; base-uri 'none'; form-action 'none'`,
  );
  expect(html.indexOf('charset="utf-8"')).toBeLessThan(html.indexOf('Content-Security-Policy'));
  expect(html.indexOf('Content-Security-Policy')).toBeLessThan(html.indexOf('<style>'));
});

test('in a browser it opens from disk, runs only its own script, and makes no request', async () => {
  const { file, embedded } = await report();
  const page = await browser.newPage();
  const asked: string[] = [];
  const problems: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(pathToFileURL(file).href);
  await page.waitForFunction('globalThis.tricks !== undefined');
  expect(await page.evaluate('globalThis.tricks')).toEqual(['</script>', '<!--', '$&']);
  const { run: shown, description } = embedded;
  expect(JSON.parse((await page.textContent('#page'))!)).toEqual({ run: shown, description });
  expect(await page.evaluate("getComputedStyle(document.querySelector('#page')).color")).toBe('rgb(1, 2, 3)');
  expect(await page.title()).toBe('Stub');
  expect(await page.locator('img').count()).toBe(0);
  expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([pathToFileURL(file).href]);
  expect(problems).toEqual([]);
  await page.close();
});

test('what does not fit is left out and reported: first details of passed tests, then of failed ones, rows last', async () => {
  const whole = await report();
  const size = statSync(whole.file).size;
  const names = (details: ReadReport['details']): string[] =>
    Object.values(details).map(({ record }) => record.verdict);

  const less = await report({ maxBytes: size - 300 });
  expect(statSync(less.file).size).toBeLessThanOrEqual(size - 300);
  expect(less.embedded.rows).toEqual(whole.embedded.rows);
  expect(
    names(less.embedded.details).filter((verdict) => verdict === 'failed' || verdict === 'error'),
  ).toHaveLength(3);
  expect(names(less.embedded.details).length).toBeLessThan(7);
  expect(less.embedded.cut).toMatch(
    /^Left out to keep this file small: the details of \d results? that passed/,
  );
  expect(less.embedded.cut).toContain(`\`assay view ${run.runId}\` shows everything.`);

  const blocks = whole.html.match(/<script type="application\/gzip"[^]*?<\/script>\n/g)!;
  const bare = size - blocks.join('').length;
  // Room for nearly all rows: the note takes 1000 bytes, and a row may get a longer verdict.
  const few = await report({ maxBytes: bare + 1000 + blocks[0]!.length + 100 });
  expect(few.embedded.details).toEqual({});
  expect(few.embedded.rows.length).toBeGreaterThan(0);
  expect(few.embedded.rows.length).toBeLessThan(7);
  expect(few.embedded.rows.some(({ verdict }) => verdict === 'failed' || verdict === 'error')).toBe(true);
  expect(few.embedded.cut).toMatch(
    /small: \d rows? of the list; the details of \d results? that did not pass/,
  );
});

test('a missing page, or one with several files, is an error', async () => {
  const nowhere = textOf({ webFolder: join(project.path, 'nowhere') });
  await expect(nowhere).rejects.toThrow('run `npm run build`');
  await expect(nowhere).rejects.toBeInstanceOf(PageError);
  const other = join(project.path, 'other');
  mkdirSync(other);
  writeFileSync(
    join(other, 'index.html'),
    PAGE['index.html'].replace('<body>', '<body><img src="/logo.png">'),
  );
  for (const name of ['page.js', 'page.css']) {
    mkdirSync(join(other, 'assets'), { recursive: true });
    writeFileSync(join(other, 'assets', name), '');
  }
  await expect(textOf({ webFolder: other })).rejects.toThrow('/logo.png');
});

test('in a browser the printed URL gives access, and the token is removed from the URL', async () => {
  const problems: unknown[] = [];
  const compare = (): never => {
    throw new Error('nobody asks for it here');
  };
  const server = new ViewServer({ ...options, port: 0, compare, onError: (error) => problems.push(error) });
  await server.listen();
  const page = await browser.newPage();
  await page.goto(server.address(`#/runs/${run.runId}`));
  await page.waitForFunction('globalThis.tricks !== undefined');
  expect(page.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#\/runs\/[\w-]+$/);
  expect(JSON.parse((await page.textContent('#page'))!)).toMatchObject({ runs: [{ run_id: run.runId }] });
  expect(await page.evaluate('document.cookie')).toBe('');
  await page.close();

  const stranger = await (await browser.newContext()).newPage();
  expect((await stranger.goto(new URL('/', server.address()).href))!.status()).toBe(401);
  await stranger.close();
  await server.close();
  expect(problems).toEqual([]);
});

let reports = 0;

async function report(
  more: Partial<HtmlReportOptions> = {},
): Promise<{ readonly file: string; readonly html: string; readonly embedded: ReadReport }> {
  const file = join(project.path, `report-${++reports}.html`);
  writeFileSync(file, await textOf(more));
  const html = readFileSync(file, 'utf8');
  return { file, html, embedded: readReport(html) };
}

async function textOf(more: Partial<HtmlReportOptions> = {}): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of createHtmlReport(run, { ...options, ...more })) pieces.push(piece);
  return pieces.join('');
}
