// A run of 100,000 results: how long everything takes that reads it again, against reading and parsing its journal.
import { CLI, compare, count, row, runNode, withProject } from './measure.mjs';

const RESULTS = Number(process.env.BENCH_RESULTS ?? 100_000);
const AGENT =
  'export const agent = (input) => ({ output: `You said ${input}`, tools_used: [], memory: {} });\n';
const BARE_READ = `
import { createReadStream, readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
const [run] = readdirSync('.assay/runs');
let passed = 0;
for await (const line of createInterface({ input: createReadStream('.assay/runs/' + run + '/results.jsonl') }))
  if (JSON.parse(line).verdict === 'passed') passed++;
console.log(passed);
`;

/** What may be held at most, in MB. */
const TARGETS = { grade: '200 MB', 'report --junit': '200 MB', 'run --reporter junit': '200 MB' };

export function benchRecords() {
  const lines = Array.from({ length: RESULTS }, (_, index) => {
    // One in a thousand fails.
    const value = index % 1000 === 0 ? 'goodbye' : 'hello';
    return JSON.stringify({
      id: `case-${index}`,
      input: `hello ${index}`,
      assert: [{ type: 'contains', value }],
    });
  });
  return withProject({ 'agent.mjs': AGENT, 'cases.jsonl': `${lines.join('\n')}\n` }, async (cwd) => {
    const assay =
      (...args) =>
      () =>
        runNode([CLI, ...args], { cwd, expect: [0, 1] });
    await assay('run', 'cases.jsonl', '--agent', './agent.mjs')();
    const { bare, ...times } = await compare(
      {
        bare: () => runNode(['--input-type=module', '-e', BARE_READ], { cwd }),
        '--resume of an ended run': assay('run', 'cases.jsonl', '--agent', './agent.mjs', '--resume'),
        grade: assay('grade'),
        'report --json': assay('report', 'latest', '--json', 'report.json'),
        'report --junit': assay('report', 'latest', '--junit', 'report.xml'),
        'run --reporter junit': assay(
          'run',
          'cases.jsonl',
          '--agent',
          './agent.mjs',
          '--no-record',
          '--reporter',
          'junit=run.xml',
        ),
        'report --html': assay('report', 'latest', '--html', 'report.html'),
      },
      3,
    );
    return Object.entries(times).map(([what, { seconds, peakMb }]) =>
      row(`${count(RESULTS)} results: ${what}, against parsing the journal`, bare.seconds, seconds, {
        target: TARGETS[what],
        note: `peak ${count(peakMb)} MB`,
      }),
    );
  });
}
