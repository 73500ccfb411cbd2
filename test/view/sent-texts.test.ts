import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import type { ResultDetail } from '../../src/base/model/page-data.ts';
import { startModelServer, type ModelServer } from '../evidence/model-server.ts';
import { createProject, runCli, type Project } from '../project.ts';
import { killStarted, startView } from './view-project.ts';

const SECRET = 'hunter2-"of the house"-2026';
const AGENT = `
const tools = [{ type: 'function', function: { name: 'weather', description: 'The weather of a city. '.repeat(20), parameters: {} } }];
export const agent = async (input) => {
  const messages = [
    { role: 'system', content: 'You help. The key is ' + process.env.DOOR_PASSWORD + '. ' + 'Be kind. '.repeat(50) },
    { role: 'user', content: input },
  ];
  const ask = async () => {
    const response = await fetch(process.env.MODEL_URL + '/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'test-model', temperature: 0.5, messages, tools }),
    });
    return (await response.json()).choices[0].message;
  };
  messages.push(await ask(), { role: 'user', content: 'And in ' + input + '? ' + 'Please. '.repeat(40) });
  return (await ask()).content;
};
`;
const JUDGED = `evalcases:
  - { id: one, input: Rome, expected_outcome: 'Names Rome. DOOR', evaluators: [{ type: llm_judge }] }
  - { id: two, input: Oslo, expected_outcome: 'Names Oslo.', evaluators: [{ type: llm_judge }] }
`.replace('DOOR', SECRET.replaceAll("'", "''"));
const CONFIG = `agent: ./agent.mjs
judge: judge
targets:
  - { name: judge, provider: mock, response: { score: 1, reasoning: Fine., evidence: [], hits: [], misses: [] } }
`;

let server: ModelServer;
let project: Project;
const files = { 'agent.mjs': AGENT, 'a.eval.yaml': JUDGED, 'assay.config.yaml': CONFIG };
const runs = (): readonly string[] => readdirSync(join(project.path, '.assay', 'runs')).sort();
const folder = (run = runs().at(-1)!): string => join(project.path, '.assay', 'runs', run);
const cli = (...args: readonly string[]) =>
  runCli(args, {
    cwd: project.path,
    env: { MODEL_URL: server.url, DOOR_PASSWORD: SECRET, ASSAY_ISOLATE: 'true' },
  });
