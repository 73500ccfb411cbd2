import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject, ROOT } from '../docs/assay-process.ts';
import { listen } from '../servers/listen.ts';
import { launchBrowser } from '../web/browser.ts';

const DIST = join(ROOT, 'site/dist');
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};
const PAGES = ['/', '/quick-start.html', '/reference/config.html', '/comparing.html', '/changelog.html'];

const server = createServer(({ url = '/' }, response) => {
  const path = new URL(url, 'http://site').pathname;
  const file = join(DIST, path.endsWith('/') ? `${path}index.html` : path);
  if (!existsSync(file) || statSync(file).isDirectory()) {
    response.writeHead(404).end();
    return;
  }
  response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
  response.end(readFileSync(file));
});
let address: string;

beforeAll(async () => {
  execFileSync('npm', ['run', 'docs:build'], { cwd: ROOT, stdio: 'pipe' });
  address = await listen(server);
});
afterAll(() => server.close());

test.each([
  { width: 1440, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const)(
  'pages of $width px are not wider than the screen and load nothing from elsewhere ($colorScheme)',
  async ({ width, colorScheme }) => {
    const browser = await launchBrowser();
    const problems: string[] = [];
    try {
      const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme });
      const page = await context.newPage();
      page.on('request', (request) => {
        const url = request.url();
        if (!url.startsWith(address) && !url.startsWith('data:')) problems.push(`request to ${url}`);
      });
      page.on('pageerror', ({ message }) => problems.push(message));
      for (const path of PAGES) {
        await page.goto(`${address}${path}`, { waitUntil: 'networkidle' });
        const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        if (Number(wide) > 0) problems.push(`${path} is ${String(wide)} px too wide`);
        const isDark = await page.evaluate("document.documentElement.classList.contains('dark')");
        if (isDark !== (colorScheme === 'dark')) problems.push(`${path} is not ${colorScheme}`);
      }
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
    }
  },
);

test('the search finds a page by a word of its text', async () => {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${address}/quick-start.html`);
    await page.locator('.VPNavBarSearch button').click();
    await page.locator('#localsearch-input').fill('unread_input');
    await page.locator('.VPLocalSearchBox .result').first().waitFor();
    expect(await page.locator('.VPLocalSearchBox').innerText()).toContain('Commands');
  } finally {
    await browser.close();
  }
});

test('a dead link stops the build', () => {
  const project = createProject({});
  try {
    for (const name of [
      'docs',
      'site',
      'package.json',
      'scripts/docs-site.mjs',
      'CHANGELOG.md',
      'SECURITY.md',
      'examples',
    ])
      cpSync(join(ROOT, name), join(project.path, name), {
        recursive: true,
        filter: (path) => !path.includes('node_modules') && !path.startsWith(DIST),
      });
    symlinkSync(join(ROOT, 'site/node_modules'), join(project.path, 'site/node_modules'));
    appendFileSync(join(project.path, 'docs/faq.md'), '\n[Nowhere](nowhere.md)\n');
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/docs-site.mjs', 'build'], {
      cwd: project.path,
      encoding: 'utf8',
    });
    expect(status).not.toBe(0);
    expect(stdout + stderr).toContain('dead link');
    expect(stdout + stderr).toContain('nowhere');
  } finally {
    project.remove();
  }
});
