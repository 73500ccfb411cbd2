import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import type { ResultRow } from '../../src/base/model/page-data.ts';
import { runCli } from '../project.ts';
import { closePages, openPage, sharedBrowser } from '../web/browser.ts';
import { createViewProject, killStarted, startView, type RunningView } from './view-project.ts';

const project = createViewProject({
  'chat.jsonl': `{"id":"hello","messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello"}]}\n`,
  'chat.test.yaml': 'id: hello\ninput: Hi\nassert: { output.includes: Goodbye }\n',
  'slow.test.yaml': `- id: waits
  input: slow 2000
  assert: { output.includes: nothing }
`,
});
let browser: Browser;
let view: RunningView;
let id: string;

beforeAll(async () => {
  id = await project.run('all.test.yaml');
  [browser, view] = await Promise.all([sharedBrowser(), startView(project.path, ['--allow-run'])]);
});
afterAll(killStarted);
afterAll(async () => {
  await closePages(browser);
  await view?.stop();
  project.remove();
});

function post(body: unknown, { run = id, headers = {}, from = view } = {}): Promise<Response> {
  return fetch(`${from.origin}/api/runs/${run}/again`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${from.token}`,
      'Content-Type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

async function rowsOf(run: string): Promise<readonly ResultRow[]> {
  const text = await (await view.get(`/api/runs/${run}/results`)).text();
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as ResultRow);
}

async function ended(run: string): Promise<void> {
  const stateOf = async (): Promise<string> =>
    (await view.json<{ run: { state: string } }>(`/api/runs/${run}`)).run.state;
  await expect.poll(stateOf).toBe('ended');
}

test('the failures of a run are run again by its own command, and the new run is named', async () => {
  const { command } = await view.json<{ command: string }>(`/api/runs/${id}/again?what=failures`);
  expect(command).toBe('assay run all.test.yaml --agent=./agent.mjs --last-failed');
  const answer = await post({ what: 'failures' });
  expect(answer.status).toBe(201);
  const { run_id } = (await answer.json()) as { run_id: string };
  await ended(run_id);
  expect((await rowsOf(run_id)).map((row) => row.test).toSorted()).toEqual(['bad', 'broken', 'later']);
});

test('one test is run again by its number', async () => {
  const { index } = (await rowsOf(id)).find((row) => row.test === 'good')!;
  const answer = await post({ what: 'test', index });
  const { run_id } = (await answer.json()) as { run_id: string };
  await ended(run_id);
  expect((await rowsOf(run_id)).map((row) => row.test)).toEqual(['good']);
});

test.each([
  [{ what: 'failures', paths: ['/etc'] }],
  [{ what: 'failures', agent: 'cmd:touch stolen' }],
  [{ what: 'test', index: 'all.test.yaml:1' }],
  [{ what: 'test', index: -1 }],
  [{ what: 'target', target: '../other' }],
  [{ what: 'everything' }],
  [['failures']],
  [null],
])('nothing that the page sends is a file, an agent or an option: %j', async (body) => {
  const before = project.runIds();
  expect((await post(body)).status).toBe(400);
  expect(project.runIds()).toEqual(before);
});

test('other sites, other types and clients without the token start nothing', async () => {
  const before = project.runIds();
  const from = (headers: Record<string, string>): Promise<Response> =>
    post({ what: 'failures' }, { headers });
  expect((await from({ Origin: 'http://evil.example' })).status).toBe(403);
  expect((await from({ 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
  expect((await from({ 'Content-Type': 'text/plain' })).status).toBe(415);
  expect((await from({ Authorization: 'Bearer wrong-wrong-wrong-wrong' })).status).toBe(401);
  expect(project.runIds()).toEqual(before);
});

test('without --allow-run, nothing is started, and the page has no button', async () => {
  const closed = await startView(project.path);
  expect((await post({ what: 'failures' }, { from: closed })).status).toBe(405);
  const { page } = await openPage(browser, `${closed.address}#/runs/${id}`);
  await page.getByRole('link', { name: 'broken' }).waitFor();
  expect(await page.getByRole('button', { name: 'Run the failures again' }).count()).toBe(0);
  await closed.stop();
});

test('a merged run is refused', async () => {
  const parts = [
    await project.run('all.test.yaml', '--shard', '1/2'),
    await project.run('all.test.yaml', '--shard', '2/2'),
  ];
  await runCli(['merge', ...parts], { cwd: project.path });
  const answer = await post({ what: 'failures' }, { run: project.runIds().at(-1)! });
  expect([answer.status, await answer.json()]).toEqual([
    409,
    { error: 'a merged run has no command of its own: run its parts again' },
  ]);
});

test('recordings, what was graded of them, and runs of elsewhere are refused, and the page has no button for them', async () => {
  const at = { cwd: project.path };
  await runCli(['import', 'chat.jsonl'], at);
  const imported = project.runIds().at(-1)!;
  await runCli(['grade', imported, '--suite', 'chat.test.yaml'], at);
  const graded = project.runIds().at(-1)!;
  const other = createViewProject();
  const elsewhere = await other.run('all.test.yaml');
  const both = await startView(project.path, ['--allow-run', join(other.path, '.assay/runs', elsewhere)]);
  for (const [run, error] of [
    [imported, 'a run of recordings has no agent that could be run again'],
    [graded, 'a run of recordings has no agent that could be run again'],
    [elsewhere, 'this run was not made in this project'],
  ] as const) {
    const answer = await post({ what: 'failures' }, { run, from: both });
    expect([answer.status, await answer.json()]).toEqual([409, { error }]);
    expect(await both.json(`/api/runs/${run}`)).not.toHaveProperty('can_run');
  }
  const { page } = await openPage(browser, `${both.origin}/?token=${both.token}#/runs/${graded}`);
  await page.getByRole('link', { name: 'hello' }).waitFor();
  expect(await page.getByText('assay run').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Run the failures again' }).count()).toBe(0);
  await both.stop();
  other.remove();
});

test('the same rerun does not run twice at once', async () => {
  const slow = await project.run('slow.test.yaml');
  const first = await post({ what: 'failures' }, { run: slow });
  expect(first.status).toBe(201);
  const second = await post({ what: 'failures' }, { run: slow });
  expect([second.status, await second.json()]).toEqual([409, { error: 'this is running already' }]);
  await ended(((await first.json()) as { run_id: string }).run_id);
});

test('other machines may not start runs', async () => {
  const args = ['view', '--allow-run', '--host', '0.0.0.0', '--token', 'a-long-enough-token', '--no-open'];
  const { exitCode, stderr } = await runCli(args, { cwd: project.path });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('would let other machines start runs')]);
});

test('the page asks before it starts, with the command and the cost, and then shows the new run', async () => {
  const { page, problems } = await openPage(browser, `${view.address}#/runs/${id}`);
  await page.getByRole('button', { name: 'Run the failures again' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run the failures again?' });
  await dialog.getByText('assay run all.test.yaml --agent=./agent.mjs --last-failed').waitFor();
  await dialog.getByText('2 attempts last time, for about $0.001.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const before = project.runIds().length;
  await page.getByRole('button', { name: 'Run the failures again' }).click();
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await expect.poll(() => page.url()).not.toContain(id);
  await page.getByText(/Failed: \d of \d tests?/).waitFor();
  expect(project.runIds()).toHaveLength(before + 1);
  expect(problems).toEqual([]);
});
