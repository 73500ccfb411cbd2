import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

const TEXT = Buffer.from('Caf\xe9 is right', 'latin1');
const server = createServer((request, response) => {
  request.resume();
  const isJson = request.url === '/json';
  const body = isJson ? Buffer.from('{"output":"Caf\xe9 is right"}', 'latin1') : TEXT;
  response.statusCode = request.url === '/broken' ? 500 : 200;
  response.setHeader('content-type', isJson ? 'application/json' : 'text/plain; charset=iso-8859-1');
  if (request.url === '/packed') response.setHeader('content-encoding', 'gzip');
  response.end(request.url === '/packed' ? gzipSync(body) : body);
});
let project: ReturnType<typeof createProject>;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  project = createProject({
    'a.test.yaml': '- id: a\n  input: hi\n  assert: {output.includes: right}\n',
    'latin.txt': TEXT,
    'response.mjs': `export const agent = () => new Response(Buffer.from('Caf\\xe9 is right', 'latin1'));`,
    'bytes.py': `def agent(input):\n    return b'Caf\\xe9 is right'\n`,
    'checks.eval.yaml': [
      'evalcases:',
      '  - id: scripted',
      '    input: hi',
      '    evaluators: [{ name: judge, type: code_judge, script: cat latin.txt }]',
      '',
    ].join('\n'),
    'assay.config.yaml': `targets:
  - { name: json, url: "${url}/json" }
  - { name: text, url: "${url}/text" }
  - { name: packed, url: "${url}/packed" }
  - { name: broken, url: "${url}/broken" }
  - { name: command, command: [cat, latin.txt] }
  - { name: failing, command: [sh, -c, "cat latin.txt; exit 3"] }
  - { name: line, command_template: "cat latin.txt; : {PROMPT}" }
  - { name: file, command_template: "cat latin.txt > {OUTPUT_FILE}; : {PROMPT}" }
  - { name: noisy, command_template: "cat latin.txt; echo right > {OUTPUT_FILE}; : {PROMPT}" }
  - { name: response, agent: ./response.mjs }
  - { name: bytes, agent: ./bytes.py }
`,
  });
});
afterAll(() => {
  server.close();
  project.remove();
});

const PLACE = 'byte 4 is 0xe9, after "Caf"';

test.each([
  ['json', 3, 'the response is not valid UTF-8: byte 15 is 0xe9'],
  ['text', 3, `the response is not valid UTF-8: ${PLACE}`],
  ['packed', 3, `the response is not valid UTF-8: ${PLACE}`],
  // What went wrong first counts.
  ['broken', 3, 'answered 500'],
  ['command', 3, `what the agent printed is not valid UTF-8: ${PLACE}`],
  ['failing', 3, 'exited with code 3'],
  ['line', 3, `what the agent printed is not valid UTF-8: ${PLACE}`],
  ['file', 3, `what the command wrote to {OUTPUT_FILE} is not valid UTF-8: ${PLACE}`],
  // What it prints beside its reply may be anything.
  ['noisy', 0, '1 passed'],
  ['response', 3, 'what the agent streamed is not valid UTF-8'],
  ['bytes', 3, 'what the agent returned is a bytes'],
])('a reply of the target %s that is not UTF-8', async (target, exitCode, words) => {
  const args = ['run', 'a.test.yaml', '--target', target, '--retry', '0'];
  const result = await runCli(args, { cwd: project.path });
  expect(result.stdout + result.stderr).toContain(words);
  expect(result.exitCode).toBe(exitCode);
});

test('what a script judge prints', async () => {
  const args = ['run', 'checks.eval.yaml', '--target', 'noisy', '--allow-scripts', '--retry', '0'];
  const { stdout, exitCode } = await runCli(args, { cwd: project.path });
  expect(stdout).toContain(`printed text that is not valid UTF-8: ${PLACE}`);
  expect(exitCode).toBe(3);
});
