// How long people wait before anything happens: cold starts, against `node -e 0`.
import { CLI, compare, row, runNode, withProject } from './measure.mjs';

const AGENT =
  'export function agent(input, memory) { return { output: `You said ${input}`, tools_used: [], memory }; }\n';
const TYPED_AGENT =
  'export function agent(input: string, memory: object) { return { output: `You said ${input}`, tools_used: [], memory }; }\n';
const FILES = 1000;
/** As people have them: each must be found in everything that is written, in any spelling. */
const KEYS = {
  OPENAI_API_KEY: `sk-proj-${'0aB1cD2eF3'.repeat(5)}`,
  GITHUB_TOKEN: `ghp_${'0aB1cD2eF3'.repeat(4)}`,
  AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCY0123456789',
};

export function benchStart() {
  const files = { 'agent.mjs': AGENT, 'agent.ts': TYPED_AGENT, 'one.test.yaml': suite(0) };
  for (let index = 0; index < FILES; index++) files[`many/many-${index}.test.yaml`] = suite(index);
  return withProject(files, async (cwd) => {
    const assay =
      (...args) =>
      () =>
        runNode([CLI, ...args], { cwd });
    const run = ['run', 'one.test.yaml', '--agent', './agent.mjs'];
    const { bare, version, one, typed, keys, many } = await compare(
      {
        bare: () => runNode(['-e', '0']),
        version: assay('--version'),
        one: assay(...run),
        typed: assay('run', 'one.test.yaml', '--agent', './agent.ts'),
        keys: () => runNode([CLI, ...run], { cwd, env: KEYS }),
        many: assay('run', 'many', '--agent', './agent.mjs'),
      },
      9,
    );
    return [
      row('start: --version, against node -e 0', bare.seconds, version.seconds, { target: '1.3x' }),
      row('start: run of one test, against node -e 0', bare.seconds, one.seconds, { target: '1.8x' }),
      row('start: run of one test with a .ts agent, against the .mjs one', one.seconds, typed.seconds, {
        target: '1.3x',
      }),
      row('start: the same with three keys in the environment', bare.seconds, keys.seconds, { target: '2x' }),
      row('start: run of 1,000 files, against node -e 0', bare.seconds, many.seconds, { target: '5x' }),
    ];
  });
}

function suite(index) {
  return `steps:\n  - input: hello ${index}\n    assert:\n      output.includes: hello\n      tools_used: []\n`;
}
