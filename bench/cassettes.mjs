// Replayed model calls, against the same run whose agent only reads the cassette's file.
import { createServer } from 'node:http';
import { CLI, compare, row, runNode, withProject } from './measure.mjs';

const TESTS = 1000;
const CALLS = 3;
const MOST_MS = 0.5;

const AGENT = `
import { readFileSync } from 'node:fs';
export const workers = 8;
const system = 'You are a travel agent. '.repeat(80);
export default async function agent(input) {
  if (process.env.BARE) {
    readFileSync('cassettes/many.test.json/' + input + '@agent.mjs' + process.env.SUFFIX + '.json', 'utf8');
    return 'done';
  }
  const messages = [{ role: 'system', content: system }, { role: 'user', content: input }];
  for (let call = 0; call < ${CALLS}; call++) {
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

export async function benchCassettes() {
  const tests = Array.from({ length: TESTS }, (_, index) => ({
    id: `t${index}`,
    steps: [{ input: `t${index}`, assert: { 'output.includes': 'done' } }],
  }));
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const message = { role: 'assistant', content: 'Certainly. '.repeat(40) };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    });
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const OPENAI_BASE_URL = `http://127.0.0.1:${server.address().port}/v1`;
  const files = { 'agent.mjs': AGENT, 'many.test.json': JSON.stringify(tests) };
  try {
    return await withProject(files, async (cwd) => {
      const args = [CLI, 'run', 'many.test.json', '--agent', 'agent.mjs', '--no-record', '--cassettes'];
      await runNode([...args, 'record'], { cwd, env: { OPENAI_BASE_URL } });
      const { readdirSync } = await import('node:fs');
      const name = readdirSync(`${cwd}/cassettes/many.test.json`)[0];
      const SUFFIX = /@agent\.mjs(.*)\.json$/.exec(name)[1];
      const replay = [...args, 'replay'];
      const { bare, assay } = await compare(
        {
          bare: () => runNode(replay, { cwd, env: { BARE: '1', SUFFIX } }),
          assay: () => runNode(replay, { cwd, env: { OPENAI_BASE_URL } }),
        },
        5,
      );
      const perCall = ((assay.seconds - bare.seconds) / TESTS / CALLS) * 1000;
      return [
        row(
          `cassettes: ${TESTS} tests with ${CALLS} model calls each, replayed, against reading their files`,
          bare.seconds,
          assay.seconds,
          {
            target: `at most ${MOST_MS} ms more per call`,
            note: `${perCall.toFixed(3)} ms more per call`,
          },
        ),
      ];
    });
  } finally {
    server.close();
  }
}
