import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunRow } from '../../src/base/model/page-data.ts';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import type { Summary } from '../../src/base/model/summary.ts';
import { formatCost, formatDuration, formatPercent } from '../../web/text/format.ts';
import { createProject, runCli } from '../project.ts';
import { startModelServer, type ModelServer } from '../servers/model-server.ts';
import { killStarted, startView, type RunningView } from '../view/view-project.ts';
import { closePages, openPage, sharedBrowser } from './browser.ts';

/** `--good 3` answers well for the numbers below 3, and for 3 itself every other time. `away` breaks off after a step. */
const AGENT = `
const [good, cost] = GOOD;
let calls = 0;
export const agent = async (input) => {
  if (input === 'away') throw new Error('away');
  const number = Number(input);
  const isGood = number < good || (number === good && calls++ % 2 === 0);
  return { output: isGood ? 'yes indeed' : 'no', ...(cost === undefined ? {} : { cost_usd: cost * (1 + number) }), token_usage: { input: 3, output: 1 } };
};
`;
const agentOf = (good: number, cost: string): string => AGENT.replace('GOOD', `[${good}, ${cost}]`);
const TARGETS = ['zeta', 'alpha', 'mid', 'free'];
const BROKEN = `- id: breaks\n  steps:\n    - input: '1'\n      assert:\n        output.includes: 'yes'\n    - input: away\n      assert:\n        output.includes: 'yes'\n`;
const judged = (number: number): string =>
  `  - id: judged-${number}\n    input: '${number}'\n    expected_outcome: says yes\n    evaluators: [{ type: contains, value: 'yes' }, { type: llm_judge }]\n`;

let judge: ModelServer;
let project: ReturnType<typeof createProject>;
let view: RunningView;
let browser: Browser;
let terminal: string;
let report: { readonly run_id: string; readonly summary: Summary };
let records: readonly AttemptRecord[];
beforeAll(async () => {
  judge = await startModelServer([
    {
      text: JSON.stringify({ score: 1, reasoning: 'Good.', evidence: [], hits: [], misses: [] }),
      usage: { input: 1000, output: 100 },
    },
  ]);
  project = createProject({
    'zeta.mjs': agentOf(2, '0.01'),
    'alpha.mjs': agentOf(3, '0.002'),
    'mid.mjs': agentOf(1, '0.0003'),
    // It does not report what it costs.
    'free.mjs': agentOf(0, 'undefined'),
    'assay.config.yaml': `targets:\n${TARGETS.map((name) => `  - { name: ${name}, agent: ./${name}.mjs }\n`).join('')}judge: { provider: openai-compatible, model: judge, base_url: '${judge.url}/v1', api_key: none, price: { input: 2, output: 8 } }\n`,
    'all.eval.yaml': `evalcases:\n${[0, 1, 2, 3, 4].map(judged).join('')}`,
    'broken.test.yaml': BROKEN,
  });
  const run = await runCli(
    [
      'run',
      '.',
      '--target',
      TARGETS.join(),
      '--repeats',
      '3',
      '--reporter',
      'terminal',
      '--reporter',
      'json=out.json',
    ],
    { cwd: project.path },
  );
  terminal = run.stdout;
  report = JSON.parse(readFileSync(join(project.path, 'out.json'), 'utf8')) as typeof report;
  records = readFileSync(join(project.path, '.assay', 'runs', report.run_id, 'results.jsonl'), 'utf8')
    .split('\n')
    .slice(1, -1)
    .map((line) => JSON.parse(line) as AttemptRecord);
  view = await startView(project.path);
  browser = await sharedBrowser();
});
afterAll(killStarted);
afterAll(async () => {
  await closePages(browser);
  await view?.stop();
  await judge?.close();
  project?.remove();
});

/** From the journal alone. */
function expected(target: string) {
  const own = records.filter((record) => record.target === target);
  const passed = own.filter(({ verdict }) => verdict === 'passed').length;
  const measured = own.filter(({ verdict }) => verdict === 'passed' || verdict === 'failed').length;
  const costs = own.flatMap(({ steps }) => steps.flatMap(({ cost_usd }) => cost_usd ?? []));
  const cost = costs.length === 0 ? undefined : costs.reduce((sum, one) => sum + one, 0);
  const time = own.reduce((sum, { duration_ms }) => sum + duration_ms!, 0) / own.length;
  return { rate: passed / measured, cost, time };
}

