import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ResultRow } from '../../src/base/model/page-data.ts';
import type { Summary } from '../../src/base/model/summary.ts';
import { runCli } from '../project.ts';
import { createViewProject } from '../view/view-project.ts';
import { openPage } from './browser.ts';
import { viewSite } from './view-site.ts';

/** Wrong in its third attempt only; `errors` has errors in some attempts; `stops` costs too much to go on. */
const AGENT = `
const calls = {};
export const agent = async (input) => {
  const call = (calls[input] = (calls[input] ?? 0) + 1);
  if (input === 'errors' && call > 8) throw new Error('away');
  return { output: call === 3 && input === 'wrong once' ? 'no' : 'yes', cost_usd: input === 'stops' ? 1 : 0 };
};
`;
const suite = (input: string, more = ''): string =>
  `- id: ${input.replace(' ', '-')}\n  input: ${input}\n${more}  assert:\n    output.equals: yes please\n`.replace(
    'yes please',
    "'yes'",
  );
const project = createViewProject({
  'agent.mjs': AGENT,
  'all.test.yaml': suite('wrong once'),
  'coverage.test.yaml': suite('errors', '  repeats: 10\n  pass_at_least: 0.5\n'),
  'chat.jsonl': `{"id":"hello","messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello there"}]}\n`,
  'budget.test.yaml': suite('stops', '  repeats: 4\n'),
});

const site = viewSite(project);

/** What the terminal, the server, the page and a report file say of the one test of a run. */
async function verdicts(...args: readonly string[]): Promise<Record<string, string>> {
  const id = await project.run('--workers', '1', ...args);
  const folder = join(project.path, '.assay/runs', id);
  const { summary } = JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')) as { summary: Summary };
  const rows = (await (await site.view.get(`/api/runs/${id}/results`)).text()).trim().split('\n');
  const last = JSON.parse(rows.at(-1)!) as ResultRow;
  await runCli(['report', id, '--html', 'report.html'], { cwd: project.path });
  return {
    run: (['passed', 'failed', 'error'] as const).find((verdict) => summary[verdict] === 1)!,
    server: (last.of_test ?? last).verdict,
    page: await shownVerdict(`${site.view.address}#/runs/${id}`),
    report: await shownVerdict(`file://${join(project.path, 'report.html')}`),
  };
}

async function shownVerdict(address: string): Promise<string> {
  const { page } = await openPage(site.browser, address);
  const row = page.getByRole('row').filter({ has: page.getByRole('link') });
  const mark = row.locator('.mark').first();
  await mark.waitFor();
  const shown = /mark-(\w+)/.exec((await mark.getAttribute('class')) ?? '')?.[1];
  await page.close();
  return String(shown);
}

const everywhere = (verdict: string) => ({ run: verdict, server: verdict, page: verdict, report: verdict });

test('with adaptive repeats, a test that fails once in thirty attempts passes everywhere', async () => {
  expect(await verdicts('all.test.yaml', '--repeats', 'auto')).toEqual(everywhere('passed'));
});

test('a test with too many errors is undecided everywhere, unless less coverage is required', async () => {
  expect(await verdicts('coverage.test.yaml')).toEqual(everywhere('error'));
  expect(await verdicts('coverage.test.yaml', '--min-coverage', '0.5')).toEqual(everywhere('passed'));
});

test('a test whose repeats were not all started has not passed anywhere', async () => {
  expect(await verdicts('budget.test.yaml', '--max-cost', '2')).toEqual(everywhere('error'));
});

test('a recording that nothing has judged is listed as not graded, with its answer and without a baseline', async () => {
  await runCli(['import', 'chat.jsonl'], { cwd: project.path });
  const { page, problems } = await openPage(
    site.browser,
    `${site.view.address}#/runs/${project.runIds().at(-1)!}`,
  );
  await page.getByText('Hello there').waitFor();
  expect(await page.locator('.headline').textContent()).toContain('Not graded');
  expect(await page.locator('.grid-body .mark-not_graded').count()).toBe(1);
  expect(await page.getByText('assay baseline').count()).toBe(0);
  expect(problems).toEqual([]);
  await page.close();
});
