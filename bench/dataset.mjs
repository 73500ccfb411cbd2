// A dataset of a million lines (about 280 MB): checked, and run, against a bare loop that reads lines and calls JSON.parse. And
// a list of step tests of 20 MB, against JSON.parse.
import { createWriteStream, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CLI, compare, count, row, runNode, withProject } from './measure.mjs';

const LINES = Number(process.env.BENCH_LINES ?? 1_000_000);

const BARE_LOOP = `
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
let count = 0;
for await (const line of createInterface({ input: createReadStream(process.argv[1]), crlfDelay: Infinity })) {
  if (JSON.parse(line).id !== undefined) count++;
}
console.log(count);
`;
const AGENT =
  'export const agent = (input) => ({ output: `42 is the answer to ${input}`, tools_used: [], memory: {} });\n';

const STEP_TESTS = Number(process.env.BENCH_STEP_TESTS ?? 13_000);
const BARE_PARSE = `
import { readFileSync } from 'node:fs';
console.log(JSON.parse(readFileSync(process.argv[1], 'utf8')).length);
`;

export async function benchDataset() {
  return [...(await benchLines()), ...(await benchStepFile())];
}

function benchStepFile() {
  return withProject({ 'agent.mjs': AGENT, 'list.test.json': stepTests() }, async (cwd) => {
    const file = join(cwd, 'list.test.json');
    const times = await compare(
      {
        bare: () => runNode(['--input-type=module', '-e', BARE_PARSE, file]),
        validate: () => runNode([CLI, 'validate', file], { cwd }),
        run: () => runNode([CLI, 'run', file, '--agent', './agent.mjs', '--no-record'], { cwd }),
      },
      3,
    );
    const size = `${count(statSync(file).size / 1e6)} MB`;
    return ['validate', 'run'].map((what) =>
      row(
        `step file: ${what} a list of ${size}, against JSON.parse`,
        times.bare.seconds,
        times[what].seconds,
        {
          target: '200 MB',
          note: `peak ${count(times[what].peakMb)} MB`,
        },
      ),
    );
  });
}

function stepTests() {
  const tests = Array.from({ length: STEP_TESTS }, (_, index) => ({
    id: `test-${index}`,
    steps: Array.from({ length: 10 }, (_unused, step) => {
      const input = `step ${step} of test ${index}`;
      return { input, assert: { 'output.includes': '42', 'output.matches': `.*${input}`, tools_used: [] } };
    }),
  }));
  return JSON.stringify(tests);
}

function benchLines() {
  return withProject({ 'agent.mjs': AGENT }, async (cwd) => {
    const file = join(cwd, 'dataset.jsonl');
    await writeDataset(file);
    const { bare, checked } = await compare(
      {
        bare: () => runNode(['--input-type=module', '-e', BARE_LOOP, file]),
        checked: () => runNode([CLI, 'validate', file], { cwd }),
      },
      3,
    );
    // In the process of Assay, whose memory is measured: the rows of throughput show what a process of its own takes.
    const env = { ASSAY_ISOLATE: 'false' };
    const run = await runNode([CLI, 'run', file, '--agent', './agent.mjs'], { cwd, env });
    rmSync(join(cwd, '.assay'), { recursive: true });
    const size = `${count(LINES)} lines (${count(statSync(file).size / 1e6)} MB)`;
    const note = ({ seconds, peakMb }) => `${count(LINES / seconds)} lines/s, peak ${count(peakMb)} MB`;
    return [
      row(`dataset: validate ${size}, against reading them`, bare.seconds, checked.seconds, {
        target: '2.5x, 250 MB',
        note: note(checked),
      }),
      row(
        `dataset: run ${size}, agent in the process of Assay, against reading them`,
        bare.seconds,
        run.seconds,
        {
          target: '250 MB',
          note: note(run),
        },
      ),
    ];
  });
}

async function writeDataset(file) {
  const stream = createWriteStream(file);
  for (let index = 0; index < LINES; index++) {
    const line = {
      id: `case-${index}`,
      expected_outcome: 'The agent answers the question with the right number and nothing else',
      input: [
        { role: 'system', content: 'You are a careful calculator' },
        { role: 'user', content: `What is ${index} plus ${index % 97}?` },
      ],
      assert: [{ type: 'contains', value: '42' }],
    };
    if (!stream.write(`${JSON.stringify(line)}\n`))
      await new Promise((resolve) => stream.once('drain', resolve));
  }
  await new Promise((resolve) => stream.end(resolve));
}