/** The totals of a target in the terminal, where letters stand for so many targets. */
function inTerminal(target: string): string {
  const lines = terminal.split('\n');
  const from = lines.findIndex((line) => line.includes(` = ${target}: `));
  // A long line goes on below, indented.
  const length = lines.slice(from + 1).findIndex((line) => !line.startsWith('  '));
  return lines
    .slice(from, from + 1 + length)
    .map((line) => line.trim())
    .join(' ');
}

test('the numbers of each target are the same in the journal, JSON, the terminal, and the grid', async () => {
  expect(report.summary.targets!.map(({ target }) => target)).toEqual(TARGETS);
  const { run } = await view.json<{ readonly run: RunRow }>(`/api/runs/${report.run_id}`);
  expect(run.targets).toEqual(TARGETS);
  expect(run.by_target.map(({ target }) => target)).toEqual(TARGETS);
  // Judges were paid, and none of the numbers below contains that.
  expect(run.judge_cost_usd).toBeGreaterThan(0.01);
  const { page, problems } = await openPage(browser, `${view.address}#/runs/${report.run_id}`, {
    viewport: { width: 1800, height: 1000 },
  });
  const heads = page.locator('.target-head');
  await heads.first().waitFor();
  expect(await heads.locator('.target-title').allInnerTexts()).toEqual(TARGETS);
  for (const [index, target] of TARGETS.entries()) {
    const { rate, cost, time } = expected(target);
    const summary = report.summary.targets![index]!;
    const row = run.by_target[index]!;
    expect(summary.pass_rate!.rate).toBeCloseTo(rate, 12);
    expect(row.pass_rate!.rate).toBeCloseTo(rate, 12);
    expect(row.pass_rate!.low).toBe(summary.pass_rate!.low);
    expect(row.agent_cost_usd).toBe(summary.cost_usd);
    if (cost === undefined) expect(summary.cost_usd).toBeUndefined();
    else expect(summary.cost_usd).toBeCloseTo(cost, 9);
    expect(summary.duration_ms / summary.attempts).toBeCloseTo(time, 6);
    expect(row.attempt_ms).toBeCloseTo(time, 6);
    const shown = formatCost(cost);
    const head = await heads.nth(index).innerText();
    for (const text of [formatPercent(rate), shown, formatDuration(time)]) expect(head).toContain(text);
    expect(inTerminal(target)).toContain(`time per attempt ${formatDuration(time)}`);
    expect(inTerminal(target)).toContain(`pass rate ${Number((100 * rate).toFixed(1))}%`);
    if (cost === undefined) expect(inTerminal(target)).not.toContain('cost');
    else expect(inTerminal(target)).toContain(`cost ${formatCost(cost)},`);
  }
  expect(problems).toEqual([]);
});

test('a query with targets keeps only their columns; other filters keep the cells of all targets', async () => {
  const { page } = await openPage(browser, `${view.address}#/runs/${report.run_id}?q=target:alpha,mid`);
  const titles = page.locator('.target-title');
  await titles.first().waitFor();
  expect(await titles.allInnerTexts()).toEqual(['alpha', 'mid']);
  const box = page.getByRole('combobox', { name: 'Search tests' });
  await box.fill('verdict:failed target:alpha,mid');
  await expect.poll(() => page.locator('.grid-targets .name').allInnerTexts()).not.toContain('judged-0');
  const cells = page.getByRole('row').filter({ hasText: 'judged-2' }).locator('.target-cell');
  expect(await cells.count()).toBe(2);
  // One target is a list, as there is nothing beside it.
  await box.fill('target:mid');
  await page.getByRole('grid', { name: 'Tests', exact: true }).waitFor();
  await box.fill('');
  await page.getByRole('grid', { name: 'Tests by target' }).waitFor();
  // The page with the answers side by side steps through what the query finds, in conversations too.
  const heading = page.getByRole('heading', { level: 1 });
  await page.goto(`${view.origin}/#/runs/${report.run_id}?q=indeed`);
  await page.reload();
  await expect.poll(() => page.locator('.grid-targets .name').count()).toBe(5);
  const names = await page.locator('.grid-targets .name').allInnerTexts();
  expect(names).not.toContain('judged-4');
  await page.locator('.grid-targets .name').first().click();
  for (const [index, name] of names.entries()) {
    await page.getByText(`${index + 1} of ${names.length}`, { exact: true }).waitFor();
    await expect.poll(() => heading.innerText()).toBe(name);
    await page.keyboard.press('j');
  }
  await page.keyboard.press('j');
  expect(await heading.innerText()).toBe(names.at(-1));
});
