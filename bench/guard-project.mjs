// The files of the paths that `npm run bench:guard` measures.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { CLI } from './measure.mjs';

const TRAVEL_AGENT = `export function agent(input) {
  const tool_calls = [{ name: 'search', arguments: { query: input } }, { name: 'book', arguments: { seat: 1 } }];
  return { output: \`Trip \${input} goes from Berlin to Munich.\`, tools_used: ['search', 'book'], tool_calls, memory: {} };
}
`;

const CALLING_AGENT = `const system = 'You are a travel agent. '.repeat(80);
export async function agent(input) {
  const messages = [{ role: 'system', content: system }, { role: 'user', content: input }];
  for (let call = 0; call < 3; call++) {
    const response = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', messages }),
    });
    messages.push((await response.json()).choices[0].message, { role: 'user', content: 'go on' });
  }
  return 'done';
}
`;

export function guardFiles({ files, cases, attempts }) {
  const written = { 'agent.mjs': TRAVEL_AGENT, 'one.test.yaml': suite(0) };
  for (let index = 0; index < files; index++) written[`many/many-${index}.test.yaml`] = suite(index);
  for (const [folder, count] of Object.entries({ cases, memory: attempts })) {
    written[`${folder}/package.json`] = '{"type":"module"}';
    written[`${folder}/agent.mjs`] = TRAVEL_AGENT;
    written[`${folder}/cases.jsonl`] = dataset(count);
  }
  written['replay/package.json'] = '{"type":"module"}';
  written['replay/agent.mjs'] = CALLING_AGENT;
  return written;
}

function suite(index) {
  return `steps:\n  - input: hello ${index}\n    assert:\n      output.includes: hello ${index}\n      tools_used: [search, book]\n`;
}

function dataset(count) {
  const lines = Array.from({ length: count }, (_, index) => {
    const assert = [
      { type: 'contains', value: `Trip ${index}` },
      { type: 'regex', value: '.*Berlin.*' },
      {
        type: 'tool_trajectory',
        mode: 'in_order',
        expected: [{ tool: 'search', args: { query: `${index}` } }, { tool: 'book' }],
      },
    ];
    return JSON.stringify({ id: `case-${index}`, input: `${index}`, assert });
  });
  return `${lines.join('\n')}\n`;
}

/** Records the cassette of one test and copies it for the others: recording is slow, and not what is measured. */
export async function writeCassettes(folder, { tests, env }) {
  const server = createServer((request, response) => {
    const message = { role: 'assistant', content: 'Certainly. '.repeat(40) };
    response.setHeader('content-type', 'application/json');
    request
      .resume()
      .on('end', () =>
        response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] })),
      );
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const OPENAI_BASE_URL = `http://127.0.0.1:${server.address().port}/v1`;
  writeTests(folder, 1);
  const args = [CLI, 'run', 'many.test.json', '--agent', './agent.mjs', '--cassettes', 'record'];
  const recording = spawn(process.execPath, args, { cwd: folder, env: { ...env, OPENAI_BASE_URL } });
  await new Promise((ended) => recording.on('close', ended));
  server.close();
  const cassettes = join(folder, 'cassettes/many.test.json');
  const [name] = readdirSync(cassettes);
  const recorded = readFileSync(join(cassettes, name), 'utf8');
  for (let index = 0; index < tests; index++)
    writeFileSync(
      join(cassettes, name.replace('t0', `t${index}`)),
      recorded.replaceAll('"t0"', `"t${index}"`),
    );
  writeTests(folder, tests);
}

function writeTests(folder, count) {
  const tests = Array.from({ length: count }, (_, index) => ({
    id: `t${index}`,
    steps: [{ input: `t${index}`, assert: { 'output.includes': 'done' } }],
  }));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'many.test.json'), JSON.stringify(tests));
}
