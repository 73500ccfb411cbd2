import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { startModelServer, chatCompletion, sendJson, type ModelServer } from '../evidence/model-server.ts';
import { createProject, runCli, type Project } from '../project.ts';
import { killStarted, startView, type RunningView } from '../view/view-project.ts';
import { violations } from '../web/axe.ts';
import { closePages, openPage, sharedBrowser } from '../web/browser.ts';

/** Asks the model twice: it calls two tools, of which one is forbidden. */
const AGENT = `
export const agent = async (input) => {
  const system = { role: 'system', content: 'You are a travel agent. ' + 'Be kind. '.repeat(40) };
  const tools = ['find_booking', 'cancel'].map((name) => ({ type: 'function', function: { name, parameters: {} } }));
  const messages = [system, { role: 'user', content: input }];
  const ask = async () => {
    const response = await fetch(process.env.MODEL_URL + '/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'small', temperature: 0.25, messages, tools }),
    });
    return (await response.json()).choices[0].message;
  };
  const asked = await ask();
  messages.push(asked);
  for (const { id } of asked.tool_calls) messages.push({ role: 'tool', tool_call_id: id, content: 'It is done.' });
  return (await ask()).content;
};
`;
const FILES = {
  'agent.mjs': AGENT,
  'calls.test.yaml': `- id: cancels
  input: Where is my booking?
  assert:
    output.includes: found
    tools_used.excludes: [cancel]
`,
  'scores.eval.yaml': `target: canned
evalcases:
  - id: half
    input: hi
    threshold: 0.6
    evaluators:
      - { type: contains, value: Friday, weight: 3 }
      - { type: contains, value: Monday, weight: 1 }
`,
  'targets.eval.yaml': `targets: [canned, other]
evalcases:
${[1, 2, 3, 4].map((at) => `  - { id: t${at}, input: hi, evaluators: [{ type: contains, value: Friday }] }\n`).join('')}`,
  'assay.config.yaml': `targets:
  - { name: canned, provider: mock, response: 'It arrives on Friday.' }
  - { name: other, provider: mock, response: 'It arrives on Monday.' }
`,
};

let server: ModelServer;
let project: Project;
let view: RunningView;
let browser: Browser;
const runs: Record<string, string> = {};
const printed: Record<string, string> = {};
const folder = (name: string): string => join(project.path, '.assay', 'runs', runs[name]!);

async function run(name: string, ...args: readonly string[]): Promise<void> {
  const { stdout } = await runCli(['run', ...args], { cwd: project.path, env: { MODEL_URL: server.url } });
  printed[name] = stdout;
  runs[name] = readdirSync(join(project.path, '.assay', 'runs'))
    .toSorted()
    .at(-1)!;
}

beforeAll(async () => {
  server = await startModelServer(({ body }, response) => {
    const isAsked = body.messages.at(-1).role === 'user';
    const completion = chatCompletion('I found it.') as any;
    const call = (name: string) => ({
      id: `call_${name}`,
      type: 'function',
      function: { name, arguments: '{}' },
    });
    if (isAsked) {
      completion.choices[0].message = {
        role: 'assistant',
        content: null,
        tool_calls: [call('find_booking'), call('cancel')],
      };
      completion.choices[0].finish_reason = 'tool_calls';
    }
    sendJson(response, completion);
  });
  project = createProject(FILES);
  await run('calls', 'calls.test.yaml', '--agent', './agent.mjs');
  await run('scores', 'scores.eval.yaml');
  await run('targets', 'targets.eval.yaml');
  view = await startView(project.path);
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closePages(browser);
  killStarted();
  await server.close();
  project.remove();
});

async function open(name: string, rest = ''): Promise<Page> {
  const { page } = await openPage(browser, `${view.address}#/runs/${runs[name]}${rest}`, {
    viewport: { width: 1440, height: 900 },
  });
  return page;
}

function record(name: string): AttemptRecord {
  const [, line] = readFileSync(join(folder(name), 'results.jsonl'), 'utf8').split('\n');
  return JSON.parse(line!) as AttemptRecord;
}

test('the score line is the arithmetic of the score: each evaluator with its weight, against the threshold', async () => {
  const { score, threshold } = record('scores');
  expect([score, threshold]).toEqual([0.75, 0.6]);
  const page = await open('scores', '/results/0');
  const line = page.getByRole('group', { name: 'Score' });
  await line.waitFor();
  const said = (await line.textContent())!.replaceAll(/\s+/g, ' ');
  expect(said).toMatch(/Score\s*0\.75\s*reaches the threshold 0\.6/);
  expect(said).toMatch(/contains 1 × 3\s*\+\s*contains\S* 0 × 1/);
});

test('two targets are compared below the grid in the words of the terminal, without a winner that chance explains', async () => {
  const page = await open('targets');
  const table = page.getByRole('region', { name: 'Paired comparison of the targets' });
  await table.waitFor();
  const said = (await table.textContent())!;
  expect(said).toContain('other against canned');
  const p = /p = [\d.]+/.exec(printed['targets']!)![0];
  expect(printed['targets']).toContain('could be chance');
  expect(await page.locator('.target-comparison').textContent()).toContain(p.slice('p = '.length));
  expect(said).toContain('could be chance');
});

test('a call is marked in the timeline, the conversation and the assertion, and a forbidden one is red', async () => {
  const page = await open('calls', '/results/0');
  const said = page.locator('.entry-call').filter({ hasText: 'cancel' });
  await said.waitFor();
  expect(await said.getAttribute('class')).toContain('is-bad');
  expect(
    await page.locator('.entry-call').filter({ hasText: 'find_booking' }).getAttribute('class'),
  ).not.toContain('is-bad');
  await page.locator('.waterfall-tool').getByRole('button', { name: 'cancel' }).click();
  const linked = await page.locator('.is-linked').allTextContents();
  expect(linked.length).toBeGreaterThan(1);
  for (const text of linked) expect(text).toContain('cancel');
  expect(await said.getAttribute('class')).toContain('is-linked');
});

test('a model call opens with what was sent, and says what is missing', async () => {
  const page = await open('calls', '/results/0');
  const calls = page.locator('.waterfall-model').getByRole('button');
  await calls.nth(1).click();
  const sent = page.locator('.sent');
  await sent.getByText('You are a travel agent.').waitFor();
  for (const text of ['find_booking', 'temperature', '0.25', 'prompt_tokens', 'It is done.'])
    expect(await sent.textContent(), text).toContain(text);
  // The question stands in the first call, which is not open.
  expect(await sent.textContent()).not.toContain('Where is my booking?');
  expect(await violations(page)).toEqual([]);
  await calls.nth(1).click();
  expect(await sent.count()).toBe(0);
  rmSync(join(folder('calls'), 'texts.jsonl'));
  await page.reload();
  await calls.nth(0).click();
  await sent.getByText('Missing: the run refers to this text').first().waitFor();
  // What is short is in the record itself.
  await sent.getByText('Where is my booking?').waitFor();
});
