import { expect, test } from 'vitest';
import { createProject, runAssay } from './assay-process.ts';

const JUDGE = `
import { readFileSync } from 'node:fs';
const { config } = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify({ score: 1, details: config }));
`;

test('a key `config` of a code_judge arrives as config.config, beside its other keys', async () => {
  const evaluators = [
    { type: 'code_judge', script: [process.execPath, 'judge.mjs'], config: { a: 1 }, limit: 2 },
  ];
  const project = createProject({
    'judge.mjs': JUDGE,
    'agent.mjs': `export const agent = () => 'yes';`,
    'judged.eval.json': JSON.stringify({ evalcases: [{ id: 'judged', input: 'Hello', evaluators }] }),
  });
  const args = ['run', '--agent', './agent.mjs', '--allow-scripts', '--reporter', 'json'];
  const { stdout } = await runAssay(args, project.path);
  project.remove();
  const { results } = JSON.parse(stdout) as {
    results: { steps: { assertions: { details: unknown }[] }[] }[];
  };
  expect(results[0]!.steps[0]!.assertions[0]!.details).toEqual({ config: { a: 1 }, limit: 2 });
});
