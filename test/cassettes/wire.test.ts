import { afterEach, expect, test } from 'vitest';
import { createTapedProject, type TapedProject } from './taped-project.ts';

let project: TapedProject;
afterEach(() => project.remove());

/** Asks each API as a stream and as a whole, with `fetch` and with `node:http`, some of it at once. Returns all bytes that came. */
const AGENT = `
import http from 'node:http';
const base = process.env.OPENAI_BASE_URL.replace(/\\/v1$/, '');
const user = (content) => [{ role: 'user', content }];
const BODIES = {
  '/v1/chat/completions': { model: 'm', messages: user('chat') },
  '/v1/responses': { model: 'm', input: user('responses') },
  '/v1/messages': { model: 'm', max_tokens: 9, messages: user('messages') },
};
const ALL = [
  ...Object.entries(BODIES).flatMap(([path, body]) => [[path, body], [path, { ...body, stream: true }]]),
  ['/v1beta/models/g:generateContent', { contents: [{ role: 'user', parts: [{ text: 'gemini' }] }] }],
  ['/v1beta/models/g:streamGenerateContent?alt=sse&key=secret', { contents: [{ role: 'user', parts: [{ text: 'gemini' }] }] }],
];
const byFetch = async ([path, body]) =>
  (await fetch(base + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).text();
const byHttp = ([path, body]) => new Promise((resolve, reject) => {
  const request = http.request(base + path, { method: 'POST' }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (chunk) => (text += chunk)).on('end', () => resolve(text)).on('error', reject);
  });
  request.on('error', reject).end(JSON.stringify(body));
});
const words = (text) => text.replaceAll(/[^ -~]/g, '').match(/Said [a-z0-9 ]+|Said|by|[a-z]+ \\d+/g)?.join('') ?? text.slice(0, 200);
export default async () => {
  const inOrder = [];
  for (const each of ALL) inOrder.push(await byFetch(each));
  for (const each of ALL) inOrder.push(await byHttp(each));
  const atOnce = await Promise.all([...ALL, ...ALL].map((each, index) => (index % 2 ? byFetch(each) : byHttp(each))));
  const embedded = await byFetch(['/v1/embeddings', { model: 'e', input: 'x' }]);
  return [...inOrder, ...atOnce.sort(), embedded].map(words).join('\\n');
};
`;

test('every API works, whole and streamed, with every client, in sequence and concurrently', async () => {
  project = await createTapedProject(
    {
      'assay.config.yaml': 'agent: ./agent.mjs\n',
      'agent.mjs': AGENT,
      'all.eval.yaml': 'tests:\n  - { id: all, input: go, assert: [{ type: contains, value: Said }] }\n',
    },
    ({ path, index }) => ({ text: `Said by ${path.split('?')[0]!.replaceAll(/[^a-z]/g, '')} ${index}` }),
  );
  const outputOf = async (mode: string): Promise<string> => {
    const { exitCode, stdout, stderr } = await project.run([
      'run',
      '--cassettes',
      mode,
      '--reporter',
      'json=out.json',
    ]);
    expect(exitCode, stdout + stderr).toBe(0);
    const { results } = JSON.parse(project.read('out.json')) as {
      readonly results: readonly { readonly steps: readonly { readonly output: string }[] }[];
    };
    return results[0]!.steps[0]!.output;
  };
  const recorded = await outputOf('record');
  const asked = project.server.requests.length;
  expect(asked).toBe(8 * 4 + 1);
  const [text] = Object.values(project.cassettes());
  expect(text).toContain('"to": "POST /v1/embeddings"');
  expect(text).not.toContain('key=secret');
  await project.server.close();
  expect(await outputOf('replay')).toBe(recorded);
});
