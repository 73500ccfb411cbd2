// Python agents, against a bare JSON-lines ping-pong with as many children.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { runNode } from './measure.mjs';

const CLI = resolve('dist/cli.js');
const STEPS = 20_000;
const CHILDREN = availableParallelism();
const AGENT =
  "def agent(input_text, memory):\n    return {'output': 'You said ' + input_text, 'tools_used': [], 'memory': memory}\n";
const ECHO =
  "import sys, json\nfor line in sys.stdin:\n    request = json.loads(line)\n    sys.stdout.write(json.dumps({'output': 'You said ' + request['input'], 'tools_used': [], 'memory': request['memory']}) + '\\n')\n    sys.stdout.flush()\n";

export async function benchPythonAgent() {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{}');
    writeFileSync(join(folder, 'agent.py'), AGENT);
    for (let file = 0; file < CHILDREN; file++)
      writeFileSync(join(folder, `t${file}.test.json`), JSON.stringify(suite(STEPS / CHILDREN)));
    const bare = [];
    const assay = [];
    for (let round = 0; round < 3; round++) {
      bare.push(await pingPong());
      const { stdout, status } = runNode([CLI, 'run', '--agent', 'agent.py', '--reporter', 'json'], {
        cwd: folder,
      });
      if (status !== 0) throw new Error(stdout.slice(-500));
      assay.push(STEPS / (JSON.parse(stdout).summary.duration_ms / 1000));
    }
    const [bareRate, rate] = [median(bare), median(assay)];
    return [
      {
        what: `python agent, ${CHILDREN} children`,
        'bare ping-pong': `${Math.round(bareRate)} calls/s`,
        assay: `${Math.round(rate)} calls/s`,
        share: `${Math.round((rate / bareRate) * 100)} %`,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function suite(steps) {
  return {
    steps: Array.from({ length: steps }, (_, index) => ({
      input: `hello ${index}`,
      assert: { 'output.includes': 'hello', tools_used: [] },
    })),
  };
}

async function pingPong() {
  const children = Array.from({ length: CHILDREN }, () => spawn('python3', ['-u', '-c', ECHO]));
  await Promise.all(children.map((child) => play(child, 10)));
  const start = performance.now();
  await Promise.all(children.map((child) => play(child, STEPS / CHILDREN)));
  const seconds = (performance.now() - start) / 1000;
  for (const child of children) child.kill();
  return STEPS / seconds;
}

async function play(child, rounds) {
  child.lines ??= createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  for (let round = 0; round < rounds; round++) {
    child.stdin.write(`${JSON.stringify({ input: `hello ${round}`, memory: {} })}\n`);
    const { value } = await child.lines.next();
    JSON.parse(value);
  }
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
