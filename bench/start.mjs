// How long people wait before anything happens: cold starts, against `node -e 0`.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { compare, runNode } from './measure.mjs';

const CLI = resolve('dist/cli.js');
const AGENT =
  'export function agent(input, memory) { return { output: `You said ${input}`, tools_used: [], memory }; }\n';

export function benchStart() {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{}');
    writeFileSync(join(folder, 'agent.mjs'), AGENT);
    writeFileSync(join(folder, 'one.test.yaml'), suite(0));
    for (let index = 0; index < 1000; index++)
      writeFileSync(join(folder, `many-${index}.test.yaml`), suite(index));
    const assay =
      (...args) =>
      () =>
        runNode([CLI, ...args], { cwd: folder });
    const { bare, ...times } = compare(
      {
        bare: () => runNode(['-e', '0']),
        '--version': assay('--version'),
        'run, one test': assay('run', 'one.test.yaml', '--agent', './agent.mjs'),
        'run, 1,000 files': assay('run', '--agent', './agent.mjs'),
      },
      9,
    );
    return Object.entries(times).map(([what, { seconds, status }]) => {
      if (status !== 0) throw new Error(`${what} ended with ${status}`);
      return {
        what,
        'node -e 0': ms(bare.seconds),
        assay: ms(seconds),
        ratio: `${(seconds / bare.seconds).toFixed(2)}x`,
      };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function suite(index) {
  return `steps:\n  - input: hello ${index}\n    assert:\n      output.includes: hello\n      tools_used: []\n`;
}

function ms(seconds) {
  return `${Math.round(seconds * 1000)} ms`;
}
