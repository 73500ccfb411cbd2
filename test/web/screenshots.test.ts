import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { openPage } from './browser.ts';
import { testSite } from './site.ts';

/** `SCREENSHOTS=update npx vitest run --config vitest.long.config.ts test/web/screenshots.test.ts` takes them again. */
const isUpdate = process.env['SCREENSHOTS'] === 'update';
const FOLDER = fileURLToPath(new URL('pictures', import.meta.url));
const WIDTHS = [1440, 1024, 390] as const;
const STATES = [
  'run',
  'test that passed',
  'test of memory',
  'test of tools',
  'test of structured data',
  'test with an error',
  'test with a judge',
  'comparison',
  'run of three targets',
  'answers side by side',
] as const;

/** Pictures are kept and compared at an eighth of their size: layout and colours, not the shape of letters or a duration. */
const SCALE = 8;
/** Of 255: differences of the font and of the compression are below it. */
const SAME_LEVEL = 40;
/** How much of a picture may differ. */
const TOLERANCE = 0.06;

const site = testSite();
let canvas: Page;
beforeAll(async () => {
  canvas = await (await site.browser.newContext()).newPage();
});

/** A small picture, and how much of it differs from the one that is kept. Both are drawn by the browser. */
async function compare(
  png: Buffer,
  kept: string | undefined,
): Promise<{ readonly small: string; readonly share: number }> {
  return canvas.evaluate(
    `(async (png, kept, scale, level) => {
      const load = (address) => new Promise((resolve, reject) => {
        const image = new Image();
        image.onload = () => resolve(image);
        image.onerror = reject;
        image.src = address;
      });
      const image = await load(png);
      const width = Math.round(image.width / scale);
      const height = Math.round(image.height / scale);
      const pixelsOf = (picture) => {
        const canvas = Object.assign(document.createElement('canvas'), { width, height });
        const context = canvas.getContext('2d');
        context.imageSmoothingQuality = 'high';
        context.drawImage(picture, 0, 0, width, height);
        return { canvas, data: context.getImageData(0, 0, width, height).data };
      };
      const now = pixelsOf(image);
      const small = now.canvas.toDataURL('image/webp', 0.8);
      if (kept === undefined) return { small, share: 1 };
      const before = pixelsOf(await load(kept)).data;
      let other = 0;
      for (let at = 0; at < before.length; at += 4)
        if ([0, 1, 2].some((part) => Math.abs(before[at + part] - now.data[at + part]) > level)) other++;
      return { small, share: other / (width * height) };
    })(${JSON.stringify(`data:image/png;base64,${png.toString('base64')}`)}, ${JSON.stringify(kept)}, ${SCALE}, ${SAME_LEVEL})`,
  );
}

function fileOf(state: string, width: number, theme: string): string {
  return join(FOLDER, `${state.replaceAll(/[^a-z]+/g, '-')}-${width}-${theme}.webp`);
}

function keptPicture(file: string): string | undefined {
  return existsSync(file) ? `data:image/webp;base64,${readFileSync(file).toString('base64')}` : undefined;
}

async function show(page: Page, state: string): Promise<Buffer> {
  await page.goto('about:blank');
  await page.goto(`${site.server.url}${site.links[state]}`);
  await page.locator('.headline').waitFor();
  await page.locator('.loading').waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready');
  return page.screenshot();
}

test.each(WIDTHS.flatMap((width) => (['light', 'dark'] as const).map((theme) => [width, theme] as const)))(
  'at %i px in the %s theme, ten states look as they did',
  async (width, theme) => {
    const viewport = { width, height: width === 390 ? 844 : width === 1024 ? 768 : 900 };
    const { page } = await openPage(site.browser, site.server.url, { viewport, colorScheme: theme });
    const different: string[] = [];
    for (const state of STATES) {
      const file = fileOf(state, width, theme);
      const { small, share } = await compare(await show(page, state), keptPicture(file));
      if (isUpdate) {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, Buffer.from(small.slice(small.indexOf(',') + 1), 'base64'));
      } else if (share > TOLERANCE) different.push(`${state}: ${(100 * share).toFixed(1)}% differs`);
    }
    expect(different).toEqual([]);
    await page.context().close();
  },
);

test('a broken layout is noticed', async () => {
  const { page } = await openPage(site.browser, site.server.url, { viewport: { width: 1440, height: 900 } });
  await show(page, 'run');
  const file = fileOf('run', 1440, 'light');
  await page.evaluate("document.querySelector('.run-head').style.paddingTop = '80px'");
  expect((await compare(await page.screenshot(), keptPicture(file))).share).toBeGreaterThan(TOLERANCE);
  await page.context().close();
});
