// The peak memory of a run with reports in the order of the files: ten times as many tests against the fewer, in one run.
import { CLI, count, row, runNode, withProject } from './measure.mjs';

const TESTS = Number(process.env.BENCH_TESTS ?? 300_000);
const FEWER = TESTS / 10;
const AGENT =
  'export const agent = (input) => ({ output: `You said ${input}`, tools_used: [], memory: {} });\n';

/** Of the files that reporters write. */
const REPORTERS = {
  'json, junit, tap and markdown': ['json', 'junit', 'tap', 'markdown'],
  html: ['html'],
};
/** Ten times the tests may take this many times the memory. */
const TARGET = '1.5x';

export function benchMemory() {
  const files = { 'agent.mjs': AGENT, 'few.jsonl': dataset(FEWER), 'many.jsonl': dataset(TESTS) };
  return withProject(files, async (cwd) => {
    const rows = [];
    for (const [name, reporters] of Object.entries(REPORTERS)) {
      const peak = async (file) => {
        const written = reporters.flatMap((each) => ['--reporter', `${each}=report.${each}`]);
        // The page is built from the journal.
        const recorded = reporters.includes('html') ? [] : ['--no-record'];
        const args = [CLI, 'run', file, '--agent', './agent.mjs', ...recorded, ...written];
        // In the process of Assay, whose memory is measured.
        return runNode(args, { cwd, expect: [0, 1], env: { ASSAY_ISOLATE: 'false' } });
      };
      const few = await peak('few.jsonl');
      const many = await peak('many.jsonl');
      const what = `memory: ${name}, ${count(TESTS)} tests, against ${count(FEWER)}`;
      rows.push(
        row(what, few.peakMb, many.peakMb, { target: name === 'html' ? '' : TARGET, unit: megabytes }),
      );
    }
    return rows;
  });
}

const megabytes = (value) => `${count(value)} MB`;

function dataset(tests) {
  const lines = Array.from({ length: tests }, (_, index) => {
    // One in a thousand fails.
    const value = index % 1000 === 0 ? 'goodbye' : 'hello';
    const assert = [{ type: 'contains', value }];
    return JSON.stringify({ id: `case-${index}`, input: `hello ${index}`, assert });
  });
  return `${lines.join('\n')}\n`;
}
