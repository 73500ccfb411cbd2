import { beforeAll, expect, test } from 'vitest';
import type { RunRow } from '../../src/base/model/page-data.ts';
import { runCli } from '../project.ts';
import { createViewProject } from '../view/view-project.ts';
import { goTo, openPage } from './browser.ts';
import { viewSite } from './view-site.ts';

const suite = (name: string, ...answers: readonly string[]): string =>
  answers
    .map(
      (answer, at) =>
        `- id: ${name}-${at}\n  input: hello\n  tags: [t${at}]\n  assert:\n    output.includes: ${answer}\n`,
    )
    .join('');
const project = createViewProject({
  'all.test.yaml': '',
  'evals/a.test.yaml': suite('a', 'hello', 'hello', 'bye', 'bye'),
  'evals/b.test.yaml': suite('b', 'hello'),
  'evals/c.test.yaml': suite('c', 'bye'),
  'evals/only.test.yaml': `${suite('only', 'hello')}${suite('other', 'bye')}  only: true\n`,
  'evals/away.test.yaml': `${suite('away', 'hello')}- id: boom\n  input: boom\n  assert:\n    output.includes: x\n`,
  'other.mjs': `export const agent = () => ({ output: 'bye', tools_used: [] });\n`,
});
const [A, B, C] = ['evals/a.test.yaml', 'evals/b.test.yaml', 'evals/c.test.yaml'];
const ids: Record<string, string> = {};

beforeAll(async () => {
  const run = async (name: string, ...args: readonly string[]): Promise<void> => {
    ids[name] = await project.run(...args);
  };
  await run('whole', A!, '--repeats', '2');
  await run('again', A!);
  await run('a and b', A!, B!);
  await run('a and c', A!, C!);
  await run('only', 'evals/only.test.yaml');
  await run('away', 'evals/away.test.yaml');
  await run('first shard', A!, '--shard', '1/2');
  await run('second shard', A!, '--shard', '2/2');
  await runCli(['merge', ids['first shard']!, ids['second shard']!], { cwd: project.path });
  ids['merged'] = project.runIds().at(-1)!;
  await runCli(['run', A!, '--agent', './other.mjs'], { cwd: project.path });
  ids['other agent'] = project.runIds().at(-1)!;
  await runCli(['merge', ids['again']!, ids['other agent']!], { cwd: project.path });
  ids['two agents'] = project.runIds().at(-1)!;
  await run('filter that leaves out nothing', A!, '-t', 'a-');
  // The newest runs are parts: none of them may become the headline.
  await run('one line', `${A}:1`);
  await run('grep', A!, '-t', 'a-0');
  await run('tag', A!, '--tag', 't1');
  await run('last failed', A!, '--last-failed');
}, 60_000);
const site = viewSite(project);

test('only complete runs of the same files by the same agents are comparable', async () => {
  const listed = async (): Promise<readonly RunRow[]> =>
    (await site.view.json<{ runs: readonly RunRow[] }>('/api/runs')).runs;
  // The numbers of a run are listed when its journal was read.
  await expect.poll(async () => (await listed()).every(({ by_target }) => by_target.length > 0)).toBe(true);
  const runs = await listed();
  const byId = new Map(runs.map((run) => [run.run_id, run]));
  const groups = new Map<string | undefined, string[]>();
  for (const [name, id] of Object.entries(ids)) {
    const key = byId.get(id)!.comparable;
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  expect([...groups.values()]).toEqual([
    ['whole', 'again', 'merged', 'filter that leaves out nothing'],
    ['a and b'],
    ['a and c'],
    ['only', 'away', 'first shard', 'second shard', 'one line', 'grep', 'tag', 'last failed'],
    ['other agent'],
    ['two agents'],
  ]);
  const both = byId.get(ids['two agents']!)!.by_target;
  expect(both.map(({ target, summary, pass_rate }) => [target, summary.tests, pass_rate?.passed])).toEqual([
    ['./agent.mjs', 4, 2],
    ['./other.mjs', 4, 2],
  ]);
  expect(both[0]!.comparable).toBe(byId.get(ids['whole']!)!.by_target[0]!.comparable);
  expect(both[1]!.comparable).toBe(byId.get(ids['other agent']!)!.by_target[0]!.comparable);
});

test('each line of the trends is one agent and one set of files, and the page says what is left out', async () => {
  const { page, problems } = await openPage(site.browser, site.view.address);
  const sparks = page.locator('.sparklines');
  await sparks.waitFor();
  expect(await sparks.innerText()).toMatch(/evals\/a\.test\.yaml\s+\.\/agent\.mjs\s+Pass rate\s+50%/);
  await goTo(page, '#/trends');
  const line = page.getByText('5 runs of evals/a.test.yaml by ./agent.mjs; 6 runs left out');
  await line.waitFor();
  // The cost of one attempt is the same with and without repeats.
  const rows = page.locator('.table tbody tr');
  expect(await rows.count()).toBe(5);
  for (const text of await rows.allInnerTexts()) expect(text).toMatch(/50%.*\$0\.001$/s);
  await page.getByRole('combobox', { name: 'Files' }).click();
  expect(await page.getByRole('option').allInnerTexts()).toEqual([
    'evals/a.test.yaml',
    'evals (2 files): c.test.yaml',
    'evals (2 files): b.test.yaml',
  ]);
  await page.getByRole('option', { name: 'evals (2 files): b.test.yaml' }).click();
  await page.getByText('1 run of evals (2 files): b.test.yaml by ./agent.mjs').waitFor();
  await goTo(page, '#/trends?suite=evals%2Fa.test.yaml&agent=.%2Fother.mjs');
  await page.getByText('2 runs of evals/a.test.yaml by ./other.mjs').waitFor();
  await goTo(page, '#/trends?suite=gone');
  await page.getByText('There are no comparable runs of these files by this agent.').waitFor();
  expect(problems).toEqual([]);
});
