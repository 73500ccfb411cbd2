import { expect, test } from 'vitest';
import { runAssay } from '../docs/assay-process.ts';
import { Workspace } from '../docs/workspace.ts';

test('every evaluator of the example passes', async () => {
  const workspace = await Workspace.create();
  const args = ['run', 'examples/custom-evaluators', '--strict', '--reporter', 'json'];
  const { stdout, exitCode } = await runAssay(args, workspace.path);
  workspace.remove();
  const { results, findings } = JSON.parse(stdout) as {
    readonly results: readonly { readonly steps: readonly { readonly assertions: readonly object[] }[] }[];
    readonly findings: readonly unknown[];
  };
  expect({ exitCode, findings }).toEqual({ exitCode: 0, findings: [] });
  expect(results[0]!.steps[0]!.assertions).toMatchObject([
    { kind: 'max_words', score: 1, message: '11 words' },
    { kind: 'looks_up_first', score: 1 },
    { kind: 'greets', score: 1, message: 'looked for Ada' },
    { kind: 'contains', score: 1 },
  ]);
});
