// Two runs of 100,000 records (about 3 kB each, as a test of two steps has them), compared by the built CLI, against a
// bare loop that reads both journals and calls JSON.parse on every line.
import { statSync } from 'node:fs';
import { CLI, compare, count, row, runNode, withProject } from './measure.mjs';
import { writeRun } from './write-run.mjs';

const RECORDS = Number(process.env.BENCH_RECORDS ?? 100_000);

const BARE_LOOP = `
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
let passed = 0;
for (const file of process.argv.slice(1)) {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    if (JSON.parse(line).verdict === 'passed') passed++;
  }
}
console.log(passed);
`;

/** Many tests cost more than many repeats of few. */
export async function benchCompare() {
  return [await benchRepeats(5), await benchRepeats(1)];
}

function benchRepeats(repeats) {
  return withProject({}, async (cwd) => {
    const journals = [17, 19].map((salt, index) =>
      writeRun(cwd, { run_id: 'ab'[index], sequence: index + 1, records: recordsOf(salt, repeats) }),
    );
    const { bare, assay } = await compare(
      {
        bare: () => runNode(['--input-type=module', '-e', BARE_LOOP, ...journals]),
        assay: () => runNode([CLI, 'compare', 'a', 'b'], { cwd, expect: [0, 1] }),
      },
      5,
    );
    const pairs = Number(/([\d,]+) paired attempts/.exec(assay.stdout)?.[1]?.replaceAll(',', ''));
    if (!(pairs >= RECORDS * 0.9)) throw new Error(`only ${pairs} pairs`);
    const size = journals.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6;
    const what = `compare: 2 x ${count(RECORDS)} results (${count(size)} MB, ${repeats} of a test), against parsing both journals`;
    return row(what, bare.seconds, assay.seconds, { target: '2 s', note: `peak ${count(assay.peakMb)} MB` });
  });
}

function* recordsOf(salt, repeats) {
  for (let index = 0; index < RECORDS; index++) yield recordOf(index, { salt, repeats });
}

function recordOf(index, { salt, repeats }) {
  const test = Math.floor(index / repeats);
  const repeat = (index % repeats) + 1;
  const chance = (Math.imul(index + 1, 2654435761 * salt) >>> 0) / 2 ** 32;
  const verdict = chance < 0.05 ? 'failed' : chance < 0.06 ? 'error' : 'passed';
  const name = `case-${test}`;
  return {
    id: `evals/suite-${test % 40}.eval.yaml::${name}::default::${repeat}`,
    file: `evals/suite-${test % 40}.eval.yaml`,
    line: 10 + test,
    column: 5,
    test: name,
    description: `The customer asks about order ${test} and gets it refunded`,
    tags: ['refunds', 'smoke'],
    target: 'default',
    repeat,
    fingerprint: `00000000000${test.toString(16).padStart(8, '0')}`,
    verdict,
    ...(verdict === 'error'
      ? { error: { kind: 'timeout', message: 'the attempt took longer than 120 s' } }
      : { score: verdict === 'passed' ? 1 - (chance % 0.1) : 0.4 }),
    steps: [1, 2].map((step) => stepOf(test, step, verdict)),
    assertions: [],
    retries: 0,
    token_usage: { input: 1200 + (test % 300), output: 180 + (index % 50) },
    cost_usd: 0.0123,
    started_at: '2026-11-15T10:14:16.412Z',
    duration_ms: 900 + chance * 2000,
  };
}

function stepOf(test, step, verdict) {
  const input = `Hello, this is about my order number ${test}. It came damaged, and I would like to have my money back.`;
  const output = `I am sorry to hear that. I looked up order ${test} and started a refund of 74.20 GBP to the card you paid with. It takes three to five days.`;
  return {
    line: 12 + step,
    input,
    input_messages: [{ role: 'user', content: input }],
    duration_ms: 812.4,
    output,
    tools_used: ['find_order', 'refund'],
    tool_calls: [
      { tool: 'find_order', input: { id: test }, output: { status: 'shipped', total: 74.2 } },
      { tool: 'refund', input: { id: test, amount: 74.2, retries: [], steps: [1] } },
    ],
    memory_before: {},
    memory: { last_order: test, refunds: [{ order: test, amount: 74.2 }] },
    token_usage: { input: 600, output: 90 },
    cost_usd: 0.006,
    assertions: [
      assertion('contains', { value: 'refund' }, verdict === 'passed'),
      assertion('tool_trajectory', { mode: 'in_order' }, true),
    ],
  };
}

function assertion(kind, expected, passed) {
  return {
    form: 'evaluator',
    kind,
    name: kind,
    weight: 1,
    required: false,
    score: passed ? 1 : 0,
    passed,
    expected,
    message: passed ? 'it holds' : 'the output does not hold the text',
    file: 'evals/suite.eval.yaml',
    line: 14,
    column: 9,
  };
}
