// Fast tests with the journal on, against a loop written by hand that does the same work.
import { resolve } from 'node:path';
import { CLI, compare, count, row, runNode, withProject } from './measure.mjs';

const CASES = Number(process.env.BENCH_CASES ?? 100_000);
const TESTS = CASES / 10;
const STEPS = 10;
const OWN_CASES = CASES / 5;

const AGENT = `export function agent(input, memory) {
  return { output: \`You said \${input}\`, tools_used: ['echo'], memory: { ...memory, last: input } };
}
`;

/** For the cases with their own evaluators: an ordinary regex, and a trajectory. */
const CALLING_AGENT = `export function agent(input) {
  const tool_calls = [{ name: 'search', arguments: { query: input } }, { name: 'book', arguments: { seat: 1 } }];
  return { output: \`Trip \${input} goes from Berlin to Munich.\`, tool_calls, memory: {} };
}
`;

export async function benchThroughput() {
  return [...(await benchSharedChecks()), ...(await benchOwnChecks())];
}

function benchSharedChecks() {
  const files = { 'agent.mjs': AGENT, 'cases.jsonl': dataset(), 'tests.test.json': stepTests() };
  return withProject(files, async (cwd) => {
    const bare = (name) => () => runNode([resolve('bench/bare', name)], { cwd });
    const assay = (file) => () => runNode([CLI, 'run', file, '--agent', './agent.mjs'], { cwd });
    const times = await compare(
      {
        bareDataset: bare('dataset-loop.mjs'),
        dataset: assay('cases.jsonl'),
        bareSteps: bare('step-loop.mjs'),
        steps: assay('tests.test.json'),
      },
      3,
    );
    const rate = ({ seconds, peakMb }, amount, what) =>
      `${count(amount / seconds)} ${what}/s, peak ${count(peakMb)} MB`;
    return [
      row(`throughput: dataset of ${count(CASES)} cases`, times.bareDataset.seconds, times.dataset.seconds, {
        target: '4x, 50,000/s',
        note: rate(times.dataset, CASES, 'cases'),
      }),
      row(
        `throughput: ${count(TESTS)} step tests of ${STEPS} steps`,
        times.bareSteps.seconds,
        times.steps.seconds,
        { target: '4x, 50,000/s', note: rate(times.steps, TESTS * STEPS, 'steps') },
      ),
    ];
  });
}

function benchOwnChecks() {
  const files = { 'agent.mjs': CALLING_AGENT, 'cases.jsonl': ownChecks() };
  return withProject(files, async (cwd) => {
    const { bare, assay } = await compare(
      {
        bare: () => runNode([resolve('bench/bare/dataset-loop.mjs')], { cwd }),
        assay: () => runNode([CLI, 'run', 'cases.jsonl', '--agent', './agent.mjs'], { cwd }),
      },
      3,
    );
    const what = `throughput: ${count(OWN_CASES)} cases, each with its own contains, regex and tool_trajectory`;
    const note = `${count(OWN_CASES / assay.seconds)} cases/s, peak ${count(assay.peakMb)} MB`;
    return [row(what, bare.seconds, assay.seconds, { target: '1.6 s', note })];
  });
}

function ownChecks() {
  const lines = Array.from({ length: OWN_CASES }, (_, index) => {
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

function dataset() {
  const lines = Array.from({ length: CASES }, (_, index) => {
    const input = `hello number ${index}`;
    const assert = [
      { type: 'contains', value: 'hello' },
      { type: 'contains', value: `number ${index}` },
      { type: 'regex', value: '^You said' },
      { type: 'equals', value: `You said ${input}` },
    ];
    return JSON.stringify({ id: `case-${index}`, input, assert });
  });
  return `${lines.join('\n')}\n`;
}

function stepTests() {
  const tests = Array.from({ length: TESTS }, (_, index) => ({
    id: `test-${index}`,
    steps: Array.from({ length: STEPS }, (_unused, step) => {
      const input = `step ${step} of ${index}`;
      return {
        input,
        assert: {
          'output.includes': `step ${step}`,
          'output.matches': '^You said',
          tools_used: ['echo'],
          'memory.last': input,
        },
      };
    }),
  }));
  return JSON.stringify(tests);
}
