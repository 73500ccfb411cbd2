// A dataset of a million lines (about 250 MB): validated by the built CLI, against a bare loop that reads lines and
// calls JSON.parse.
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compare, runNode } from './measure.mjs';

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

export async function benchDataset() {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const file = join(folder, 'dataset.jsonl');
  try {
    await writeDataset(file);
    const { bare, assay } = compare(
      {
        bare: () => runNode(['--input-type=module', '-e', BARE_LOOP, file]),
        assay: () => runNode(['dist/cli.js', 'validate', file]),
      },
      3,
    );
    if (assay.status !== 0) throw new Error(assay.stdout);
    const megabytes = Math.round(statSync(file).size / 1e6);
    return [
      {
        what: `validate ${LINES.toLocaleString('en')} lines (${megabytes} MB)`,
        bare: `${bare.seconds.toFixed(2)} s`,
        assay: `${assay.seconds.toFixed(2)} s`,
        ratio: `${(assay.seconds / bare.seconds).toFixed(2)}x`,
        rate: `${Math.round(LINES / assay.seconds).toLocaleString('en')} lines/s`,
        'peak memory': `${Math.round(assay.peakMb)} MB`,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
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
      expected_output: { answer: index + (index % 97), unit: null },
    };
    if (!stream.write(`${JSON.stringify(line)}\n`))
      await new Promise((resolve) => stream.once('drain', resolve));
  }
  await new Promise((resolve) => stream.end(resolve));
}
