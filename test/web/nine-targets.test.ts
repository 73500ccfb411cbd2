import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { createProject, runCli } from '../project.ts';
import { goTo, openPage } from './browser.ts';
import { viewSite } from './view-site.ts';

/** Answers in Markdown. `e` reports the cost of its first call only, `c` never. */
const AGENT = `
const calls = new Map();
const agentOf = (name) => async (input) => {
  const count = (calls.get(name) ?? 0) + 1;
  calls.set(name, count);
  const isKnown = name !== 'c' && (name !== 'e' || count === 1);
  return { output: '## Done\\n\\n**' + name + '** says ' + input, tools_used: [], ...(isKnown ? { cost_usd: 0.25 } : {}) };
};
${[...'abcdefghi'].map((name) => `export const ${name} = agentOf('${name}');`).join('\n')}
`;
const NAMES = [...'abcdefghi'];
const project = createProject({
  'agent.mjs': AGENT,
  'assay.config.yaml': `targets:\n${NAMES.map((name) => `  - { name: target-${name}, agent: './agent.mjs:${name}' }\n`).join('')}`,
  'all.test.yaml': `
- id: first
  description: What everybody must be able to do
  input: hello
  repeats: 2
  assert: { output.includes: hello }
- id: second
  input: goodbye
  assert: { output.not_includes: b** }
`,
});

beforeAll(async () => {
  const names = NAMES.map((name) => `target-${name}`).join(',');
  const run = await runCli(['run', 'all.test.yaml', '--target', names], { cwd: project.path });
  expect([run.exitCode, run.stderr]).toEqual([1, '']);
});
const site = viewSite(project);

async function openGrid(width: number): Promise<Page> {
  const { page } = await openPage(site.browser, site.view.address, { viewport: { width, height: 900 } });
  const [run] = readdirSync(join(project.path, '.assay/runs'));
  await goTo(page, `#/runs/${run}`);
  await page.getByRole('grid', { name: 'Tests by target' }).waitFor();
  return page;
}

/** Whether the page has no sideways scroll bar of its own. */
async function fits(page: Page): Promise<boolean> {
  return (await page.evaluate('document.documentElement.scrollWidth <= innerWidth')) as boolean;
}

test('at 1280 px the grid scrolls sideways, by keyboard too, and the names of the tests stay', async () => {
  const page = await openGrid(1280);
  expect(await fits(page)).toBe(true);
  const active = page.locator('.target-cell[aria-selected=true]');
  const name = page.getByRole('row').filter({ hasText: 'first' }).getByText('first', { exact: true });
  const left = (await name.boundingBox())!.x;
  await page.getByRole('grid', { name: 'Tests by target' }).focus();
  await page.keyboard.press('ArrowDown');
  for (let count = 0; count < NAMES.length; count++) await page.keyboard.press('ArrowRight');
  const inView = async (): Promise<boolean> => {
    const box = await active.boundingBox();
    return box !== null && box.x > left && box.x + box.width <= 1280;
  };
  await expect.poll(inView).toBe(true);
  expect(await active.textContent()).toContain('i says');
  expect((await name.boundingBox())!.x).toBe(left);
  for (let count = 0; count < NAMES.length; count++) await page.keyboard.press('ArrowLeft');
  await expect.poll(inView).toBe(true);
  expect(await active.textContent()).toContain('a says');
  expect(await fits(page)).toBe(true);
  await page.context().close();
});

test('at 390 px each cell has the name of its target, and nothing is cut off', async () => {
  const page = await openGrid(390);
  expect(await fits(page)).toBe(true);
  const cells = page.getByRole('row').filter({ hasText: 'first' }).locator('.target-cell');
  expect(await cells.count()).toBe(9);
  for (const cell of await cells.all()) {
    const box = (await cell.boundingBox())!;
    expect(box.x + box.width).toBeLessThanOrEqual(390);
  }
  await cells.last().getByText('target-i', { exact: true }).waitFor();
  await cells.last().click();
  await page.getByText('Differences from target-i').waitFor();
  expect(await fits(page)).toBe(true);
  await page.context().close();
});

test('a cost that lacks some attempts says so; an answer in a cell has no signs of Markdown', async () => {
  const page = await openGrid(1280);
  const grid = page.getByRole('grid', { name: 'Tests by target' });
  const head = (name: string) => grid.getByRole('columnheader').filter({ hasText: `target-${name}` });
  expect(await head('e').locator('.target-sums').textContent()).toContain('$0.25+?');
  expect(await head('c').locator('.target-sums').textContent()).toMatch(/^–/);
  expect(await head('a').locator('.target-sums').textContent()).toMatch(/^\$0\.75[^+]/);
  const cells = grid.getByRole('row').filter({ hasText: 'first' }).locator('.target-cell');
  const textOf = async (name: string) => (await cells.nth(NAMES.indexOf(name)).textContent()) ?? '';
  expect(await textOf('e')).toContain('$0.25+?');
  expect(await textOf('a')).toContain('$0.50');
  expect(await textOf('a')).not.toContain('+?');
  expect(await textOf('a')).toContain('Donea says hello');
  await page.context().close();
});
