// The same 1,000 cases with an agent in the same process (where the peer can), by Assay and by those peers that are
// installed in bench/peers (`npm install` there). Peers need a newer Node than Assay: it is installed with them, and runs
// Assay too.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CLI, runProgram, seconds, withProject } from './measure.mjs';

const FOLDER = resolve('bench/peers/node_modules');
const NODE = join(FOLDER, 'node22/bin/node');
const CASES = 1000;

const PEERS = {
  agentv: {
    entry: 'agentv/dist/cli.js',
    target: '30x, 12x',
    run: (count) => ['eval', `${count}.eval.yaml`],
    /** Its target is canned: two of the four checks fail, which costs the same. */
    expect: [0, 1],
  },
  promptfoo: {
    entry: 'promptfoo/dist/src/entrypoint.js',
    target: '20x, 38x',
    run: (count) => [
      'eval',
      '-c',
      `promptfoo-${count}.yaml`,
      '--no-cache',
      '--no-write',
      '--no-table',
      '--no-progress-bar',
    ],
    expect: [0],
  },
  evalite: { entry: 'evalite/dist/bin.js', run: (count) => ['run', `${count}.eval.ts`], expect: [0] },
};
const ENV = {
  ...process.env,
  PROMPTFOO_DISABLE_TELEMETRY: '1',
  PROMPTFOO_DISABLE_UPDATE: '1',
  AGENTV_DISABLE_TELEMETRY: '1',
};

export async function benchPeers() {
  const installed = Object.entries(PEERS).filter(([, { entry }]) => existsSync(join(FOLDER, entry)));
  if (installed.length === 0)
    return [{ what: 'peers', note: 'not installed: npm install --prefix bench/peers' }];
  return withProject(projectFiles(), async (cwd) => {
    const env = { ...ENV, PROMPTFOO_CONFIG_DIR: join(cwd, 'promptfoo') };
    const assay = await measure({
      start: () => runProgram(NODE, [CLI, '--version'], { cwd }),
      cases: (count) => runProgram(NODE, [CLI, 'run', `${count}.jsonl`, '--agent', './agent.mjs'], { cwd }),
    });
    const rows = [row('assay', assay, assay)];
    for (const [name, { entry, run, expect }] of installed) {
      const program = [join(FOLDER, entry)];
      try {
        const peer = await measure({
          start: () => runProgram(NODE, [...program, '--version'], { cwd, env }),
          cases: (count) => runProgram(NODE, [...program, ...run(count)], { cwd, env, expect }),
        });
        rows.push(row(name, peer, assay));
      } catch (error) {
        rows.push({
          what: `peers: ${name}`,
          note: `could not be run: ${/ended with \S+/.exec(error.message)?.[0] ?? 'it did not start'}`,
        });
      }
    }
    return rows;
  });
}

/** The best of three; what a case costs is the difference between many and few. */
async function measure({ start, cases }) {
  const best = async (run) => {
    const all = [];
    for (let round = 0; round < 3; round++) all.push((await run()).seconds);
    return Math.min(...all);
  };
  const [few, many] = [await best(() => cases(10)), await best(() => cases(CASES))];
  return { start: await best(start), many, perCase: Math.max(many - few, 0) / (CASES - 10) };
}

function row(name, { start, many, perCase }, assay) {
  return {
    what: `peers: ${name}, ${CASES} cases`,
    assay: seconds(many),
    ratio:
      name === 'assay'
        ? ''
        : `${(perCase / assay.perCase).toFixed(0)}x a case, ${(start / assay.start).toFixed(1)}x to start`,
    target: PEERS[name]?.target ?? '',
    note: `${(perCase * 1000).toFixed(3)} ms a case; --version in ${seconds(start)}`,
  };
}

function projectFiles() {
  const files = {
    'agent.mjs': 'export const agent = (input) => ({ output: `You said ${input}`, memory: {} });\n',
    'provider.mjs':
      "export default class { id() { return 'echo'; } async callApi(prompt) { return { output: `You said ${prompt}` }; } }\n",
    '.agentv/targets.yaml': 'targets:\n  - name: default\n    provider: mock\n    response: You said hello\n',
  };
  for (const count of [10, CASES]) {
    const inputs = Array.from({ length: count }, (_, index) => `hello number ${index}`);
    files[`${count}.jsonl`] = inputs
      .map((input, index) => JSON.stringify(assayCase(input, index)))
      .join('\n');
    files[`${count}.eval.yaml`] = `tests:\n${inputs.map(agentvCase).join('')}`;
    // Not `1000.yaml`, which would be the sidecar of `1000.jsonl`, and read with it.
    files[`promptfoo-${count}.yaml`] =
      `prompts: ['{{input}}']\nproviders: ['file://provider.mjs']\ntests:\n${inputs.map(promptfooCase).join('')}`;
    files[`${count}.eval.ts`] = evaliteFile(inputs);
  }
  return files;
}

const checks = (input) => [
  { type: 'contains', value: 'hello' },
  { type: 'contains', value: input },
  { type: 'regex', value: '^You said' },
  { type: 'equals', value: `You said ${input}` },
];

function assayCase(input, index) {
  return { id: `case-${index}`, input, assert: checks(input) };
}

function agentvCase(input, index) {
  return `  - id: case-${index}\n    criteria: says it\n    input: '${input}'\n    assertions: ${JSON.stringify(checks(input))}\n`;
}

function promptfooCase(input) {
  return `  - vars: { input: '${input}' }\n    assert: ${JSON.stringify(checks(input))}\n`;
}

function evaliteFile(inputs) {
  return `import { evalite } from 'evalite';
evalite('peers', {
  data: () => ${JSON.stringify(inputs)}.map((input) => ({ input, expected: 'You said ' + input })),
  task: async (input) => 'You said ' + input,
  scorers: [
    { name: 'contains', scorer: ({ output }) => (output.includes('hello') ? 1 : 0) },
    { name: 'contains input', scorer: ({ input, output }) => (output.includes(input) ? 1 : 0) },
    { name: 'regex', scorer: ({ output }) => (/^You said/.test(output) ? 1 : 0) },
    { name: 'equals', scorer: ({ output, expected }) => (output === expected ? 1 : 0) },
  ],
});
`;
}