const records = (run?: string): readonly AttemptRecord[] =>
  readFileSync(join(folder(run), 'results.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as AttemptRecord);
const texts = (run?: string): ReadonlyMap<string, string> =>
  new Map(
    readFileSync(join(folder(run), 'texts.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly id: string; readonly text: string })
      .map(({ id, text }) => [id, text]),
  );

beforeAll(async () => {
  server = await startModelServer();
  project = createProject(files);
  const { exitCode, stdout, stderr } = await cli(
    'run',
    'a.eval.yaml',
    '--repeats',
    '2',
    '--reporter',
    'json=report.json',
  );
  expect(exitCode, stdout + stderr).toBe(0);
});
afterAll(async () => {
  killStarted();
  await server.close();
  project.remove();
});

function callsOf(record: AttemptRecord) {
  return record.steps[0]!.timeline!.filter(({ kind }) => kind === 'model');
}

test('a model call refers to what was sent: each text once, and only the new messages', () => {
  const all = records();
  expect(all).toHaveLength(4);
  const [first, second] = callsOf(all[0]!);
  const known = texts();
  const part = (id: string | undefined) =>
    JSON.parse(id!.startsWith('text:') ? id!.slice('text:'.length) : known.get(id!)!) as any;
  expect(part(first!.sent!.system)).toMatchObject({ role: 'system' });
  expect(part(first!.sent!.tools)).toMatchObject([{ function: { name: 'weather' } }]);
  expect(part(first!.sent!.parameters)).toEqual({ model: 'test-model', temperature: 0.5 });
  expect(part(first!.sent!.messages)).toEqual([
    { role: 'user', content: all[0]!.test === 'one' ? 'Rome' : 'Oslo' },
  ]);
  expect(part(first!.sent!.usage)).toHaveProperty('prompt_tokens');
  expect(part(second!.sent!.messages)).toMatchObject([
    { role: 'user', content: expect.stringMatching(/^And in /) },
  ]);
  const systems = new Set(all.flatMap(callsOf).map(({ sent }) => sent!.system));
  expect(systems.size).toBe(1);
  expect([...known.values()].filter((text) => text.includes('You help'))).toHaveLength(1);
  const prompts = all.map(
    ({ assertions, steps }) => [...assertions, ...steps.flatMap((step) => step.assertions)][0]!.judge_prompts,
  );
  expect(part(prompts[0]![0]!.prompt)).toContain(all[0]!.test === 'one' ? 'Names Rome' : 'Names Oslo');
});

test('no file of the run has the secret, and neither has a report', () => {
  const json = readFileSync(join(project.path, 'report.json'), 'utf8');
  const all = [...readdirSync(folder()).map((name) => readFileSync(join(folder(), name), 'utf8')), json].join(
    '\n',
  );
  for (const form of [SECRET, JSON.stringify(SECRET).slice(1, -1), 'hunter2'])
    expect(all).not.toContain(form);
  expect([...texts().values()].join('\n')).toContain('The key is [redacted].');
  // A report refers to texts, and has none of them.
  expect(json).toContain('"system":"sha256:');
  expect(json).not.toContain('Be kind.');
});

test('merge takes the texts along', async () => {
  const [before] = runs();
  await cli('run', 'a.eval.yaml', '--repeats', '2');
  const second = runs().at(-1)!;
  await cli('merge', before!, second);
  const merged = runs().at(-1)!;
  expect([before, second]).not.toContain(merged);
  for (const record of records(merged))
    for (const { sent } of callsOf(record)) expect(texts(merged).get(sent!.system!)).toContain('You help');
});

test('replies that are graded again keep what was sent, in whichever run they end up', async () => {
  await cli('run', 'a.eval.yaml', '--changed');
  writeFileSync(join(project.path, 'a.eval.yaml'), JUDGED.replace('Names Oslo.', 'Names Oslo, kindly.'));
  const calls = server.asked.length;
  await cli('run', 'a.eval.yaml', '--changed');
  expect(server.asked).toHaveLength(calls);
  const last = records().findLast(({ test: name }) => name === 'two')!;
  expect(last.regraded).toBe(true);
  for (const { sent } of callsOf(last)) expect(texts().get(sent!.system!)).toContain('You help');
  const { assertions, steps } = last;
  const [judged] = [...assertions, ...steps.flatMap((step) => step.assertions)];
  expect(texts().get(judged!.judge_prompts![0]!.prompt)).toContain('kindly');
});

test('the viewer shows the texts, and tells one that is missing from one that was not sent', async () => {
  const run = runs()[0]!;
  const view = await startView(project.path);
  const { record } = await view.json<ResultDetail>(`/api/runs/${run}/results/0`);
  const system = callsOf(record)[0]!.sent!.system!;
  const path = `/api/runs/${run}/texts?id=${system}&id=sha256:nothing`;
  const found = await view.json<{ readonly texts: Readonly<Record<string, string>> }>(path);
  expect(Object.keys(found.texts)).toEqual([system]);
  const { status } = await view.get(`/api/runs/${run}/texts?${'id=a&'.repeat(41)}`);
  expect(status).toBe(400);
  await view.stop();
});

test('an HTML report has each text once, and is written without the file of texts too', async () => {
  const run = runs()[0]!;
  await cli('report', run, '--html', 'report.html');
  const packed = [
    ...readFileSync(join(project.path, 'report.html'), 'utf8').matchAll(/class="assay-texts"[^>]*>([^<]*)</g),
  ].map(([, block]) => gunzipSync(Buffer.from(block!, 'base64')).toString());
  expect(packed.join('').split('You help')).toHaveLength(2);
  rmSync(join(folder(run), 'texts.jsonl'));
  const without = await cli('report', run, '--html', 'without.html');
  expect(without.exitCode, without.stdout + without.stderr).toBe(0);
  expect(readFileSync(join(project.path, 'without.html'), 'utf8')).not.toContain('class="assay-texts"');
});
