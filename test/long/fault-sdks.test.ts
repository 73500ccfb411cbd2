import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runSuite, verdictsOf } from '../faults/run-faults.ts';
import { installGroup } from '../frameworks/install-group.ts';
import { createProject } from '../project.ts';
import { startModelServer, type ModelServer } from '../servers/model-server.ts';

let server: ModelServer;
let packages: string;
beforeAll(async () => {
  packages = await installGroup('sdk');
  server = await startModelServer([{ text: 'hello' }]);
}, 600_000);
afterAll(() => server.close());

const AGENTS = {
  'openai.mjs': `
import OpenAI from 'openai';
export async function agent(input) {
  const client = new OpenAI({ apiKey: 'k', baseURL: process.env.OPENAI_BASE_URL, maxRetries: 2, timeout: 2000 });
  if (input === 'stream') {
    let text = '';
    const stream = await client.chat.completions.create({ model: 'm', stream: true, messages: [{ role: 'user', content: input }] });
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    return text;
  }
  const { output_text } = await client.responses.create({ model: 'm', input });
  return output_text;
}`,
  'anthropic.mjs': `
import Anthropic from '@anthropic-ai/sdk';
export async function agent(input) {
  const client = new Anthropic({ apiKey: 'k', baseURL: process.env.OPENAI_BASE_URL.replace('/v1', ''), maxRetries: 2, timeout: 2000 });
  const request = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: input }] };
  const message = input === 'stream' ? await client.messages.stream(request).finalMessage() : await client.messages.create(request);
  return message.content[0].text;
}`,
};

const model = (call: number, what: unknown) => ({ on: 'model', call, do: what });
const SUITE = [
  ['retries', 'whole', [model(1, 429), model(2, 503)], 'hello'],
  ['reset', 'whole', [model(1, 'reset')], 'hello'],
  ['timeout', 'whole', [model(1, 'timeout')], 'hello'],
  ['reply', 'whole', [model(1, { reply: 'lies' })], 'lies'],
  ['reply-stream', 'stream', [model(1, { reply: 'lies' })], 'lies'],
].map(([id, input, faults, output]) => ({ id, input, faults, assert: { 'output.equals': output } }));

test.each(Object.keys(AGENTS))('%s retries after a fault, live and replayed', async (agent) => {
  const project = createProject({ ...AGENTS, 'a.test.json': JSON.stringify(SUITE) });
  symlinkSync(join(packages, 'node_modules'), join(project.path, 'node_modules'));
  const run = (mode: string, url: string) =>
    runSuite({ cwd: project.path, url, args: ['--agent', `./${agent}`, '--cassettes', mode] });
  const recorded = await run('record', server.url);
  expect(recorded.results.map(({ test: id, verdict }) => [id, verdict])).toEqual(
    SUITE.map(({ id }) => [id, 'passed']),
  );
  expect(verdictsOf(await run('replay', 'http://127.0.0.1:9'))).toEqual(verdictsOf(recorded));
  project.remove();
});
