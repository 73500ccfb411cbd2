// HTTP endpoints as agents, against a bare fetch loop on loopback, as many at once.
import { spawn } from 'node:child_process';
import { CLI, compare, count, row, runNode, withProject } from './measure.mjs';

const AT_ONCE = 16;
const CALLS = 5000;
const SERVER = `
import { createServer } from 'node:http';
createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text) => (body += text)).on('end', () => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ output: 'You said ' + JSON.parse(body).input, tools_used: [], memory: {} }));
  });
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`;

export async function benchHttpAgent() {
  const server = spawn(process.execPath, ['--input-type=module', '-e', SERVER], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const port = await new Promise((resolve) => server.stdout.once('data', (text) => resolve(Number(text))));
    const url = `http://127.0.0.1:${port}/`;
    return await withProject({ 'calls.test.json': JSON.stringify(suite()) }, async (cwd) => {
      const { bare, assay } = await compare(
        { bare: () => fetchAll(url), assay: () => runAssay(url, cwd) },
        5,
      );
      return [
        row(`http agent: ${AT_ONCE} at once, against bare fetch`, bare.seconds, assay.seconds, {
          target: '1.3x',
          note: `${count(CALLS / assay.seconds)} calls/s`,
        }),
      ];
    });
  } finally {
    server.kill();
  }
}

async function runAssay(url, cwd) {
  const args = ['run', '--agent', url, '--workers', `${AT_ONCE}`, '--reporter', 'json'];
  const { stdout } = await runNode([CLI, ...args], { cwd });
  return { seconds: JSON.parse(stdout).summary.duration_ms / 1000 };
}

function suite() {
  return Array.from({ length: CALLS }, (_, index) => ({
    id: `call-${index}`,
    input: `hello ${index}`,
    assert: { 'output.includes': 'hello', tools_used: [] },
  }));
}

async function fetchAll(url) {
  const start = performance.now();
  let next = 0;
  const worker = async () => {
    while (next < CALLS) {
      const body = JSON.stringify({ input: `hello ${next++}`, memory: {} });
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(url, { method: 'POST', headers, body });
      const { output } = await response.json();
      if (!output.includes('hello')) throw new Error(`unexpected: ${output}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { seconds: (performance.now() - start) / 1000 };
}
