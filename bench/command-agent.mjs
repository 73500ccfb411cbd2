// Programs as agents, against bare spawns of the same program, as many at once.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { CLI, compare, count, row, runNode, withProject } from './measure.mjs';

const AT_ONCE = availableParallelism();
const PROGRAMS = [
  { what: 'cat', argv: ['cat'], calls: 1000 },
  { what: 'a Node program', argv: [process.execPath, 'agent.mjs'], calls: 60 },
];
const AGENT = "process.stdin.on('data', () => {}).on('end', () => console.log('hello'));\n";

export async function benchCommandAgent() {
  const rows = [];
  for (const { what, argv, calls } of PROGRAMS) {
    const files = { 'agent.mjs': AGENT, 'calls.test.json': JSON.stringify(suite(calls)) };
    rows.push(
      await withProject(files, async (cwd) => {
        const { bare, assay } = await compare(
          {
            bare: () => spawnAll(argv, { cwd, calls }),
            assay: () => runAssay(argv, cwd),
          },
          5,
        );
        return row(
          `command agent: ${what}, ${AT_ONCE} at once, against bare spawns`,
          bare.seconds,
          assay.seconds,
          {
            target: '1.15x',
            note: `${count(calls / assay.seconds)} calls/s`,
          },
        );
      }),
    );
  }
  return rows;
}

/** The time of the calls alone: how long Assay takes to start is measured elsewhere. */
async function runAssay(argv, cwd) {
  const command = `cmd: ${argv.join(' ')}`;
  const { stdout } = await runNode(
    [CLI, 'run', '--agent', command, '--workers', `${AT_ONCE}`, '--reporter', 'json'],
    {
      cwd,
    },
  );
  return { seconds: JSON.parse(stdout).summary.duration_ms / 1000 };
}

function suite(calls) {
  return Array.from({ length: calls }, (_, index) => ({
    id: `call-${index}`,
    input: `hello ${index}`,
    assert: { 'output.includes': 'hello' },
  }));
}

async function spawnAll(argv, { cwd, calls }) {
  const start = performance.now();
  let next = 0;
  const worker = async () => {
    while (next < calls) {
      const output = await spawnOnce(argv, { cwd, input: JSON.stringify({ input: `hello ${next++}` }) });
      if (!output.includes('hello')) throw new Error(`unexpected: ${output}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { seconds: (performance.now() - start) / 1000 };
}

function spawnOnce([program, ...args], { cwd, input }) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    child.stderr.resume();
    child.on('error', reject).on('close', () => resolve(output));
    child.stdin.end(`${input}\n`);
  });
}
