import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject, ROOT, runAssay } from './assay-process.ts';

const EXAMPLES = ['a', 'b', 'c'].map((output, index) =>
  JSON.stringify({ input: 'x', output, expected_outcome: 'y', label: index > 0 }),
);

/** The judge answers the first two examples, and has no verdict for the third. */
const CONFIG = {
  judge: 'mock',
  targets: [
    {
      name: 'mock',
      provider: 'mock',
      replies: [
        { reasoning: 'r', evidence: [], hits: [], misses: [], score: 0 },
        { reasoning: 'r', evidence: [], hits: [], misses: [], score: 1 },
        { output: 'no verdict' },
      ],
    },
  ],
};

test('docs/judge-accuracy.md lists every key of `judge-check --json` and no others', async () => {
  const project = createProject({
    'assay.config.yaml': JSON.stringify(CONFIG),
    'labelled.jsonl': EXAMPLES.join('\n'),
  });
  const args = ['judge-check', 'labelled.jsonl', '--json', '--workers', '1'];
  const { stdout, stderr } = await runAssay(args, project.path);
  const sampled = await runAssay([...args, '--samples', '2'], project.path);
  project.remove();
  const printed = new Set([...keysOf(JSON.parse(stdout)), ...keysOf(JSON.parse(sampled.stdout))]);
  const page = readFileSync(join(ROOT, 'docs/judge-accuracy.md'), 'utf8');
  const [, table = ''] =
    /`--json` prints one object\.[^|]*\| key[^\n]*\n[^\n]*\n((?:\|[^\n]*\n)+)/.exec(page) ?? [];
  const documented = table
    .split('\n')
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`\.?(\w+)`/g)].map(([, key]) => key!));
  expect({ keys: [...printed].sort(), stderr }).toEqual({ keys: documented.sort(), stderr: '' });
});

function keysOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) => [key, ...keysOf(below)]);
}
