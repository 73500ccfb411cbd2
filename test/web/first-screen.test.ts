import { beforeAll, expect, test } from 'vitest';
import { runCli } from '../project.ts';
import { createViewProject } from '../view/view-project.ts';
import { openPage } from './browser.ts';
import { viewSite } from './view-site.ts';

const TESTS = Array.from(
  { length: 22 },
  (_, at) => `- id: case-${at}
  description: Question number ${at}, about refunds and shipping to other countries
  input: hello ${at}
  assert: { output.includes: ${at % 3 === 0 ? 'goodbye' : 'hello'} }
`,
);
const project = createViewProject({
  'many.test.yaml': TESTS.join(''),
  'cheap.mjs': "export const agent = () => ({ output: 'hello', cost_usd: 0.0001 });\n",
  'cheap.test.yaml': '- id: cheap\n  input: hello\n  assert: { output.includes: hello }\n',
  'broken.test.yaml': '- id: one\n  input: hello\n  assert:\n    output.include: hello\n',
  'targets.config.yaml': `targets:
  - { name: first-model, agent: ./agent.mjs }
  - { name: second-model, agent: ./agent.mjs }
  - { name: third-model-with-a-long-name, agent: ./agent.mjs }
`,
});
const ids: Record<string, string> = {};

beforeAll(async () => {
  ids['plain'] = await project.run('many.test.yaml');
  ids['gates'] = await project.run('many.test.yaml', '--min-pass-rate', '0.9', '--max-flaky', '0');
  ids['baseline'] = await project.run('many.test.yaml', '--baseline', ids['plain'], '--min-pass-rate', '0.2');
  ids['filtered'] = await project.run('many.test.yaml', '-t', 'case-1', '--repeats', '3');
  const cwd = project.path;
  await runCli(['run', 'many.test.yaml', 'broken.test.yaml', '--agent', './agent.mjs'], { cwd });
  ids['invalid file'] = project.runIds().at(-1)!;
  await runCli(
    [
      'run',
      'many.test.yaml',
      '--config',
      'targets.config.yaml',
      '--target',
      'first-model',
      '--target',
      'second-model',
      '--target',
      'third-model-with-a-long-name',
    ],
    { cwd },
  );
  ids['three targets'] = project.runIds().at(-1)!;
  await runCli(['run', 'cheap.test.yaml', '--agent', './cheap.mjs'], { cwd });
}, 120_000);
const site = viewSite(project);

const LOWEST_TOP = 260;

test.each([
  [1440, 900],
  [1024, 768],
])('at %i x %i the first row of a test is near the top of every run', async (width, height) => {
  const { page } = await openPage(site.browser, site.view.address, { viewport: { width, height } });
  const tops: Record<string, number> = {};
  for (const [name, id] of Object.entries(ids)) {
    await page.evaluate(`location.hash = '#/runs/${id}'`);
    await page
      .getByRole('link', { name: 'case-0', exact: true })
      .or(page.getByRole('link', { name: 'case-1', exact: true }))
      .first()
      .waitFor();
    await page
      .getByText(/new since|\d+ of \d+|errors? in|Incomplete/)
      .first()
      .waitFor();
    const row = page.locator('.grid-body > [role=row]').first();
    tops[name] = (await row.boundingBox())!.y;
  }
  expect(Object.entries(tops).filter(([, top]) => top > LOWEST_TOP)).toEqual([]);
  await page.context().close();
});

test('on a phone, a test that failed is on the first screen of every run', async () => {
  const { page } = await openPage(site.browser, site.view.address, { viewport: { width: 390, height: 844 } });
  for (const [name, id] of Object.entries(ids)) {
    await page.evaluate(`location.hash = '#/runs/${id}'`);
    const failed = page
      .locator('.grid-body > [role=row]')
      .filter({ has: page.locator('.mark-failed') })
      .first();
    if (name === 'filtered') continue;
    await failed.waitFor();
    const { y, height } = (await failed.boundingBox())!;
    expect(y + Math.min(height, 72), name).toBeLessThanOrEqual(844);
  }
  await page.context().close();
});

test('an invalid file is named with its line, and its frame and hint are one click away', async () => {
  const { page } = await openPage(site.browser, `${site.view.address}#/runs/${ids['invalid file']}`);
  const head = page.getByRole('region', { name: 'Summary' });
  await head.getByText(/^Incomplete: broken\.test\.yaml:\d+:\d+ /).waitFor();
  await head.getByRole('button', { name: /in files$/ }).click();
  await head.getByText('output.include').first().waitFor();
  await head.getByText('Hint:').first().waitFor();
  expect(await head.locator('.frame-line.is-marked').count()).toBeGreaterThan(0);
  await page.context().close();
});

test('tests that failed for the same reason are folded below the first, and a row shows expected and actual', async () => {
  const { page } = await openPage(site.browser, `${site.view.address}#/runs/${ids['plain']}`);
  const rows = page.getByRole('grid', { name: 'Tests' }).getByRole('row');
  await rows.filter({ hasText: 'expected "goodbye", got "You said hello 0"' }).waitFor();
  await page.context().close();
});

test('targets with the same pass rate and cost keep their names apart, in the grid and in the chart', async () => {
  const { page } = await openPage(site.browser, `${site.view.address}#/runs/${ids['three targets']}`, {
    viewport: { width: 1024, height: 768 },
  });
  const names = page.locator('.scatter-name');
  await names.nth(2).waitFor();
  const lines = await Promise.all([0, 1, 2].map(async (at) => (await names.nth(at).boundingBox())!));
  for (const [at, { y, height }] of lines.entries())
    for (const other of lines.slice(at + 1)) expect(Math.abs(other.y - y)).toBeGreaterThanOrEqual(height - 4);
  const cut = await page
    .locator('.target-title')
    .evaluateAll((all) =>
      all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
    );
  expect(cut).toEqual([]);
  expect(await page.locator('.target-title').count()).toBe(3);
  await page.context().close();
});

test('small costs fit beside the axis of a trend', async () => {
  const { page } = await openPage(site.browser, `${site.view.address}#/trends?suite=cheap.test.yaml`);
  const signs = page.locator('.chart .tick-line text');
  await signs.getByText('$0.00005').waitFor();
  const outside = await signs.evaluateAll(
    (all) =>
      all.filter((sign) => sign.getBoundingClientRect().x < sign.closest('svg')!.getBoundingClientRect().x)
        .length,
  );
  expect(outside).toBe(0);
  await page.context().close();
});
