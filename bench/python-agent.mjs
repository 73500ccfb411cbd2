// Python agents, against a bare JSON-lines ping-pong with as many children.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { CLI, compare, count, row, runNode, withProject } from './measure.mjs';

const STEPS = 20_000;
const CHILDREN = availableParallelism();
const AGENT =
  "def agent(input_text, memory):\n    return {'output': 'You said ' + input_text, 'tools_used': [], 'memory': memory}\n";
const ECHO =
  "import sys, json\nfor line in sys.stdin:\n    request = json.loads(line)\n    sys.stdout.write(json.dumps({'output': 'You said ' + request['input'], 'tools_used': [], 'memory': request['memory']}) + '\\n')\n    sys.stdout.flush()\n";

export function benchPythonAgent() {
  const files = { 'agent.py': AGENT };
  for (let file = 0; file < CHILDREN; file++)
    files[`t${file}.test.json`] = JSON.stringify(suite(STEPS / CHILDREN));
  return withProject(files, async (cwd) => {
    const { bare, assay } = await compare({ bare: pingPong, assay: () => runAssay(cwd) }, 3);
    return [
      row(`python agent: ${CHILDREN} children, against bare JSON lines`, bare.seconds, assay.seconds, {
        target: '2x',
        note: `${count(STEPS / assay.seconds)} calls/s`,
      }),
    ];
  });
}

async function runAssay(cwd) {
  const { stdout } = await runNode([CLI, 'run', '--agent', 'agent.py', '--reporter', 'json'], { cwd });
  return { seconds: JSON.parse(stdout).summary.duration_ms / 1000 };
}

/** Tests of ten steps: each request has the whole conversation so far. */
function suite(steps) {
  return Array.from({ length: steps / 10 }, (_, test) => ({
    id: `t${test}`,
    steps: Array.from({ length: 10 }, (_unused, index) => ({
      input: `hello ${index}`,
      assert: { 'output.includes': 'hello', tools_used: [] },
    })),
  }));
}

async function pingPong() {
  const children = Array.from({ length: CHILDREN }, () => spawn('python3', ['-u', '-c', ECHO]));
  await Promise.all(children.map((child) => play(child, 10)));
  const start = performance.now();
  await Promise.all(children.map((child) => play(child, STEPS / CHILDREN)));
  const seconds = (performance.now() - start) / 1000;
  for (const child of children) child.kill();
  return { seconds };
}

async function play(child, rounds) {
  child.lines ??= createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  for (let round = 0; round < rounds; round++) {
    child.stdin.write(`${JSON.stringify({ input: `hello ${round}`, memory: {} })}\n`);
    const { value } = await child.lines.next();
    JSON.parse(value);
  }
}
