// Custom evaluators: a run of 10,000 cases with each, against the same run with a built-in one.
import { CLI, compare, count, row, runNode, withProject } from './measure.mjs';

const CALLS = Number(process.env.BENCH_CASES ?? 10_000);
const AGENT = 'export const agent = (input) => ({ output: `You said ${input}`, tools_used: [] });\n';
const SCRIPT =
  "const schema = { type: 'object', properties: { value: { type: 'string' } }, required: ['value'] };\n" +
  'export const says = { schema, evaluate: ({ value }, { output }) => output.includes(value) };\n' +
  'export const says_later = { schema, evaluate: async ({ value }, { output }) => output.includes(value) };\n';
const PYTHON = "def says_py(config, evidence):\n    return config['value'] in evidence['output']\n";
const KINDS = { contains: 'contains', says: 'JavaScript', says_later: 'asynchronous', says_py: 'Python' };

export function benchEvaluators() {
  const files = {
    'agent.mjs': AGENT,
    'checks.mjs': SCRIPT,
    'checks.py': PYTHON,
    'assay.config.yaml': 'agent: ./agent.mjs\nevaluators: [./checks.mjs, ./checks.py]\n',
  };
  for (const type of Object.keys(KINDS))
    files[`${type}.jsonl`] = Array.from({ length: CALLS }, (_, index) =>
      JSON.stringify({ id: `c${index}`, input: `hello ${index}`, evaluators: [{ type, value: 'hello' }] }),
    ).join('\n');
  return withProject(files, async (cwd) => {
    const runs = Object.keys(KINDS).map((type) => [type, () => runAssay(`${type}.jsonl`, cwd)]);
    const { contains, ...others } = await compare(Object.fromEntries(runs), 5);
    return Object.entries(others).map(([type, { seconds }]) => {
      const more = seconds - contains.seconds;
      const each = more <= 0 ? 'nothing' : `${((more / CALLS) * 1e6).toFixed(1)} µs a call`;
      return row(
        `custom evaluators: ${KINDS[type]}, ${count(CALLS)} calls, against \`contains\``,
        contains.seconds,
        seconds,
        { target: type === 'says_py' ? '' : '10,000 calls in 1 s', note: `${each} more than built in` },
      );
    });
  });
}

async function runAssay(file, cwd) {
  const { stdout } = await runNode([CLI, 'run', file, '--no-record', '--reporter', 'json'], { cwd });
  return { seconds: JSON.parse(stdout).summary.duration_ms / 1000 };
}
